#ifndef SERVER_OUTCOMES_H
#define SERVER_OUTCOMES_H

#include "common/stats/counter.h"

#include <stddef.h>
#include <stdint.h>

/* How connections ended, counted by text. One writer; any thread may read while it writes: a row is
 * filled before `count` lets a reader see it, and its text never changes. Zeroed is valid. */

#define OUTCOME_ROWS 48
#define OUTCOME_TEXT 96

struct outcomes {
    struct outcome {
        char text[OUTCOME_TEXT];
        counter count;
    } rows[OUTCOME_ROWS];
    _Atomic size_t count;
};

/* Texts beyond the last row but one count together as "other". */
void outcomes_add(struct outcomes *outcomes, const char *text, uint64_t count);

/* Adds what another thread's table holds now to a table of the caller's. */
void outcomes_merge(struct outcomes *into, const struct outcomes *from);

#endif
