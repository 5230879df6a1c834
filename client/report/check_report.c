#include "client/report/check_parts.h"

#include "client/report/field.h"
#include "client/report/wrap.h"
#include "common/base/text.h"
#include "common/base/units.h"

#include <string.h>

static void print_first_line(FILE *out, const json_t *result)
{
    const json_t *host = json_array_get(field_at(result, "environment.hosts"), 0);
    struct text_buffer line = {0};
    double seconds = 0;
    char duration[UNITS_TEXT];

    text_buffer_add(&line, "check of %s", field_text(result, "parameters.source"));
    text_buffer_add(&line, ", with %s", field_text(host, "openssl"));
    if (field_number(result, "parameters.duration_s", &seconds))
        text_buffer_add(&line, ", %s", units_format_duration(duration, (uint64_t)(seconds * 1e9)));
    if (field_true(result, "interrupted"))
        text_buffer_add(&line, ", interrupted");
    wrap_print(out, text_buffer_text(&line), 2);
    text_buffer_cleanup(&line);
}

static void print_subject(FILE *out, const json_t *result, const json_t *subject,
                          struct check_range *range)
{
    fputc('\n', out);
    check_heading_print(out, subject);
    check_suites_print(out, result, field_text(subject, "name"), range);
    check_clients_print(out, result, field_text(subject, "name"));
    check_advice_print(out, subject);
}

void check_report(FILE *out, const json_t *result)
{
    const json_t *subjects = field_at(result, "subjects"), *subject;
    const json_t *scan = field_at(result, "scan");
    struct check_range range = {0, 0};
    size_t index;

    print_first_line(out, result);
    json_array_foreach(subjects, index, subject)
    {
        print_subject(out, result, subject, &range);
    }
    if (scan) {
        fputc('\n', out);
        check_scan_print(out, scan);
        check_clients_print(out, result, field_text(result, "parameters.source"));
    }
    fputc('\n', out);
    check_findings_print(out, result);
}
