#include "tests/fuzz/live_server.h"

#include "certs/issue.h"
#include "common/tls/library.h"
#include "server/session.h"
#include "tests/fuzz/fixed_random.h"

#include <openssl/rand.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define TURNS_MAX 64 /* a session that runs longer without new bytes from the client hangs */

static void must(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "live server: %s\n", what);
    abort();
}

static void make_contexts(struct live_server *server)
{
    const struct certificate_kind *kind = kind_find("ecdsa-p256");
    const size_t length = tls_ticket_keys_length();
    server->ticket_keys = malloc(length);
    must(server->ticket_keys != NULL && RAND_bytes(server->ticket_keys, (int)length) == 1, "keys");
    const struct tls_settings settings = {
        .role = TLS_SERVER,
        .groups = "X25519:P-256",
        .tickets = 1,
        .ticket_keys = server->ticket_keys,
        .ticket_keys_length = length,
        .alpn = TLS_ALPN_CONTROL "," TLS_ALPN_HTTP,
        .read_ahead = true,
    };
    struct error err;
    must(issue_identities(NULL, &kind, 1, &server->identity, NULL, NULL, NULL, &err), "identity");
    must(sni_plan_build(&server->identity, 1, 0, &server->sni, &err), "names");
    must(contexts_init(&server->contexts, &settings, &server->identity, 1, &server->sni, &err),
         err.text);
}

void live_server_start(struct live_server *server)
{
    *server = (struct live_server){.fd = -1};
    (void)signal(SIGPIPE, SIG_IGN);
    must(library_init(false, NULL), "library");
    fixed_random_install();
    make_contexts(server);
    for (int i = 0; i < QUEUE_COUNT; i++)
        server->settings.timeout_ns[i] = UINT64_MAX;
    server->settings.stats = &server->stats;
    server->settings.done_fd = -1;
    server->worker = worker_new(&server->settings, &server->contexts, NULL, 0, NULL);
    must(server->worker != NULL, "worker");
    server->empty = json_object();
    server->worker_stats[0] = &server->worker->stats;
    server->stats = (struct stats_source){.workers = server->worker_stats,
                                          .worker_count = 1,
                                          .cpus = &server->cpus,
                                          .identities = &server->identity,
                                          .identity_count = 1,
                                          .configuration = server->empty,
                                          .environment = server->empty};
}

void live_server_dial(struct live_server *server)
{
    int pair[2];
    fixed_random_restart();
    must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) == 0, "socketpair");
    server->fd = pair[0];
    server->reads = true;
    fixed_random_use(RANDOM_SERVER);
    session_start(server->worker, pair[1]);
    fixed_random_use(RANDOM_CLIENT);
}

uint64_t live_server_open_sessions(const struct live_server *server)
{
    return counter_read(&server->worker->stats.accepted) -
           counter_read(&server->worker->stats.closed);
}

/* True while something comes. */
static bool listen_once(struct live_server *server)
{
    uint8_t *at = server->answer + server->answer_length;
    const size_t room = sizeof server->answer - server->answer_length;
    const ssize_t got = server->reads && server->fd >= 0 ? recv(server->fd, at, room, 0) : 0;
    if (got <= 0)
        return false;
    server->answer_length += (size_t)got;
    if (server->answer_length == sizeof server->answer)
        server->answer_length = 0; /* nobody needs that much of it */
    return true;
}

static void run_once(struct live_server *server)
{
    fixed_random_use(RANDOM_SERVER);
    must(event_base_loop(server->worker->base, EVLOOP_NONBLOCK) >= 0, "event loop");
    fixed_random_use(RANDOM_CLIENT);
}

void live_server_turn(struct live_server *server)
{
    server->answer_length = 0;
    run_once(server);
    for (int i = 0; i < TURNS_MAX && listen_once(server); i++)
        run_once(server);
}

void live_server_send(struct live_server *server, const uint8_t *bytes, size_t length)
{
    if (server->fd >= 0 && length > 0)
        (void)send(server->fd, bytes, length, MSG_NOSIGNAL);
}

void live_server_hang_up(struct live_server *server)
{
    if (server->fd >= 0)
        (void)close(server->fd);
    server->fd = -1;
    for (int i = 0; i < TURNS_MAX && live_server_open_sessions(server) > 0; i++)
        run_once(server);
    must(live_server_open_sessions(server) == 0, "a session outlives its client");
}
