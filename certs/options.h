#ifndef CERTS_OPTIONS_H
#define CERTS_OPTIONS_H

#include "common/base/error.h"
#include "common/base/option.h"
#include "common/base/text.h"
#include "common/tls/library.h"

#include <stdbool.h>
#include <stddef.h>

/* What suitemark-certs was asked for. */
struct certs_options {
    struct text_list kinds; /* as typed; "all" stands for all of the loaded library */
    bool force, help, version;
    const char *dir; /* the operand */
};

extern const struct option_row certs_option_rows[];
extern const size_t certs_option_count;

bool certs_options_parse(struct certs_options *options, int argc, char **argv,
                         struct text_list *operands, struct error *err) MUST_CHECK;
void certs_options_cleanup(struct certs_options *options);

/* The kinds that were asked for, each once, in the table's order; an unknown name is a failure, one
 * that the library does not have too when it was named. `kinds` has room for kind_count. */
bool certs_options_kinds(const struct certs_options *options, const struct library_facts *facts,
                         const struct certificate_kind **kinds, size_t *count,
                         struct error *err) MUST_CHECK;

#endif
