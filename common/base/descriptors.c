#include "common/base/descriptors.h"

#include "common/base/event_loop.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/resource.h>
#include <unistd.h>

/* Beside its event loop a thread has an eventfd and, in the server, a listening socket. */
#define PER_THREAD (EVENT_LOOP_DESCRIPTORS + 2)
/* Standard streams, pipes, the control connection, files that are read for a moment; and those
 * connections that one side has closed and the other has not seen the end of yet. */
#define BESIDE 32

/* In ascending order, so that each gets the number that is missing. */
void descriptors_hold_standard(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

void descriptors_raise(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max)
        return;
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}

bool descriptors_suffice(uint64_t connections, uint64_t threads, const char *option,
                         struct error *err)
{
    struct rlimit limit;
    uint64_t needed = connections + threads * PER_THREAD + BESIDE;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        needed <= limit.rlim_cur)
        return true;
    return error_set(err,
                     "%s: %" PRIu64 " connections need %" PRIu64
                     " descriptors, and this process may open %" PRIu64 " (ulimit -Hn)",
                     option, connections, needed, (uint64_t)limit.rlim_cur);
}
