#ifndef CLIENT_REPORT_EVP_PARTS_H
#define CLIENT_REPORT_EVP_PARTS_H

#include "client/report/grid.h"

#include <jansson.h>
#include <stdio.h>

/* The pieces of the report of kind "evp". */

/* Heading, tables, legend and remarks of a whole document. */
void evp_table_print(FILE *out, const json_t *result);

/* One row of several figures: cases that differ in nothing but their size, or their column. */
struct evp_row {
    const json_t *first;  /* the row's names */
    const json_t **cells; /* one a column of the table; NULL: there is none */
};

/* What makes the columns of a table: the sizes, or the sets of CPU features. */
struct evp_axis {
    const char *field;     /* of a case: "size", "column" */
    const json_t **values; /* owned array of values of the document */
    size_t count;
};

/* The cases of a family that are not skipped, as rows over the values of `axis`; cases are of one
 * row when they agree in all other fields that name them. An owned array. */
struct evp_row *evp_rows_new(const json_t *result, const char *family, const struct evp_axis *axis,
                             size_t *count);
void evp_rows_free(struct evp_row *rows, size_t count);

struct evp_axis evp_axis_new(const json_t *result, const char *family, const char *field);
/* All of the document's columns, as the heading numbers them, also those where a family has no
 * case. */
struct evp_axis evp_axis_columns(const json_t *result);
void evp_axis_cleanup(struct evp_axis *axis);

/* The tables of the three ways to lay a family out. */
void evp_sizes_print(FILE *out, const json_t *result, const char *family, const char *title);
void evp_operations_print(FILE *out, const json_t *result, const char *family, const char *title);
void evp_columns_print(FILE *out, const json_t *result, const char *family, const char *title);

/* A figure with half its interval, "1203 ±1", what the status says where there is none, and a mark:
 * "r" a range, "!" wide interval, "#" a remark below. */
void evp_figure(char text[static GRID_CELL], const json_t *item, double scale);
/* "aes-128-cbc", with the backend in front where it is not EVP. */
void evp_name(char text[static GRID_CELL], const json_t *item);
void evp_size(char text[static GRID_CELL], const json_t *size);

/* Reasons, warnings and what the columns mean. */
void evp_remarks_print(FILE *out, const json_t *result);

#endif
