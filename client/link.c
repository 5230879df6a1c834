#include "client/link.h"

#include "client/open_socket.h"
#include "common/base/clock.h"
#include "common/tls/io.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

/* True when the descriptor became ready in time. */
static bool wait_for(struct interrupt *interrupt, int fd, short events, uint64_t deadline_ns)
{
    struct interrupt nobody = {.fd = -1};
    struct interrupt *watched = interrupt ? interrupt : &nobody;
    while (watched->count == 0 && clock_now_ns() < deadline_ns) {
        if (interrupt_poll(watched, fd, events, deadline_ns))
            return watched->count == 0;
    }
    return false;
}

static bool wait_status(const struct link *link, enum io_status status, uint64_t deadline_ns)
{
    return wait_for(link->interrupt, link->fd, status == IO_WANT_READ ? POLLIN : POLLOUT,
                    deadline_ns);
}

/* Why wait_for gave up. */
static void gave_up(const struct interrupt *interrupt, struct failure *failure,
                    enum failure_class class, const char *text)
{
    if (interrupt && interrupt->count > 0)
        *failure = (struct failure){.class = FAILURE_LOCAL, .text = "interrupted"};
    else
        failure_set(failure, class, text);
}

int link_connect(const struct sockaddr *address, socklen_t length, uint64_t timeout_ns,
                 struct interrupt *interrupt, struct failure *failure)
{
    uint64_t deadline = clock_now_ns() + timeout_ns;
    bool connected;
    int fd = open_socket(address, length, NULL, 0, &connected, failure);
    if (fd < 0 || connected)
        return fd;
    if (!wait_for(interrupt, fd, POLLOUT, deadline))
        gave_up(interrupt, failure, FAILURE_CONNECT_TIMEOUT, NULL);
    else if (open_socket_finish(fd, failure))
        return fd;
    close(fd);
    return -1;
}

static bool link_handshake(struct link *link, uint64_t deadline_ns, struct failure *failure)
{
    for (;;) {
        enum io_status status = tls_handshake(link->ssl, failure);
        if (status == IO_OK)
            return true;
        if (status == IO_FAILED)
            return false;
        if (!wait_status(link, status, deadline_ns)) {
            gave_up(link->interrupt, failure, FAILURE_HANDSHAKE_TIMEOUT, NULL);
            return false;
        }
    }
}

bool link_open(struct link *link, const struct link_settings *settings, struct failure *failure)
{
    *link = (struct link){.fd = -1, .interrupt = settings->interrupt};
    link->fd = link_connect(settings->address, settings->address_length,
                            settings->connect_timeout_ns, settings->interrupt, failure);
    if (link->fd < 0)
        return false;
    link->ssl = SSL_new(settings->context);
    if (!link->ssl || !SSL_set_fd(link->ssl, link->fd)) {
        failure_set(failure, FAILURE_LOCAL, "out of memory");
        return false;
    }
    if (settings->server_name && settings->server_name[0])
        SSL_set_tlsext_host_name(link->ssl, settings->server_name);
    SSL_set_connect_state(link->ssl);
    return link_handshake(link, clock_now_ns() + settings->handshake_timeout_ns, failure);
}

bool link_read(struct link *link, void *buffer, size_t size, size_t *done, uint64_t timeout_ns,
               struct failure *failure)
{
    uint64_t deadline = clock_now_ns() + timeout_ns;
    failure->class = FAILURE_NONE;
    for (;;) {
        enum io_status status = tls_read(link->ssl, buffer, size, done, failure);
        if (status == IO_OK)
            return true;
        if (status != IO_WANT_READ && status != IO_WANT_WRITE)
            return false;
        if (!wait_status(link, status, deadline)) {
            gave_up(link->interrupt, failure, FAILURE_UNCONFIRMED, "no answer in time");
            return false;
        }
    }
}

bool link_write(struct link *link, const void *data, size_t length, uint64_t timeout_ns,
                struct failure *failure)
{
    uint64_t deadline = clock_now_ns() + timeout_ns;
    const char *next = data;
    while (length > 0) {
        size_t done = 0;
        enum io_status status = tls_write(link->ssl, next, length, &done, failure);
        if (status == IO_OK) {
            next += done;
            length -= done;
        } else if (status == IO_FAILED) {
            return false;
        } else if (!wait_status(link, status, deadline)) {
            gave_up(link->interrupt, failure, FAILURE_UNCONFIRMED, "the peer reads nothing");
            return false;
        }
    }
    return true;
}

void link_send_close(struct link *link)
{
    (void)tls_send_close(link->ssl, NULL);
}

void link_close(struct link *link)
{
    SSL_free(link->ssl);
    if (link->fd >= 0)
        close(link->fd);
    *link = (struct link){.fd = -1};
}
