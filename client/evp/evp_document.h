#ifndef CLIENT_EVP_EVP_DOCUMENT_H
#define CLIENT_EVP_EVP_DOCUMENT_H

#include "client/evp/cpu_mask.h"
#include "client/evp/evp_measure.h"

#include <jansson.h>

/* The result of kind "evp" in the schema of every result (client/result.h). */
struct evp_record {
    const struct evp_plan *plan;
    const struct evp_result *results;
    const char *start_time; /* ISO 8601, UTC */
    uint64_t duration_ns;
    const char *column; /* label of the column that this process measured; NULL: all features */
    bool legacy, cycles, interrupted;
};

/* A new object. Cases: {id, family, algorithm, backend, shape, size, direction, threads, column,
 * status, reason, rate {unit, median, low, high, rounds, range}, rounds[] {count, wall_ns, cycles},
 * cycles_per_byte or cycles_per_operation, us_per_operation, check, copy_bytes_per_s, warning,
 * relative {to, ratio, unsure}}; what is not known is null. */
json_t *evp_document_new(const struct evp_record *record);

/* What OpenSSL saw of the CPU of a document's own column; borrowed, NULL: not told. */
json_t *evp_document_cpu_settings(const json_t *document);

/* Adds another column: the cases of a child's document, with how many times as fast the document's
 * own are (round by round, which are pairs), and its CPU as OpenSSL saw it. Both stay the caller's.
 */
void evp_document_add_column(json_t *document, const struct cpu_mask *mask, const json_t *child);

/* Adds a column that has no document: its cases have this status and reason, and no figures. */
void evp_document_add_lost(json_t *document, const struct cpu_mask *mask, enum evp_status status,
                           const char *reason);

#endif
