#ifndef CLIENT_VERDICT_H
#define CLIENT_VERDICT_H

#include "client/summary.h"

#define VERDICT_REASON 256

/* The status of a case, and in one line why it is not `measured`, or which failures it tolerates
 * ("" where there is nothing to say). `rounds` is how many were planned. Pure. */
enum case_status verdict_of(const struct case_result *result, unsigned rounds,
                            char reason[static VERDICT_REASON]);

/* Whether a case of this status has figures at all. */
bool verdict_has_figures(enum case_status status);

#endif
