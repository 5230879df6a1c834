#ifndef CLIENT_EVP_EVP_CHILD_H
#define CLIENT_EVP_EVP_CHILD_H

#include "client/evp/cpu_mask.h"
#include "client/interrupt.h"

#include <jansson.h>

/* Measures the same plan in a process of its own that does not see the mask's features, and gives
 * its document, the caller's; NULL after a failure. argv is this program's, behind the subcommand's
 * name; `seed` makes the order the same. A signal is passed on, so that what the child has
 * finished is kept. */
json_t *evp_child_measure(const struct cpu_mask *mask, char **argv, int argc, uint64_t seed,
                          struct interrupt *interrupt, struct error *err);

#endif
