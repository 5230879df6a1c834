#ifndef CLIENT_CHECK_WEAK_H
#define CLIENT_CHECK_WEAK_H

#include "client/check/finding.h"
#include "common/tls/suite.h"

#include <stdbool.h>
#include <stddef.h>

/* Judgements about suites: a row each, with its reason and its source. */
struct weak_row {
    const char *name; /* "3DES" */
    enum finding_level level;
    bool (*applies)(const struct suite *suite, const struct suite_facts *facts);
    const char *text, *remedy;
};

extern const struct weak_row weak_table[];
extern const size_t weak_count;

/* Whether a suite has a weakness that is a warning: advice leaves such suites out. */
bool weak_is_warned(const struct suite *suite);

#endif
