#include "client/speed.h"

#include <pthread.h>

#define THREADS_MAX 64 /* more pinned CPUs than that are judged by the first ones */

struct piece {
    pthread_t thread;
    int cpu;
    bool started;
    uint64_t ns;
};

static void *work(void *context)
{
    struct piece *piece = context;
    if (host_pin_thread(piece->cpu, NULL))
        piece->ns = host_fixed_work_ns();
    return NULL;
}

uint64_t speed_fixed_work_ns(const struct cpu_list *cpus)
{
    struct piece pieces[THREADS_MAX];
    size_t count = cpus->count < THREADS_MAX ? cpus->count : THREADS_MAX;
    uint64_t longest = 0;
    if (count == 0)
        return host_fixed_work_ns();
    for (size_t i = 0; i < count; i++) {
        pieces[i] = (struct piece){.cpu = cpus->cpus[i]};
        pieces[i].started = pthread_create(&pieces[i].thread, NULL, work, &pieces[i]) == 0;
    }
    for (size_t i = 0; i < count; i++) {
        if (pieces[i].started)
            pthread_join(pieces[i].thread, NULL);
        longest = pieces[i].ns > longest ? pieces[i].ns : longest;
    }
    return longest;
}
