#include "common/primitive/cost.h"

#include "common/base/clock.h"
#include "common/base/text.h"
#include "common/base/units.h"
#include "common/primitive/timed_loop.h"
#include "common/stats/sample.h"

#include <ctype.h>
#include <string.h>

#define BATCHES_MIN 3
#define BATCHES_MAX 64

/* --- a case from a text --- */

static bool parse_operation(const char *word, enum primitive_operation *operation)
{
    for (int i = 0; i < OPERATION_COUNT; i++) {
        if (text_equal_nocase(word, primitive_operation_name((enum primitive_operation)i))) {
            *operation = (enum primitive_operation)i;
            return true;
        }
    }
    return false;
}

static bool parse_word(const char *word, struct primitive_case *what, bool *operation,
                       struct error *err)
{
    uint64_t size;

    if (parse_operation(word, &what->operation)) {
        *operation = true;
        return true;
    }
    if (!isdigit((unsigned char)word[0]))
        return primitive_shape_parse(word, &what->shape, err);
    if (!units_parse_size(word, &size, err))
        return false;
    what->size = (size_t)size;
    return true;
}

/* The only operation of a class that has one; else it must be named. */
static bool choose_operation(struct primitive_case *what, struct error *err)
{
    unsigned operations = what->primitive->class->operations;

    for (int i = 0; i < OPERATION_COUNT; i++) {
        if (operations == PRIMITIVE_BIT(i)) {
            what->operation = (enum primitive_operation)i;
            return true;
        }
    }
    return error_set(err, "%s: which operation?", what->primitive->name);
}

static bool parse_words(const struct text_list *words, struct primitive_case *what,
                        struct error *err)
{
    bool operation = false;

    if (words->count == 0)
        return error_set(err, "no primitive is named");
    *what = (struct primitive_case){0};
    what->primitive = primitive_find(words->items[0], "evp", &what->bits);
    if (!what->primitive)
        return error_set(err, "unknown primitive \"%s\"", words->items[0]);
    what->shape = what->primitive->class->usual;
    for (size_t i = 1; i < words->count; i++)
        if (!parse_word(words->items[i], what, &operation, err))
            return false;
    return operation || choose_operation(what, err);
}

bool primitive_case_parse(const char *text, struct primitive_case *what, struct error *err)
{
    struct text_list words = {0};

    text_list_add_split(&words, text, " ");
    bool ok = parse_words(&words, what, err);
    text_list_cleanup(&words);
    return ok;
}

/* --- its cost --- */

static bool measure(struct primitive_task *task, uint64_t time_ns, double *ns, struct error *err)
{
    uint64_t until = clock_now_ns() + time_ns, count;
    uint64_t least_ns = time_ns / 16 < TIMED_LOOP_BATCH_NS ? time_ns / 16 : TIMED_LOOP_BATCH_NS;
    double costs[BATCHES_MAX];
    size_t batches = 0;

    if (!timed_loop_size(task, least_ns, &count, err))
        return false;
    while (batches < BATCHES_MIN || (batches < BATCHES_MAX && clock_now_ns() < until)) {
        struct timed_batch batch;
        if (!timed_loop_run(task, count, &batch, err))
            return false;
        costs[batches++] = (double)batch.ns / (double)count;
    }
    *ns = sample_median(costs, batches);
    return true;
}

bool primitive_cost(const struct primitive_case *what, struct key_ring *keys, uint64_t time_ns,
                    double *ns, struct error *err)
{
    struct key_ring own = {0};
    struct primitive_task task;
    bool ok = primitive_open(&task, what, keys ? keys : &own, err);

    if (ok) {
        ok = measure(&task, time_ns, ns, err);
        primitive_close(&task);
    }
    key_ring_cleanup(&own);
    return ok;
}
