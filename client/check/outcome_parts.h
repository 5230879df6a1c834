#ifndef CLIENT_CHECK_OUTCOME_PARTS_H
#define CLIENT_CHECK_OUTCOME_PARTS_H

#include "client/check/outcome.h"

/* The pieces of the document, for outcome.c alone. */

/* suites[]: a row for each suite and certificate. */
void outcome_add_suites(const struct subject_outcome *outcome, json_t *suites);
/* clients[]: a row for each profile. */
void outcome_add_clients(const struct client_outcome *clients, const char *subject, json_t *array);
/* A subject's advice, null where there is none. */
json_t *outcome_advice(const struct subject_outcome *outcome);
json_t *outcome_scan(const struct scan *scan);

#endif
