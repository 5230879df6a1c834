#include "tests/bench/floor_tcp.h"

#include "common/base/clock.h"
#include "common/base/cpu_clock.h"
#include "common/base/host.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define IN_FLIGHT  16
#define FLIGHT_MAX 16384
#define EVENTS     32
#define PEERS      64    /* of the server: those in flight, and those whose close it has not seen */
#define STALL_MS   10000 /* without any event: something is wrong */

struct peer {
    int fd;
    size_t expected; /* bytes of the flight that is to come */
    bool last;       /* it is the last one */
};

struct side {
    const struct flights *flights;
    struct sockaddr_in address;
    int poll, listener, cpu;
    uint64_t connections, begun, ended;
    uint64_t cpu_ns;
    struct peer peers[PEERS];
    struct error error;
};

static const char bytes[FLIGHT_MAX];

static bool sends(int fd, size_t length)
{
    return send(fd, bytes, length, MSG_NOSIGNAL) == (ssize_t)length;
}

static bool watch(struct side *side, int fd, struct peer *peer)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = peer};
    const int on = 1;
    return setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0 &&
           epoll_ctl(side->poll, EPOLL_CTL_ADD, fd, &event) == 0;
}

/* --- the client --- */

static bool dial(struct side *side, struct peer *peer)
{
    const struct sockaddr *address = (const struct sockaddr *)&side->address;
    *peer = (struct peer){.expected = side->flights->answer};
    peer->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    side->begun++;
    return peer->fd >= 0 && connect(peer->fd, address, sizeof side->address) == 0 &&
           watch(side, peer->fd, peer) && sends(peer->fd, side->flights->hello);
}

static bool hang_up(struct side *side, struct peer *peer)
{
    static const struct linger none = {.l_onoff = 1};
    const bool good = setsockopt(peer->fd, SOL_SOCKET, SO_LINGER, &none, sizeof none) == 0 &&
                      close(peer->fd) == 0;
    peer->fd = -1;
    side->ended++;
    return good && (side->begun == side->connections || dial(side, peer));
}

static bool client_step(struct side *side, struct peer *peer)
{
    char buffer[FLIGHT_MAX];
    const ssize_t got = recv(peer->fd, buffer, sizeof buffer, MSG_DONTWAIT);
    if (got == 0 && peer->last && peer->expected == 0)
        return hang_up(side, peer);
    if (got <= 0 || (size_t)got > peer->expected)
        return got < 0 && errno == EAGAIN;
    peer->expected -= (size_t)got;
    if (peer->expected > 0)
        return true;
    if (peer->last) /* the end of stream is often here already */
        return client_step(side, peer);
    peer->last = true;
    peer->expected = side->flights->close;
    return sends(peer->fd, side->flights->finished) && sends(peer->fd, side->flights->close);
}

/* --- the server --- */

static bool take(struct side *side)
{
    const int fd = accept4(side->listener, NULL, NULL, SOCK_CLOEXEC);
    struct peer *peer = side->peers;
    if (fd < 0)
        return errno == EAGAIN;
    while (peer < side->peers + PEERS && peer->fd >= 0)
        peer++;
    if (peer == side->peers + PEERS)
        return false;
    *peer = (struct peer){.fd = fd, .expected = side->flights->hello};
    return watch(side, fd, peer);
}

static bool server_step(struct side *side, struct peer *peer)
{
    char buffer[FLIGHT_MAX];
    if (peer == NULL)
        return take(side);
    const ssize_t got = recv(peer->fd, buffer, sizeof buffer, MSG_DONTWAIT);
    if (got <= 0 || (size_t)got > peer->expected)
        return got < 0 && errno == EAGAIN;
    peer->expected -= (size_t)got;
    if (peer->expected > 0)
        return true;
    if (!peer->last) {
        peer->last = true;
        peer->expected = side->flights->finished + side->flights->close;
        return sends(peer->fd, side->flights->answer);
    }
    const bool good = sends(peer->fd, side->flights->close) && close(peer->fd) == 0;
    peer->fd = -1;
    side->ended++;
    return good;
}

/* --- both --- */

static bool run(struct side *side, bool (*step)(struct side *side, struct peer *peer))
{
    struct epoll_event events[EVENTS];
    while (side->ended < side->connections) {
        const int count = epoll_wait(side->poll, events, EVENTS, STALL_MS);
        if (count == 0)
            return error_set(&side->error, "plain TCP stalls");
        for (int i = 0; i < count; i++) {
            if (!step(side, events[i].data.ptr))
                return error_set(&side->error, "plain TCP: %s", strerror(errno));
        }
    }
    return true;
}

static void *client(void *argument)
{
    struct side *side = argument;
    clockid_t clock;
    if (!host_pin_thread(side->cpu, &side->error) ||
        !cpu_clock_of_thread(pthread_self(), &clock, &side->error))
        return NULL;
    const uint64_t begin = cpu_clock_read_ns(clock);
    for (int i = 0; i < IN_FLIGHT && side->begun < side->connections; i++) {
        if (!dial(side, &side->peers[i])) {
            (void)error_set(&side->error, "plain TCP: %s", strerror(errno));
            return NULL;
        }
    }
    (void)run(side, client_step);
    side->cpu_ns = cpu_clock_read_ns(clock) - begin;
    return NULL;
}

static bool serve(struct side *side, struct error *err)
{
    clockid_t clock;
    if (!host_pin_thread(side->cpu, err) || !cpu_clock_of_thread(pthread_self(), &clock, err))
        return false;
    const uint64_t begin = cpu_clock_read_ns(clock);
    const bool good = run(side, server_step);
    side->cpu_ns = cpu_clock_read_ns(clock) - begin;
    return good || error_set(err, "server: %s", side->error.text);
}

static bool open_side(struct side *side)
{
    for (int i = 0; i < PEERS; i++)
        side->peers[i].fd = -1;
    side->listener = -1;
    side->poll = epoll_create1(EPOLL_CLOEXEC);
    return side->poll >= 0;
}

static bool open_listener(struct side *side)
{
    struct epoll_event event = {.events = EPOLLIN};
    socklen_t length = sizeof side->address;
    side->address =
        (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr *address = (struct sockaddr *)&side->address;
    side->listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    return side->listener >= 0 && bind(side->listener, address, length) == 0 &&
           listen(side->listener, PEERS) == 0 &&
           getsockname(side->listener, address, &length) == 0 &&
           epoll_ctl(side->poll, EPOLL_CTL_ADD, side->listener, &event) == 0;
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
}

static void close_side(struct side *side)
{
    for (int i = 0; i < PEERS; i++)
        close_fd(&side->peers[i].fd);
    close_fd(&side->listener);
    close_fd(&side->poll);
}

bool floor_tcp_run(const struct flights *flights, int client_cpu, int server_cpu,
                   uint64_t connections, struct tcp_cost *cost, struct error *err)
{
    struct side server = {.flights = flights, .cpu = server_cpu, .connections = connections};
    struct side dialler = {.flights = flights, .cpu = client_cpu, .connections = connections};
    pthread_t thread;
    bool good = open_side(&server);
    good = open_side(&dialler) && good && open_listener(&server);
    dialler.address = server.address;
    if (!good || pthread_create(&thread, NULL, client, &dialler) != 0) {
        (void)error_set(err, "plain TCP: %s", strerror(errno));
        good = false;
    } else {
        good = serve(&server, err);
        if (!good)
            close_side(&server); /* so that the client ends too */
        (void)pthread_join(thread, NULL);
        if (good && dialler.error.text[0])
            good = error_set(err, "client: %s", dialler.error.text);
    }
    close_side(&server);
    close_side(&dialler);
    *cost = (struct tcp_cost){.client_ns = dialler.cpu_ns, .server_ns = server.cpu_ns};
    return good;
}
