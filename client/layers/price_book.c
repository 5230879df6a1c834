#include "client/layers/price_book.h"

#include "client/layers/cpu_lap.h"
#include "common/base/clock.h"
#include "common/base/memory.h"
#include "common/primitive/cost.h"
#include "common/primitive/timed_loop.h"
#include "common/stats/sample.h"

#include <stdlib.h>
#include <string.h>

#define BATCHES_MIN 3
#define BATCHES_MAX 64

struct price_entry {
    char *primitive;
    struct primitive_task task;
    uint64_t batch; /* operations between two readings of the clock */
};

static struct price_entry *find(struct price_book *book, const char *primitive)
{
    for (size_t i = 0; i < book->count; i++)
        if (strcmp(book->entries[i].primitive, primitive) == 0)
            return &book->entries[i];
    return NULL;
}

static struct price_entry *open_entry(struct price_book *book, const char *primitive,
                                      struct error *err)
{
    struct price_entry entry = {.batch = 0};
    struct primitive_case what;

    if (!primitive_case_parse(primitive, &what, err) ||
        !primitive_open(&entry.task, &what, &book->keys, err))
        return NULL;
    if (!timed_loop_size(&entry.task, book->budget_ns / 16, &entry.batch, err)) {
        primitive_close(&entry.task);
        return NULL;
    }
    entry.primitive = memory_copy_text(primitive);
    book->entries = memory_grow(book->entries, book->count + 1, sizeof *book->entries);
    book->entries[book->count] = entry;
    return &book->entries[book->count++];
}

static bool measure(struct price_entry *entry, uint64_t budget_ns, double *ns, struct error *err)
{
    double costs[BATCHES_MAX];
    size_t batches = 0;
    struct cpu_lap lap;

    cpu_lap_init(&lap);
    for (uint64_t until = clock_now_ns() + budget_ns;
         batches < BATCHES_MIN || (batches < BATCHES_MAX && clock_now_ns() < until);) {
        struct timed_batch unused;
        (void)cpu_lap_ns(&lap);
        if (!timed_loop_run(&entry->task, entry->batch, &unused, err))
            return false;
        costs[batches++] = (double)cpu_lap_ns(&lap) / (double)entry->batch;
    }
    *ns = sample_median(costs, batches);
    return true;
}

bool price_book_ask(void *context, const char *primitive, double *ns, struct error *err)
{
    struct price_book *book = context;
    struct price_entry *entry = find(book, primitive);

    if (!entry)
        entry = open_entry(book, primitive, err);
    return entry && measure(entry, book->budget_ns, ns, err);
}

void price_book_cleanup(struct price_book *book)
{
    for (size_t i = 0; i < book->count; i++) {
        primitive_close(&book->entries[i].task);
        free(book->entries[i].primitive);
    }
    free(book->entries);
    key_ring_cleanup(&book->keys);
    *book = (struct price_book){.count = 0};
}
