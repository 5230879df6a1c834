#ifndef CLIENT_CHECK_FINDING_H
#define CLIENT_CHECK_FINDING_H

#include "common/base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* What a check has to say about a configuration, one sentence each. */

enum finding_level {
    FINDING_NOTE,    /* changes nothing, or may be meant */
    FINDING_WARNING, /* does less, or is weaker, than it looks */
    FINDING_ERROR,   /* does not start, or cannot be used */
};

const char *finding_level_name(enum finding_level level); /* "note" */

struct finding {
    enum finding_level level;
    const char *kind; /* static: "unknown word", "dead suite", … */
    char *word;       /* what it is about; "" where it is about the whole */
    char *place;      /* "nginx.conf:12, character 5"; "" where there is none */
    char *text, *remedy;
    char *subject; /* the server block; "" for the whole input */
};

struct finding_list {
    struct finding *items;
    size_t count;
    size_t errors;            /* that were to be added, known ones too */
    enum finding_level least; /* what is below is not added */
    const char *subject;      /* of what is added; NULL: none */
};

/* Adds a finding; `word`, `place` and `remedy` may be NULL. The text is a format. The same finding
 * about the same place is added once. */
void finding_add(struct finding_list *list, enum finding_level level, const char *kind,
                 const char *word, const char *place, const char *remedy, const char *text, ...)
    PRINTF_LIKE(7, 8);

void finding_cleanup(struct finding_list *list);

/* How many are of this level or above. */
size_t finding_count(const struct finding_list *list, enum finding_level level);

/* findings[] of the document: a new array. */
json_t *finding_json(const struct finding_list *list);

#endif
