#ifndef CLIENT_CHECK_OPTIONS_H
#define CLIENT_CHECK_OPTIONS_H

#include "client/target.h"
#include "common/base/error.h"
#include "common/base/option.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `suitemark check` as typed. */
struct check_options {
    bool help;

    const char *string; /* the operand */
    const char *tls13, *groups;
    struct text_list versions, certs;
    struct text_list cert, key; /* pairs, in order */
    const char *key_pass_file, *dhparam;
    bool prefer_server;

    const char *nginx, *server_name, *nginx_version;

    const char *target_text;
    struct target target;

    bool no_measure;
    uint64_t time_ns;
    int fail_on; /* enum finding_level */
    int format;  /* enum output_format */
    const char *output;
};

extern const struct option_row check_option_rows[];
extern const size_t check_option_count;

/* Parses argv behind the subcommand's name; argv[0] is skipped. After a failure there is nothing to
 * clean up. */
bool check_options_parse(int argc, char **argv, struct check_options *options,
                         struct error *err) MUST_CHECK;
void check_options_cleanup(struct check_options *options);

#endif
