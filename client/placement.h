#ifndef CLIENT_PLACEMENT_H
#define CLIENT_PLACEMENT_H

#include "client/load.h"
#include "common/base/error.h"
#include "common/base/host.h"

#include <jansson.h>
#include <stdbool.h>

/* Which CPU runs what. */
struct placement {
    struct cpu_list server;  /* of an embedded server; empty: not pinned */
    struct cpu_list client;  /* of the client's threads; empty: not pinned */
    struct cpu_list all;     /* everything that is pinned, both sides, without duplicates */
    struct cpu_list allowed; /* where what is not pinned may run */
    bool siblings;           /* the two sides share a physical core (SMT) */
    bool shared;             /* the embedded server may run on the client's CPUs */
};

/* Pure: `pin` is "auto", "none" or a list of the client's CPUs ("0,2-3"). With an embedded server
 * "auto" gives each side its own physical cores where there are enough, and otherwise pins nothing.
 * Fills load->pins. */
bool placement_choose(const char *pin, const struct cpu_list *allowed, bool embedded,
                      struct load_settings *load, struct placement *placement,
                      struct error *err) MUST_CHECK;

/* Whether the server keeps off the client's CPUs for certain; `configuration` is what
 * suitemark-server tells of itself in /stats, NULL: a stranger. */
bool placement_is_apart(const struct placement *placement, const json_t *configuration);

#endif
