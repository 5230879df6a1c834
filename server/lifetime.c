#include "server/lifetime.h"

#include "common/base/event_loop.h"
#include "common/base/memory.h"

#include <errno.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define DRAIN_S 10

struct lifetime {
    struct server *server;
    struct event_base *base;
    struct event terminate, interrupt, done, input, deadline;
    bool exit_with_stdin, watches_input;
    bool draining, cut_short;
};

static void drain(struct lifetime *lifetime)
{
    const struct timeval deadline = {.tv_sec = DRAIN_S};
    if (lifetime->draining)
        return;
    lifetime->draining = true;
    if (lifetime->watches_input)
        (void)event_del(&lifetime->input);
    (void)evtimer_add(&lifetime->deadline, &deadline);
    server_drain(lifetime->server);
}

static void on_signal(evutil_socket_t number, short what, void *argument)
{
    struct lifetime *lifetime = argument;
    (void)number;
    (void)what;
    if (!lifetime->draining) {
        drain(lifetime);
        return;
    }
    lifetime->cut_short = true;
    server_quit(lifetime->server);
}

static void on_deadline(evutil_socket_t fd, short what, void *argument)
{
    const struct lifetime *lifetime = argument;
    (void)fd;
    (void)what;
    server_quit(lifetime->server);
}

static void on_done(evutil_socket_t fd, short what, void *argument)
{
    const struct lifetime *lifetime = argument;
    (void)fd;
    (void)what;
    if (server_is_done(lifetime->server))
        (void)event_base_loopbreak(lifetime->base);
}

static void on_input(evutil_socket_t fd, short what, void *argument)
{
    char ignored[256];
    (void)what;
    const ssize_t got = read(fd, ignored, sizeof ignored);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
        drain(argument);
}

/* A file or /dev/null cannot be waited for, and is at its end as good as now. */
static bool can_wait_for_input(void)
{
    struct stat status;
    return isatty(STDIN_FILENO) == 1 || (fstat(STDIN_FILENO, &status) == 0 &&
                                         (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)));
}

static void watch_input(struct lifetime *lifetime)
{
    lifetime->watches_input = can_wait_for_input() &&
                              event_assign(&lifetime->input, lifetime->base, STDIN_FILENO,
                                           EV_READ | EV_PERSIST, on_input, lifetime) == 0 &&
                              event_add(&lifetime->input, NULL) == 0;
    if (!lifetime->watches_input)
        drain(lifetime);
}

static bool add_events(struct lifetime *lifetime)
{
    struct event_base *base = lifetime->base;
    return evsignal_assign(&lifetime->terminate, base, SIGTERM, on_signal, lifetime) == 0 &&
           evsignal_assign(&lifetime->interrupt, base, SIGINT, on_signal, lifetime) == 0 &&
           event_assign(&lifetime->done, base, server_done_fd(lifetime->server),
                        EV_READ | EV_PERSIST, on_done, lifetime) == 0 &&
           evtimer_assign(&lifetime->deadline, base, on_deadline, lifetime) == 0 &&
           event_add(&lifetime->terminate, NULL) == 0 &&
           event_add(&lifetime->interrupt, NULL) == 0 && event_add(&lifetime->done, NULL) == 0;
}

static void block_signals(int how)
{
    sigset_t set;
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGTERM);
    (void)sigaddset(&set, SIGINT);
    (void)pthread_sigmask(how, &set, NULL);
}

struct lifetime *lifetime_new(struct server *server, bool exit_with_stdin, struct error *err)
{
    struct lifetime *lifetime = memory_new(1, sizeof *lifetime);
    lifetime->server = server;
    lifetime->exit_with_stdin = exit_with_stdin;
    lifetime->base = event_loop_new(err);
    if (lifetime->base != NULL && add_events(lifetime)) {
        block_signals(SIG_BLOCK);
        return lifetime;
    }
    (void)(lifetime->base ? error_set(err, "cannot make the events of signals")
                          : error_prefix(err, "signals"));
    lifetime_free(lifetime);
    return NULL;
}

void lifetime_free(struct lifetime *lifetime)
{
    if (lifetime == NULL)
        return;
    if (lifetime->base != NULL)
        event_base_free(lifetime->base);
    free(lifetime);
}

bool lifetime_run(struct lifetime *lifetime)
{
    block_signals(SIG_UNBLOCK); /* in this thread only: the workers never see one */
    if (lifetime->exit_with_stdin)
        watch_input(lifetime);
    (void)event_base_dispatch(lifetime->base);
    return !lifetime->cut_short;
}
