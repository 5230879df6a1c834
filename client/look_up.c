#include "client/look_up.h"

#include "common/base/clock.h"
#include "common/base/memory.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* getaddrinfo(3) cannot be interrupted: it runs in a thread of its own, which is left behind when
 * nobody waits for it any more. Whoever lets go last frees the query. */
struct query {
    char *host;
    char port[8];
    int status;
    struct addrinfo *list;
    int done; /* eventfd */
    _Atomic int owners;
};

static const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_family = AF_UNSPEC};

static struct query *query_new(const char *host, unsigned port)
{
    struct query *query = memory_new(1, sizeof *query);
    query->host = memory_copy_text(host);
    query->done = eventfd(0, EFD_CLOEXEC);
    (void)snprintf(query->port, sizeof query->port, "%u", port);
    atomic_init(&query->owners, 2);
    return query;
}

static void query_release(struct query *query)
{
    if (atomic_fetch_sub(&query->owners, 1) > 1)
        return;
    if (query->list)
        freeaddrinfo(query->list);
    if (query->done >= 0)
        close(query->done);
    free(query->host);
    free(query);
}

static void *ask(void *argument)
{
    static const uint64_t one = 1;
    struct query *query = argument;
    query->status = getaddrinfo(query->host, query->port, &hints, &query->list);
    if (query->status != 0)
        query->list = NULL;
    (void)!write(query->done, &one, sizeof one);
    query_release(query);
    return NULL;
}

static bool start(struct query *query, struct error *err)
{
    pthread_t thread = {0};
    int error = query->done < 0 ? errno : pthread_create(&thread, NULL, ask, query);
    if (error == 0) {
        (void)pthread_detach(thread);
        return true;
    }
    atomic_store(&query->owners, 1);
    return error_set(err, "resolve: %s: %s", query->host, strerror(error));
}

static bool interrupted(struct interrupt *interrupt)
{
    if (interrupt)
        (void)interrupt_wait(interrupt, -1, 0);
    return interrupt && interrupt->count > 0;
}

/* False: a signal came first. */
static bool await(const struct query *query, struct interrupt *interrupt)
{
    uint64_t count;
    bool done = interrupt == NULL;
    while (!done && interrupt->count == 0)
        done = interrupt_wait(interrupt, query->done, clock_now_ns() + NS_PER_S);
    return done && read(query->done, &count, sizeof count) == sizeof count;
}

static bool finish(struct query *query, struct addrinfo **list, struct error *err)
{
    if (query->status != 0)
        return error_set(err, "resolve: %s: %s", query->host, gai_strerror(query->status));
    *list = query->list;
    query->list = NULL;
    return true;
}

/* A literal needs no name server and no thread. */
static bool is_literal(const struct query *query, struct addrinfo **list)
{
    struct addrinfo numeric = hints;
    numeric.ai_flags = AI_NUMERICHOST;
    return getaddrinfo(query->host, query->port, &numeric, list) == 0;
}

bool look_up(const char *host, unsigned port, struct interrupt *interrupt, struct addrinfo **list,
             struct error *err)
{
    if (interrupted(interrupt))
        return error_set(err, "interrupted");
    bool ok = true;
    struct query *query = query_new(host, port);
    if (is_literal(query, list))
        atomic_store(&query->owners, 1);
    else if (!start(query, err))
        ok = false;
    else if (await(query, interrupt))
        ok = finish(query, list, err);
    else
        ok = error_set(err, "interrupted");
    query_release(query);
    return ok;
}
