#include "client/evp/evp_plan.h"

#include "client/evp/evp_selection.h"
#include "common/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECORD_MAX 16384

static struct evp_cell *add_cell(struct evp_plan *plan, const struct primitive_case *what)
{
    plan->cells = memory_grow(plan->cells, plan->count + 1, sizeof *plan->cells);
    struct evp_cell *cell = &plan->cells[plan->count++];
    *cell = (struct evp_cell){.what = *what};
    return cell;
}

static void skip(struct evp_plan *plan, const struct primitive_case *what, const char *reason)
{
    struct evp_cell *cell = add_cell(plan, what);

    (void)snprintf(cell->skipped, sizeof cell->skipped, "%s", reason);
}

static bool wanted(const struct evp_options *options, const struct primitive_class *class,
                   enum primitive_operation operation)
{
    if (class->family != FAMILY_CIPHER)
        return true;
    if (operation == OPERATION_ENCRYPT)
        return options->direction != EVP_DECRYPT_ONLY;
    if (operation == OPERATION_DECRYPT)
        return options->direction != EVP_ENCRYPT_ONLY;
    return true;
}

/* One cell for each operation, or one skip where the first of them is not possible. */
static void add_operations(const struct evp_options *options, struct evp_plan *plan,
                           struct primitive_case what)
{
    const struct primitive_class *class = what.primitive->class;
    char last[sizeof((struct error *)NULL)->text] = "";

    for (int i = 0; i < OPERATION_COUNT; i++) {
        struct error err;
        what.operation = (enum primitive_operation)i;
        if (!(class->operations & PRIMITIVE_BIT(i)) || !wanted(options, class, what.operation))
            continue;
        if (primitive_possible(&what, &err)) {
            (void)add_cell(plan, &what);
        } else if (strcmp(last, err.text) != 0) {
            skip(plan, &what, err.text);
            (void)snprintf(last, sizeof last, "%s", err.text);
        }
    }
}

/* A longer message than a record holds is measured as a message, unless records are asked for. */
static enum primitive_shape usual_shape(const struct primitive_class *class, size_t size)
{
    bool too_long = class->usual == SHAPE_RECORD && size > RECORD_MAX;

    return too_long && (class->shapes & PRIMITIVE_BIT(SHAPE_MESSAGE)) ? SHAPE_MESSAGE
                                                                      : class->usual;
}

static void add_sizes(const struct evp_options *options, struct evp_plan *plan,
                      struct primitive_case what, bool usual)
{
    if (!what.primitive->class->sized) {
        add_operations(options, plan, what);
        return;
    }
    for (size_t i = 0; i < options->size_count; i++) {
        what.size = options->sizes[i];
        if (usual)
            what.shape = usual_shape(what.primitive->class, what.size);
        add_operations(options, plan, what);
    }
}

static void add_shapes(const struct evp_options *options, struct evp_plan *plan,
                       struct primitive_case what)
{
    const struct primitive_class *class = what.primitive->class;
    unsigned shapes = options->shapes & class->shapes;

    what.shape = class->usual;
    if (options->shapes == 0 || (shapes == 0 && !class->sized)) {
        add_sizes(options, plan, what, true);
    } else if (shapes == 0) {
        skip(plan, &what, "none of the shapes that --shapes names fits it");
    } else {
        for (int i = 0; i < SHAPE_COUNT; i++) {
            what.shape = (enum primitive_shape)i;
            if (shapes & PRIMITIVE_BIT(i))
                add_sizes(options, plan, what, false);
        }
    }
}

/* A case that names a row which is skipped as a whole. */
static struct primitive_case any_case(const struct evp_choice *choice)
{
    const struct primitive_class *class = choice->primitive->class;
    struct primitive_case what = {
        .primitive = choice->primitive, .bits = choice->bits, .shape = class->usual};

    while (!(class->operations & PRIMITIVE_BIT(what.operation)))
        what.operation++;
    return what;
}

/* What the library has not at all is one skip, not one for each size. */
static void add_primitive(const struct evp_options *options, struct evp_plan *plan,
                          const struct evp_choice *choice)
{
    struct primitive_case what = any_case(choice);
    struct error err;

    if (choice->primitive->legacy && !options->legacy) {
        skip(plan, &what, "needs the legacy provider: --legacy");
        return;
    }
    if (!primitive_available(choice->primitive, &err)) {
        skip(plan, &what,
             choice->primitive->legacy ? "not in this library's legacy provider" : err.text);
        return;
    }
    add_shapes(options, plan, what);
}

bool evp_plan_build(const struct evp_options *options, struct evp_plan *plan, struct error *err)
{
    struct evp_selection selection = {0};

    *plan = (struct evp_plan){.precision = options->precision,
                              .max_time_ns = options->max_time_ns,
                              .seed = options->seed,
                              .rounds = (unsigned)options->rounds,
                              .threads = (unsigned)options->threads,
                              .mcrypt = options->backend == 1};
    if (!evp_selection_read(options, &selection, err))
        return false;
    for (size_t i = 0; i < selection.count; i++)
        add_primitive(options, plan, &selection.choices[i]);
    evp_selection_cleanup(&selection);
    return true;
}

void evp_plan_cleanup(struct evp_plan *plan)
{
    free(plan->cells);
    *plan = (struct evp_plan){0};
}

size_t evp_plan_runnable(const struct evp_plan *plan)
{
    size_t runnable = 0;

    for (size_t i = 0; i < plan->count; i++)
        runnable += plan->cells[i].skipped[0] == '\0';
    return runnable;
}

char *evp_plan_id(const struct primitive_case *what, char text[static EVP_ID])
{
    const struct primitive_class *class = what->primitive->class;
    char name[PRIMITIVE_NAME], size[32] = "";
    bool evp = strcmp(class->backend, "evp") == 0;

    if (what->size > 0)
        (void)snprintf(size, sizeof size, "/%zu", what->size);
    (void)snprintf(text, EVP_ID, "%s%s%s/%s/%s%s", evp ? "" : class->backend, evp ? "" : "/",
                   primitive_name(what, name), primitive_shape_name(what->shape),
                   primitive_operation_name(what->operation), size);
    return text;
}
