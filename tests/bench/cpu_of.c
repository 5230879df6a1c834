#include "common/base/clock.h"
#include "common/base/cpu_clock.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* CPU time as seen from outside, the same way for every program:
 *   bench_cpu_of PID...            prints what these processes have used so far, in ns
 *   bench_cpu_of -o FILE COMMAND   runs it; FILE then has "CPU_NS WALL_NS", the exit status is its
 */

static int complain(const char *what, const char *why)
{
    fprintf(stderr, "bench_cpu_of: %s: %s\n", what, why);
    return 125;
}

static int print_used(char *const *pids)
{
    uint64_t sum = 0;
    for (; *pids != NULL; pids++) {
        char *end;
        clockid_t clock;
        struct error err;
        const long pid = strtol(*pids, &end, 10);
        if (*end != '\0' || pid <= 0)
            return complain(*pids, "not a process id");
        if (!cpu_clock_of_process((pid_t)pid, &clock, &err))
            return complain(*pids, err.text);
        sum += cpu_clock_read_ns(clock);
    }
    return printf("%" PRIu64 "\n", sum) > 0 ? 0 : 125;
}

static uint64_t timeval_ns(struct timeval time)
{
    return (uint64_t)time.tv_sec * NS_PER_S + (uint64_t)time.tv_usec * 1000;
}

static int write_usage(const char *path, const struct rusage *usage, uint64_t wall_ns)
{
    FILE *out = fopen(path, "w");
    if (out == NULL)
        return complain(path, strerror(errno));
    (void)fprintf(out, "%" PRIu64 " %" PRIu64 "\n",
                  timeval_ns(usage->ru_utime) + timeval_ns(usage->ru_stime), wall_ns);
    return fclose(out) == 0 ? 0 : complain(path, strerror(errno));
}

static int run(const char *path, char **command)
{
    struct rusage usage;
    int status = 0;
    const uint64_t begin = clock_now_ns();
    const pid_t child = fork();
    if (child == 0) {
        (void)execvp(command[0], command);
        _exit(complain(command[0], strerror(errno)));
    }
    while (child > 0 && wait4(child, &status, 0, &usage) < 0) {
        if (errno != EINTR)
            return complain("wait4", strerror(errno));
    }
    if (child < 0)
        return complain("fork", strerror(errno));
    if (write_usage(path, &usage, clock_now_ns() - begin) != 0)
        return 125;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 124;
}

int main(int argc, char **argv)
{
    if (argc > 3 && strcmp(argv[1], "-o") == 0)
        return run(argv[2], argv + 3);
    if (argc > 1 && argv[1][0] != '-')
        return print_used(argv + 1);
    fprintf(stderr, "usage: bench_cpu_of PID... | -o FILE COMMAND [ARG...]\n");
    return 125;
}
