#ifndef CLIENT_EVP_EVP_CREW_H
#define CLIENT_EVP_EVP_CREW_H

#include "common/primitive/timed_loop.h"

#include <stdbool.h>

/* The threads that compute one cell at the same time, a task each. Zeroed is valid. */
struct evp_crew {
    struct primitive_task *tasks; /* owned */
    unsigned count;
};

/* Sets up and proves a task for each thread. Refuses what does not fit into the free memory. */
bool evp_crew_open(struct evp_crew *crew, const struct primitive_case *what, unsigned threads,
                   struct key_ring *keys, struct error *err) MUST_CHECK;
void evp_crew_close(struct evp_crew *crew);

/* Bytes that a cell's messages take, and what the host has left (MemAvailable of /proc/meminfo; 0
 * where not known). */
uint64_t evp_crew_memory(const struct primitive_case *what, unsigned threads);
uint64_t evp_crew_free_memory(void);

/* One round: a batch of `count` operations on the calling thread; with more threads all compute for
 * at least `least_ns`, and the batch counts what they did between two readings of one clock. */
bool evp_crew_run(struct evp_crew *crew, uint64_t count, uint64_t least_ns,
                  struct timed_batch *batch, struct error *err) MUST_CHECK;

#endif
