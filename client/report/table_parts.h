#ifndef CLIENT_REPORT_TABLE_PARTS_H
#define CLIENT_REPORT_TABLE_PARTS_H

#include "common/base/text.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The pieces of the table report, for table.c alone. */

/* One measure's cases. */
struct section {
    const json_t *result;
    const char *measure;
    bool layers;          /* the table of the layers under its figures */
    const json_t **cases; /* all of this measure, in the document's order */
    size_t count;
    const json_t **rows; /* those of them that were not skipped */
    size_t row_count;
};

bool section_has_figures(const json_t *item); /* a rate, so at least one finished round */

/* What was run, by what, against what, how. */
void heading_print(FILE *out, const json_t *result);
/* A host's library, CPU and so on in words, and a line behind a label at the left edge. */
void heading_describe_host(const json_t *host, struct text_buffer *line);
void heading_labelled(FILE *out, const char *label, const char *text);

/* Rows of figures under a two-line header; the title says what all rows have in common. Returns
 * false where a column was left out to fit. */
bool body_print(FILE *out, const struct section *section);

/* What the columns mean and what their marks say. */
void legend_print(FILE *out, const struct section *section, bool complete);
/* Cases without figures, or with something to know about them: a line each. */
void remarks_print(FILE *out, const struct section *section);
/* The largest difference between two rows, in one sentence. */
void sentence_print(FILE *out, const struct section *section);
/* Adds a field of a case as people say it, "TLS 1.3", "16k records"; `separator` stands before it
 * where there is text already. */
void sentence_add_value(struct text_buffer *text, const json_t *item, const char *name,
                        const char *separator);

/* The layers under a measure's figures: a table, where the cost is, what the columns mean. Nothing
 * where no row has any. */
void layers_print(FILE *out, const struct section *section);

#endif
