#include "client/evp/evp_list.h"

#include "client/evp/evp_selection.h"
#include "common/base/text.h"
#include "common/base/units.h"

#include <string.h>

static void add_word(struct text_buffer *text, const char *word)
{
    text_buffer_add(text, "%s%s", text->length > 0 ? " " : "", word);
}

/* What can be done, and in which shapes. */
static void describe(const struct primitive_class *class, struct text_buffer *text)
{
    for (int i = 0; i < OPERATION_COUNT; i++)
        if (class->operations & PRIMITIVE_BIT(i))
            add_word(text, primitive_operation_name((enum primitive_operation)i));
    text_buffer_add(text, ":");
    for (int i = 0; i < SHAPE_COUNT; i++)
        if (class->shapes & PRIMITIVE_BIT(i))
            add_word(text, primitive_shape_name((enum primitive_shape)i));
}

static void print_row(FILE *out, const struct primitive *row, bool legacy)
{
    struct text_buffer what = {0};
    struct error err;
    const char *here = "yes";
    bool mcrypt = strcmp(row->class->backend, "mcrypt") == 0;

    describe(row->class, &what);
    if (row->legacy && !legacy)
        here = "needs the legacy provider: --legacy";
    else if (!primitive_available(row, &err))
        here = err.text;
    fprintf(out, "%-2s%-24s%-10s%-50s%s\n", row->in_default && !mcrypt ? "*" : "", row->name,
            mcrypt ? "mcrypt" : primitive_family_name(row->class->family), what.text, here);
    text_buffer_cleanup(&what);
}

void evp_list_print(FILE *out, const struct evp_options *options)
{
    const struct primitive *row;
    bool mcrypt = false;

    fprintf(out, "  %-24s%-10s%-50s%s\n", "algorithm", "family", "operations: shapes", "here");
    for (size_t i = 0; (row = primitive_at(i)) != NULL; i++) {
        mcrypt |= strcmp(row->class->backend, "mcrypt") == 0;
        if (row->class->family != FAMILY_YARDSTICK)
            print_row(out, row, options->legacy);
    }
    fputs("* in the default table. rsa, rsa-pss and rsa-kex take any size of key: rsa:3072. "
          "OpenSSL's own names work too.\nThe words ciphers, digests, macs, signatures, exchanges, "
          "kems, hmac, cmac, gmac and all stand for many.\n",
          out);
    fprintf(out, "mcrypt: %s\n",
            mcrypt ? "built in; --backend mcrypt measures it beside EVP"
                   : "left out, since libmcrypt was not there when suitemark was built");
}

void evp_list_plan(FILE *out, const struct evp_plan *plan, size_t columns)
{
    size_t runnable = evp_plan_runnable(plan);
    char id[EVP_ID], precision[16], longest[UNITS_TEXT];

    for (size_t i = 0; i < plan->count; i++) {
        const struct evp_cell *cell = &plan->cells[i];
        evp_plan_id(&cell->what, id);
        if (cell->skipped[0] != '\0')
            fprintf(out, "skipped  %s: %s\n", id, cell->skipped);
        else
            fprintf(out, "run      %s\n", id);
    }
    (void)snprintf(precision, sizeof precision, "%g %%", 100 * plan->precision);
    fprintf(out, "%zu figures%s, each to ±%s or at most %s", runnable,
            columns > 1 ? " in every column" : "", precision,
            units_format_duration(longest, plan->max_time_ns));
    fprintf(out, ": %s of measuring at most, seed %llu\n",
            units_format_duration(longest, plan->max_time_ns * runnable * columns),
            (unsigned long long)plan->seed);
}
