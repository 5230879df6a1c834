#include "client/interrupt.h"

#include "common/base/clock.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

bool interrupt_init(struct interrupt *interrupt, struct error *err)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    *interrupt = (struct interrupt){.fd = -1};
    if (pthread_sigmask(SIG_BLOCK, &signals, NULL) != 0)
        return error_set(err, "cannot block signals");
    interrupt->fd = signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
    if (interrupt->fd < 0)
        return error_set(err, "signalfd: %s", strerror(errno));
    return true;
}

void interrupt_cleanup(struct interrupt *interrupt)
{
    if (interrupt->fd >= 0)
        close(interrupt->fd);
    interrupt->fd = -1;
}

static void take_signals(struct interrupt *interrupt)
{
    struct signalfd_siginfo info;
    while (read(interrupt->fd, &info, sizeof info) == sizeof info)
        interrupt->count++;
}

bool interrupt_wait(struct interrupt *interrupt, int fd, uint64_t until_ns)
{
    return interrupt_poll(interrupt, fd, POLLIN, until_ns);
}

bool interrupt_poll(struct interrupt *interrupt, int fd, short events, uint64_t until_ns)
{
    uint64_t now = clock_now_ns();
    uint64_t left = until_ns > now ? until_ns - now : 0;
    struct timespec timeout = {(time_t)(left / NS_PER_S), (long)(left % NS_PER_S)};
    struct pollfd fds[2] = {{interrupt->fd, POLLIN, 0}, {fd, events, 0}};
    if (ppoll(fds, 2, &timeout, NULL) <= 0)
        return false;
    if (fds[0].revents)
        take_signals(interrupt);
    return fds[1].revents != 0;
}
