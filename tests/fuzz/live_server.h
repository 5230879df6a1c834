#ifndef TESTS_FUZZ_LIVE_SERVER_H
#define TESTS_FUZZ_LIVE_SERVER_H

#include "server/worker.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The server's session code, live, in this thread: a worker without a listener, and one client's
 * end of a socket pair. Its random bytes are the server's stream (fixed_random.h). */
struct live_server {
    struct identity identity;
    struct sni_plan sni;
    struct contexts contexts;
    struct worker_settings settings;
    struct stats_source stats;
    const struct worker_stats *worker_stats[1];
    struct cpu_list cpus;
    json_t *empty;
    unsigned char *ticket_keys;
    struct worker *worker;
    int fd;     /* the client's end; -1: none */
    bool reads; /* whether the client reads what comes */
    uint8_t answer[65536];
    size_t answer_length; /* what came in the last turns */
};

/* abort() when anything fails. */
void live_server_start(struct live_server *server);

/* A new connection; both random streams begin again. */
void live_server_dial(struct live_server *server);

/* Sends what the socket takes, and lets the server run until it has nothing more to do at once. */
void live_server_send(struct live_server *server, const uint8_t *bytes, size_t length);
void live_server_turn(struct live_server *server);

/* Hangs up. abort() if the session does not go away by itself. */
void live_server_hang_up(struct live_server *server);

uint64_t live_server_open_sessions(const struct live_server *server);

#endif
