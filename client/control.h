#ifndef CLIENT_CONTROL_H
#define CLIENT_CONTROL_H

#include "client/link.h"
#include "common/base/error.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/* The one keep-alive connection over which suitemark-server reports its side (GET /stats); the
 * server counts it apart. Only a server that selected ALPN suitemark/1 is ever asked. */

#define SNAPSHOT_THREADS_MAX 1024

/* The server's counters at one moment of its own clock. */
struct server_snapshot {
    uint64_t clock_ns, cpu_ns, user_ns, system_ns, steal_ns;
    uint64_t accepted, open, finished, resumed;
    uint64_t payload_in, payload_out;
    size_t threads;
    uint64_t thread_cpu_ns[SNAPSHOT_THREADS_MAX];
};

struct control {
    struct link link;
    struct link_settings settings; /* to open it again */
    char host[280];
    uint64_t timeout_ns;
    uint64_t quiet_ns; /* it must be used that often, or the server ends it as idle */
    char *buffer;      /* head and body of an answer */
};

/* Whether the peer of this handshake is suitemark-server: it selected our protocol. */
bool control_selected(const SSL *ssl);

/* Takes over the link (also when it fails), which was opened with these settings: the texts and the
 * address in them must outlive it, the context is shared. */
bool control_init(struct control *control, struct link link, const struct link_settings *settings,
                  const char *host, struct error *err) MUST_CHECK;

/* Opens the connection again after it was lost, as to a server that was started anew. */
bool control_reopen(struct control *control, struct error *err) MUST_CHECK;
void control_cleanup(struct control *control);

/* The whole /stats document: a new object, NULL on failure. */
json_t *control_stats(struct control *control, struct error *err) MUST_CHECK;
bool control_snapshot(struct control *control, struct server_snapshot *snapshot,
                      struct error *err) MUST_CHECK;

/* Pure: how long the connection to the server of this /stats document may stay quiet. */
uint64_t control_quiet_ns(const json_t *stats);

/* Pure: reads the numbers of a /stats document; a missing one is an error that names it. */
bool control_read_snapshot(const json_t *stats, struct server_snapshot *snapshot,
                           struct error *err) MUST_CHECK;

#endif
