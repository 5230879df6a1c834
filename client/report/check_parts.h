#ifndef CLIENT_REPORT_CHECK_PARTS_H
#define CLIENT_REPORT_CHECK_PARTS_H

#include <jansson.h>
#include <stdio.h>

/* The tables of a result of kind "check"; for table.c and the check_*.c files alone. */
void check_report(FILE *out, const json_t *result);

/* What is in force, and how many suites are usable. */
void check_heading_print(FILE *out, const json_t *subject);
/* Usable suites with their price. */
void check_suites_print(FILE *out, const json_t *result, const char *subject);
/* Who gets what. */
void check_clients_print(FILE *out, const json_t *result, const char *subject);
/* The advised block. */
void check_advice_print(FILE *out, const json_t *subject);
/* What a live server takes. */
void check_scan_print(FILE *out, const json_t *scan);
/* What is wrong, worst first. */
void check_findings_print(FILE *out, const json_t *result);

#endif
