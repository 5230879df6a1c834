#include "server/listener.h"

#include "server/session.h"
#include "server/worker.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BACKLOG        4096 /* the kernel cuts it to net.core.somaxconn */
#define ACCEPTS_A_TURN 64
#define PAUSE_US       100000 /* without descriptors or memory */

static bool set_option(int fd, int level, int name)
{
    const int on = 1;
    return setsockopt(fd, level, name, &on, sizeof on) == 0;
}

/* Fails with EADDRINUSE where anybody listens: without SO_REUSEPORT no address is shared. */
static bool is_free(const struct sockaddr_storage *address, socklen_t length)
{
    const int fd = socket(address->ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return false;
    const bool is_v6 = address->ss_family == AF_INET6;
    const bool good = set_option(fd, SOL_SOCKET, SO_REUSEADDR) &&
                      (!is_v6 || set_option(fd, IPPROTO_IPV6, IPV6_V6ONLY)) &&
                      bind(fd, (const struct sockaddr *)address, length) == 0;
    const int error = errno;
    (void)close(fd);
    errno = error;
    return good;
}

static bool has_port(const struct sockaddr_storage *address)
{
    return address->ss_family == AF_INET6 ? ((const struct sockaddr_in6 *)address)->sin6_port != 0
                                          : ((const struct sockaddr_in *)address)->sin_port != 0;
}

int listener_open(struct sockaddr_storage *address, socklen_t length, bool first, struct error *err)
{
    int fd = -1;
    const bool is_v6 = address->ss_family == AF_INET6;
    if (first && has_port(address) && !is_free(address, length))
        goto failed;
    fd = socket(address->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0 || !set_option(fd, SOL_SOCKET, SO_REUSEADDR) ||
        !set_option(fd, SOL_SOCKET, SO_REUSEPORT) ||
        !set_option(fd, IPPROTO_TCP, TCP_NODELAY) /* accepted sockets inherit it */ ||
        (is_v6 && !set_option(fd, IPPROTO_IPV6, IPV6_V6ONLY)) ||
        bind(fd, (struct sockaddr *)address, length) != 0 || listen(fd, BACKLOG) != 0 ||
        getsockname(fd, (struct sockaddr *)address, &length) != 0)
        goto failed;
    return fd;

failed:
    (void)error_set(err, "%s", strerror(errno));
    if (fd >= 0)
        (void)close(fd);
    return -1;
}

static void pause_accepting(struct listener *listener)
{
    const struct timeval pause = {.tv_usec = PAUSE_US};
    (void)event_del(&listener->acceptable);
    (void)event_add(&listener->resume, &pause);
}

/* Whether another connection may wait; false also when the listener pauses. */
static bool accept_one(struct listener *listener)
{
    const int fd = accept4(listener->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0) {
        session_start(listener->worker, fd);
        return true;
    }
    switch (errno) {
    case EAGAIN:
        return false;
    case EMFILE:
    case ENFILE:
    case ENOBUFS:
    case ENOMEM:
        /* The connection stays in the kernel's queue; without a pause the socket would wake us at
         * once, again and again. */
        pause_accepting(listener);
        return false;
    default: /* an error of that connection (accept(2)): it is gone, the next may be good */
        return true;
    }
}

static void accept_turn(struct listener *listener)
{
    for (int i = 0; i < ACCEPTS_A_TURN && accept_one(listener); i++)
        continue;
}

static void on_acceptable(evutil_socket_t fd, short what, void *argument)
{
    (void)fd;
    (void)what;
    accept_turn(argument);
}

static void on_resume(evutil_socket_t fd, short what, void *argument)
{
    struct listener *listener = argument;
    (void)fd;
    (void)what;
    (void)event_add(&listener->acceptable, NULL);
}

bool listener_start(struct listener *listener, struct worker *worker, int fd, struct error *err)
{
    *listener = (struct listener){.worker = worker, .fd = fd};
    if (event_assign(&listener->acceptable, worker->base, fd, EV_READ | EV_PERSIST, on_acceptable,
                     listener) != 0 ||
        evtimer_assign(&listener->resume, worker->base, on_resume, listener) != 0 ||
        event_add(&listener->acceptable, NULL) != 0)
        return error_set(err, "the event loop takes no listening socket");
    return true;
}

void listener_stop(struct listener *listener)
{
    if (listener->fd < 0)
        return;
    /* Closing resets what is still queued: those clients connected before we stopped. */
    accept_turn(listener);
    (void)event_del(&listener->acceptable);
    (void)event_del(&listener->resume);
    (void)close(listener->fd);
    listener->fd = -1;
}
