#ifndef CLIENT_RESULT_PARTS_H
#define CLIENT_RESULT_PARTS_H

#include "client/result.h"
#include "client/summary.h"

#include <jansson.h>

/* The pieces of the result document, for result.c alone. Each is a new value, the caller's; what is
 * not known is null, never 0. */

/* A number, or null where it is not known or not finite. */
json_t *result_number(bool known, double value);
/* A text, or null where there is none. */
json_t *result_text(const char *text);

json_t *result_parameters(const struct run_record *record);
json_t *result_environment(const struct run_record *record);

/* One of cases[]. `baseline` may be NULL. */
json_t *result_case(const struct run_record *record, const struct case_result *result,
                    const struct case_result *baseline);
json_t *result_rounds(const struct case_measurement *measurement);

/* {client, server, reason, hint}; null where the layers were not measured. `summary` is the case's.
 */
json_t *result_layers(const struct run_record *record, const struct case_result *result,
                      const struct case_summary *summary);

/* Percentiles of the unloaded connection; histograms of both, to be merged by whoever reads them.
 */
json_t *result_latency(const struct case_measurement *measurement);
json_t *result_histograms(const struct case_measurement *measurement);

/* differences[]: the largest of each measure. */
json_t *result_differences(const struct run_record *record);

/* {median, low, high, rounds, range}: range true where low and high are no 95 % interval. */
json_t *result_interval(const struct interval *interval);

#endif
