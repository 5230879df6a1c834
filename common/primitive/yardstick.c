/* What is no cryptography: an operation that does nothing, whose cost is the loop's own, and a copy
 * of memory, which no cipher outruns (METHOD 12's alarm). */
#include "common/base/memory.h"
#include "common/primitive/buffer.h"
#include "common/primitive/families.h"

#include <stdlib.h>
#include <string.h>

struct yardstick_state {
    unsigned char *from, *to; /* owned */
    size_t size;
    int (*volatile nothing)(void); /* volatile: called each time, as a function of a library is */
};

static int do_nothing(void)
{
    return 1;
}

static inline bool nothing(struct yardstick_state *s)
{
    return s->nothing() == 1;
}

/* The barrier keeps the compiler from leaving out copies that nobody reads. */
static inline bool copy(struct yardstick_state *s)
{
    memcpy(s->to, s->from, s->size);
    __asm__ volatile("" : : "r"(s->to) : "memory");
    return true;
}

PRIMITIVE_RUN(nothing_run, nothing)
PRIMITIVE_RUN(copy_run, copy)

static bool yardstick_available(const struct primitive *row, struct error *err)
{
    (void)row;
    (void)err;
    return true;
}

static bool yardstick_set_up(struct primitive_task *task, struct error *err)
{
    struct yardstick_state *s = memory_new(1, sizeof *s);

    task->state = s;
    s->size = task->what.size;
    s->nothing = do_nothing;
    s->from = buffer_new(s->size);
    s->to = buffer_new(s->size);
    task->run = task->what.operation == OPERATION_COPY ? copy_run : nothing_run;
    return (s->from && s->to) || error_set(err, "no memory for messages of this size");
}

static bool yardstick_verify(struct primitive_task *task, struct error *err)
{
    struct yardstick_state *s = task->state;

    buffer_fill(s->from, s->size);
    if (task->run(s, 1) != 1 ||
        (task->what.operation == OPERATION_COPY && !buffer_is_filled(s->to, s->size)))
        return error_set(err, "the copy is not right");
    return true;
}

static void yardstick_release(void *state)
{
    struct yardstick_state *s = state;

    if (!s)
        return;
    free(s->from);
    free(s->to);
    free(s);
}

#define YARDSTICK                                                                                  \
    .family = FAMILY_YARDSTICK, .shapes = PRIMITIVE_BIT(SHAPE_MESSAGE), .usual = SHAPE_MESSAGE,    \
    .backend = "evp", .available = yardstick_available, .set_up = yardstick_set_up,                \
    .verify = yardstick_verify, .release = yardstick_release

static const struct primitive_class copy_class = {
    YARDSTICK, .operations = PRIMITIVE_BIT(OPERATION_COPY), .sized = true};
static const struct primitive_class nothing_class = {
    YARDSTICK, .operations = PRIMITIVE_BIT(OPERATION_NOTHING)};

static const struct primitive rows[] = {
    {.name = "memory-copy", .class = &copy_class},
    {.name = "nothing", .class = &nothing_class},
};

const struct primitive_table yardstick_primitives = {rows, sizeof rows / sizeof rows[0]};
