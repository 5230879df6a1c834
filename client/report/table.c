#include "client/report/report.h"

#include "client/report/check_parts.h"
#include "client/report/evp_parts.h"
#include "client/report/field.h"
#include "client/report/table_parts.h"
#include "common/base/memory.h"

#include <stdlib.h>
#include <string.h>

bool section_has_figures(const json_t *item)
{
    return field_at(item, "rate") != NULL;
}

static void section_collect(struct section *section)
{
    const json_t *cases = field_at(section->result, "cases"), *item;
    size_t index;

    section->cases = memory_new(json_array_size(cases) + 1, sizeof *section->cases);
    section->rows = memory_new(json_array_size(cases) + 1, sizeof *section->rows);
    json_array_foreach(cases, index, item)
    {
        if (strcmp(field_text(item, "measure"), section->measure) != 0)
            continue;
        section->cases[section->count++] = item;
        if (strcmp(field_text(item, "status"), "skipped") != 0)
            section->rows[section->row_count++] = item;
    }
}

static void section_print(FILE *out, const json_t *result, const char *measure)
{
    struct section section = {.result = result, .measure = measure};

    section_collect(&section);
    if (section.row_count > 0) {
        fputc('\n', out);
        bool complete = body_print(out, &section);
        sentence_print(out, &section);
        legend_print(out, &section, complete);
        layers_print(out, &section);
    }
    if (section.count > 0)
        remarks_print(out, &section);
    free(section.cases);
    free(section.rows);
}

void report_table(FILE *out, const json_t *result)
{
    if (strcmp(field_text(result, "kind"), "check") == 0) {
        check_report(out, result);
        return;
    }
    if (strcmp(field_text(result, "kind"), "evp") == 0) {
        evp_table_print(out, result);
        return;
    }
    heading_print(out, result);
    section_print(out, result, "handshake");
    section_print(out, result, "bulk");
}
