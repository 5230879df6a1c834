#include "server/server.h"

#include "common/base/clock.h"
#include "common/base/memory.h"
#include "server/configuration.h"
#include "server/contexts.h"
#include "server/listener.h"
#include "server/stats.h"
#include "server/worker.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define DOZE_AFTER     NS_PER_S /* a quiet connection gives its TLS buffers back */
#define LINGER_AT_MOST (2 * NS_PER_S)

struct bound_address {
    struct sockaddr_storage socket;
    socklen_t length;
    char text[LISTEN_ADDRESS_TEXT];
};

struct server {
    const struct server_config *config;
    struct bound_address *addresses;
    size_t address_count;

    struct contexts **contexts; /* by worker; one for all when they share a session cache */
    size_t context_count;
    struct worker **workers;
    pthread_t *threads;
    size_t worker_count, running;
    size_t done; /* threads that are known to have ended */

    struct worker_settings settings;
    _Atomic uint64_t connections;
    struct stats_source stats;
    const struct worker_stats **worker_stats;
    json_t *configuration, *environment;
};

static bool resolve_addresses(struct server *server, struct error *err)
{
    const struct server_config *config = server->config;
    server->addresses = memory_new(config->address_count, sizeof *server->addresses);
    for (size_t i = 0; i < config->address_count; i++) {
        struct bound_address *address = &server->addresses[i];
        if (!listen_address_resolve(&config->addresses[i], &address->socket, &address->length, err))
            return false;
        server->address_count++;
    }
    return true;
}

/* Two threads that share an SSL_CTX do 13 to 19 % fewer handshakes, so each has its own; but a
 * session of the cache must be found from any of them. */
static bool make_contexts(struct server *server, struct error *err)
{
    const struct server_config *config = server->config;
    const size_t count = config->tls.session_cache ? 1 : config->threads;
    server->contexts = memory_new(count, sizeof(struct contexts *));
    for (size_t i = 0; i < count; i++) {
        server->contexts[i] = memory_new(1, sizeof(struct contexts));
        server->context_count++;
        if (!contexts_init(server->contexts[i], &config->tls, config->identities.items,
                           config->identities.count, &config->sni, err))
            return false;
    }
    return true;
}

static void init_settings(struct server *server)
{
    const struct server_config *config = server->config;
    const uint64_t idle = config->idle_timeout_ns;
    server->settings = (struct worker_settings){
        .timeout_ns = {[QUEUE_HANDSHAKE] = config->handshake_timeout_ns,
                       [QUEUE_ACTIVE] = idle < DOZE_AFTER ? idle : DOZE_AFTER,
                       [QUEUE_DOZING] = idle,
                       [QUEUE_CLOSING] = LINGER_AT_MOST},
        .max_connections = config->max_connections,
        .connections = &server->connections,
        .stats = &server->stats,
        .done_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC),
    };
}

static void init_stats(struct server *server, const struct library_facts *facts)
{
    const struct server_config *config = server->config;
    server->configuration = configuration_json(config, facts);
    server->environment = configuration_environment_json();
    server->worker_stats = memory_new(config->threads, sizeof(struct worker_stats *));
    for (size_t i = 0; i < server->worker_count; i++)
        server->worker_stats[i] = &server->workers[i]->stats;
    server->stats = (struct stats_source){
        .workers = server->worker_stats,
        .worker_count = server->worker_count,
        .cpus = &config->cpus,
        .identities = config->identities.items,
        .identity_count = config->identities.count,
        .configuration = server->configuration,
        .environment = server->environment,
    };
}

/* A socket on each address for one worker. */
static bool open_sockets(struct server *server, int *sockets, size_t *opened, struct error *err)
{
    const bool first = server->worker_count == 0;
    for (*opened = 0; *opened < server->address_count; (*opened)++) {
        struct bound_address *address = &server->addresses[*opened];
        sockets[*opened] = listener_open(&address->socket, address->length, first, err);
        (void)listen_address_format(address->text, &address->socket);
        if (sockets[*opened] < 0)
            return error_prefix(err, "%s", address->text);
    }
    return true;
}

static bool add_worker(struct server *server, struct error *err)
{
    const size_t index = server->worker_count;
    const struct contexts *contexts = server->contexts[index % server->context_count];
    int *sockets = memory_new(server->address_count, sizeof *sockets);
    size_t opened;
    if (open_sockets(server, sockets, &opened, err)) {
        server->workers[index] = worker_new(&server->settings, contexts, sockets, opened, err);
        server->worker_count += server->workers[index] != NULL;
    } else {
        for (size_t i = 0; i < opened; i++)
            (void)close(sockets[i]);
    }
    free(sockets);
    return server->worker_count > index;
}

static bool add_workers(struct server *server, struct error *err)
{
    const size_t count = server->config->threads;
    server->workers = memory_new(count, sizeof(struct worker *));
    server->threads = memory_new(count, sizeof *server->threads);
    while (server->worker_count < count) {
        if (!add_worker(server, err))
            return false;
    }
    return true;
}

struct server *server_new(const struct server_config *config, const struct library_facts *facts,
                          struct error *err)
{
    struct server *server = memory_new(1, sizeof *server);
    server->config = config;
    init_settings(server);
    if (server->settings.done_fd < 0)
        (void)error_set(err, "no eventfd");
    else if (resolve_addresses(server, err) && make_contexts(server, err) &&
             add_workers(server, err)) {
        init_stats(server, facts);
        return server;
    }
    server_free(server);
    return NULL;
}

void server_free(struct server *server)
{
    if (server == NULL)
        return;
    server_quit(server);
    for (size_t i = 0; i < server->running; i++)
        (void)pthread_join(server->threads[i], NULL);
    for (size_t i = 0; i < server->worker_count; i++)
        worker_free(server->workers[i]);
    for (size_t i = 0; i < server->context_count; i++) {
        contexts_cleanup(server->contexts[i]);
        free(server->contexts[i]);
    }
    if (server->settings.done_fd >= 0)
        (void)close(server->settings.done_fd);
    json_decref(server->configuration);
    json_decref(server->environment);
    free(server->worker_stats);
    free(server->contexts);
    free(server->workers);
    free(server->threads);
    free(server->addresses);
    free(server);
}

size_t server_address_count(const struct server *server)
{
    return server->address_count;
}

const char *server_address(const struct server *server, size_t index)
{
    return server->addresses[index].text;
}

/* Bound to its CPU before it runs: a thread that is not where --pin says does not start. */
static int start_thread(struct server *server, size_t index)
{
    const struct server_config *config = server->config;
    pthread_attr_t attributes;
    cpu_set_t cpu;
    int error = pthread_attr_init(&attributes);
    if (error != 0)
        return error;
    CPU_ZERO(&cpu);
    CPU_SET(config->cpus.cpus[index % config->cpus.count], &cpu);
    if (config->pinned)
        error = pthread_attr_setaffinity_np(&attributes, sizeof cpu, &cpu);
    if (error == 0)
        error = pthread_create(&server->threads[index], &attributes, worker_run,
                               server->workers[index]);
    (void)pthread_attr_destroy(&attributes);
    return error;
}

bool server_start(struct server *server, struct error *err)
{
    for (; server->running < server->worker_count; server->running++) {
        const int error = start_thread(server, server->running);
        if (error != 0)
            return error_set(err, "worker thread %zu: %s", server->running + 1, strerror(error));
    }
    return true;
}

static void order_all(struct server *server, enum worker_order order)
{
    for (size_t i = 0; i < server->running; i++)
        worker_order(server->workers[i], order);
}

void server_drain(struct server *server)
{
    order_all(server, WORKER_DRAIN);
}

void server_quit(struct server *server)
{
    order_all(server, WORKER_QUIT);
}

int server_done_fd(const struct server *server)
{
    return server->settings.done_fd;
}

bool server_is_done(struct server *server)
{
    uint64_t ended = 0;
    if (read(server->settings.done_fd, &ended, sizeof ended) == sizeof ended)
        server->done += (size_t)ended;
    return server->done >= server->running;
}
