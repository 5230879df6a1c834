#include "client/report/report.h"

#include <string.h>

/* Nine digits carry more than any measurement here, and spare the reader 0.10000000000000001. */
#define STYLE (JSON_ENCODE_ANY | JSON_REAL_PRECISION(9))

/* A case a line: the document can be read, searched and compared by lines, and histograms do not
 * stretch it to a number a line. */
static void print_cases(FILE *out, const json_t *cases)
{
    const json_t *item;
    size_t index;

    fputc('[', out);
    json_array_foreach(cases, index, item)
    {
        fputs(index > 0 ? ",\n    " : "\n    ", out);
        json_dumpf(item, out, STYLE);
    }
    fputs("\n  ]", out);
}

void report_json(FILE *out, const json_t *result)
{
    const char *key, *separator = "";
    json_t *value;

    fputc('{', out);
    json_object_foreach((json_t *)result, key, value) /* jansson's iterator takes no const */
    {
        fprintf(out, "%s\n  \"%s\": ", separator, key); /* our own keys: nothing to escape */
        if (strcmp(key, "cases") == 0)
            print_cases(out, value);
        else
            json_dumpf(value, out, STYLE);
        separator = ",";
    }
    fputs("\n}\n", out);
}
