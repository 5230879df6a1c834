#include "client/open_socket.h"

#include "common/base/error.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <unistd.h>

static void failure_of_errno(struct failure *failure, int error)
{
    switch (error) {
    case ECONNREFUSED:
        failure_set(failure, FAILURE_CONNECT_REFUSED, NULL);
        break;
    case ETIMEDOUT:
        failure_set(failure, FAILURE_CONNECT_TIMEOUT, NULL);
        break;
    case EADDRNOTAVAIL:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case ENOBUFS:
        failure_set(failure, FAILURE_LOCAL, error_of_errno(error));
        break;
    default:
        failure_set(failure, FAILURE_CONNECT, error_of_errno(error));
    }
}

static int fail(int fd, struct failure *failure)
{
    failure_of_errno(failure, errno);
    if (fd >= 0)
        close(fd);
    return -1;
}

int open_socket(const struct sockaddr *address, socklen_t length, const struct sockaddr *source,
                socklen_t source_length, bool *connected, struct failure *failure)
{
    static const int on = 1;
    *connected = false;
    int fd = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return fail(fd, failure);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (source) {
        (void)setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
        if (bind(fd, source, source_length) != 0)
            return fail(fd, failure);
    }
    if (connect(fd, address, length) == 0) {
        *connected = true;
        return fd;
    }
    if (errno != EINPROGRESS)
        return fail(fd, failure);
    /* On loopback the three-way handshake is over by now: asking again saves two epoll_ctl and a
     * wake-up. */
    if (connect(fd, address, length) == 0 || errno == EISCONN)
        *connected = true;
    else if (errno != EALREADY)
        return fail(fd, failure);
    return fd;
}

bool open_socket_finish(int fd, struct failure *failure)
{
    int error = 0;
    socklen_t length = sizeof error;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) != 0)
        error = errno;
    if (error == 0)
        return true;
    failure_of_errno(failure, error);
    return false;
}

void open_socket_linger_none(int fd)
{
    static const struct linger none = {.l_onoff = 1, .l_linger = 0};
    (void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
}
