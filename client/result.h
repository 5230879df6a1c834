#ifndef CLIENT_RESULT_H
#define CLIENT_RESULT_H

#include "client/measurement.h"
#include "client/plan.h"
#include "client/processes.h"

#include <jansson.h>
#include <stdbool.h>

/* All that a run produced; what the JSON document is made of. */
struct run_record {
    const struct plan *plan;
    const struct case_result *results; /* plan->count of them */
    /* hosts[] entry: host_facts and library_json of this process */
    const json_t *client_environment;
    const json_t *server_environment; /* as the server reports it; NULL: not known */
    const char *target;               /* "embedded server", "host:port", the URL */
    const char *address;              /* "127.0.0.1:40123" */
    const char *start_time;           /* ISO 8601, UTC */
    uint64_t duration_ns;             /* of the whole run */
    const char *baseline;             /* id from --baseline; NULL: first row of each table */
    bool embedded;
    bool siblings;  /* client and server share one physical core (SMT) */
    bool same_core; /* an embedded server may run on the client's CPUs */
    bool apart;     /* a target on this host keeps off them for certain */
    bool interrupted;
    const char *server_name;           /* SNI */
    const struct processes *processes; /* of --server-pid; NULL: none */
};

/* The document of schema "suitemark-result/1", kind "run": a new object. Reports read only this. */
json_t *result_new(const struct run_record *record);

/* Exit status of a run that ended with this document: 0 all measured, 1 some case partial, failed
 * or nothing confirmed (also when every case was skipped), 3 interrupted. */
int result_exit_status(const json_t *result);

#endif
