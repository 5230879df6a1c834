#include "common/base/cpu_clock.h"

#include "common/base/clock.h"

#include <string.h>
#include <sys/resource.h>

uint64_t cpu_clock_read_ns(clockid_t clock)
{
    struct timespec time;
    if (clock_gettime(clock, &time) != 0) {
        return 0;
    }
    return (uint64_t)time.tv_sec * NS_PER_S + (uint64_t)time.tv_nsec;
}

uint64_t cpu_clock_process_ns(void)
{
    return cpu_clock_read_ns(CLOCK_PROCESS_CPUTIME_ID);
}

static uint64_t timeval_ns(struct timeval time)
{
    return (uint64_t)time.tv_sec * NS_PER_S + (uint64_t)time.tv_usec * NS_PER_US;
}

struct cpu_split cpu_clock_process_split(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) {
        return (struct cpu_split){0};
    }
    return (struct cpu_split){
        .user_ns = timeval_ns(usage.ru_utime),
        .system_ns = timeval_ns(usage.ru_stime),
    };
}

/* Both functions return an error number and leave errno alone. */
bool cpu_clock_of_thread(pthread_t thread, clockid_t *clock, struct error *err)
{
    int number = pthread_getcpuclockid(thread, clock);
    return number == 0 || error_set(err, "no CPU clock of this thread: %s", strerror(number));
}

bool cpu_clock_of_process(pid_t pid, clockid_t *clock, struct error *err)
{
    int number = clock_getcpuclockid(pid, clock);
    return number == 0 ||
           error_set(err, "no CPU clock of process %ld: %s", (long)pid, strerror(number));
}
