#include "server/outcomes.h"

#include <stdio.h>
#include <string.h>

static size_t published(const struct outcomes *outcomes)
{
    return atomic_load_explicit(&outcomes->count, memory_order_acquire);
}

void outcomes_add(struct outcomes *outcomes, const char *text, uint64_t count)
{
    const size_t used = published(outcomes);
    size_t row = 0;
    while (row < used && strncmp(outcomes->rows[row].text, text, OUTCOME_TEXT - 1) != 0)
        row++;
    if (row == used && used >= OUTCOME_ROWS - 1) {
        row = OUTCOME_ROWS - 1;
        text = "other";
    }
    if (row == used) {
        (void)snprintf(outcomes->rows[row].text, OUTCOME_TEXT, "%s", text);
        atomic_store_explicit(&outcomes->count, used + 1, memory_order_release);
    }
    counter_add(&outcomes->rows[row].count, count);
}

void outcomes_merge(struct outcomes *into, const struct outcomes *from)
{
    const size_t used = published(from);
    for (size_t i = 0; i < used; i++)
        outcomes_add(into, from->rows[i].text, counter_read(&from->rows[i].count));
}
