#include "client/look_up.h"

#include "common/base/clock.h"
#include "common/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOOK_NS (50 * NS_PER_MS) /* how often a signal is looked for */

/* What getaddrinfo_a(3) works on, in a thread of its own. */
struct query {
    struct gaicb request;
    struct addrinfo hints;
    char *host;
    char port[8];
};

static struct query *query_new(const char *host, unsigned port)
{
    struct query *query = memory_new(1, sizeof *query);
    query->hints = (struct addrinfo){.ai_socktype = SOCK_STREAM, .ai_family = AF_UNSPEC};
    query->host = memory_copy_text(host);
    (void)snprintf(query->port, sizeof query->port, "%u", port);
    query->request.ar_name = query->host;
    query->request.ar_service = query->port;
    query->request.ar_request = &query->hints;
    return query;
}

static void query_free(struct query *query)
{
    free(query->host);
    free(query);
}

static bool interrupted(struct interrupt *interrupt)
{
    if (interrupt)
        (void)interrupt_wait(interrupt, -1, 0);
    return interrupt && interrupt->count > 0;
}

/* One that cannot be cancelled any more stays the library's, and is never freed. */
static bool abandon(struct query *query, struct error *err)
{
    if (gai_cancel(&query->request) == EAI_CANCELED)
        query_free(query);
    return error_set(err, "interrupted");
}

bool look_up(const char *host, unsigned port, struct interrupt *interrupt, struct addrinfo **list,
             struct error *err)
{
    if (interrupted(interrupt))
        return error_set(err, "interrupted");
    struct query *query = query_new(host, port);
    struct gaicb *requests[] = {&query->request};
    const struct gaicb *waited[] = {&query->request};
    const struct timespec look = {0, LOOK_NS};
    int status = getaddrinfo_a(GAI_NOWAIT, requests, 1, NULL);
    while (status == 0 && gai_error(&query->request) == EAI_INPROGRESS) {
        if (interrupted(interrupt))
            return abandon(query, err);
        (void)gai_suspend(waited, 1, &look);
    }
    if (status == 0)
        status = gai_error(&query->request);
    *list = query->request.ar_result;
    query_free(query);
    return status == 0 || error_set(err, "resolve: %s: %s", host, gai_strerror(status));
}
