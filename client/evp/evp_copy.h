#ifndef CLIENT_EVP_EVP_COPY_H
#define CLIENT_EVP_EVP_COPY_H

#include "client/evp/evp_measure.h"

/* Measures how often a second messages of each size of the plan can be copied in cache, and notes
 * it in the results of that size: nothing that reads and writes a message is faster. The same for
 * every thread. */
void evp_copy_measure(const struct evp_plan *plan, struct evp_result *results);

/* Whether a result is faster than the copy, which no honest one is: return values are the guard,
 * this is the alarm. */
bool evp_copy_is_beaten(const struct evp_result *result);

#endif
