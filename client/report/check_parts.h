#ifndef CLIENT_REPORT_CHECK_PARTS_H
#define CLIENT_REPORT_CHECK_PARTS_H

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

/* The tables of a result of kind "check"; for table.c and the check_*.c files alone. */
void check_report(FILE *out, const json_t *result);

/* What is in force, and how many suites are usable. */
void check_heading_print(FILE *out, const json_t *subject);
/* Where the suites of a subject stand in suites[], which has those of one subject after the other;
 * zeroed before the first. */
struct check_range {
    size_t from, to; /* one behind the last */
};

/* Usable suites with their price; `range` goes on from the subject before. */
void check_suites_print(FILE *out, const json_t *result, const char *subject,
                        struct check_range *range);
/* Who gets what. */
void check_clients_print(FILE *out, const json_t *result, const char *subject);
/* The advised block. */
void check_advice_print(FILE *out, const json_t *subject);
/* What a live server takes. */
void check_scan_print(FILE *out, const json_t *scan);
/* What is wrong, worst first. */
void check_findings_print(FILE *out, const json_t *result);

#endif
