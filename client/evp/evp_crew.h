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

/* Bytes that a cell's messages take, and what this process can still take (free_memory.h; 0 where
 * not known). */
uint64_t evp_crew_memory(const struct primitive_case *what, unsigned threads);
uint64_t evp_crew_free_memory(void);

/* How a round is made: `count` operations of each thread, or with `window_ns` as many as all do in
 * that time. */
struct evp_batch {
    uint64_t count, window_ns;
};

/* Finds a batch of about `least_ns`. Several threads get a longer one, but none over `longest_ns`
 * unless a single operation takes more. */
bool evp_crew_size(struct evp_crew *crew, uint64_t least_ns, uint64_t longest_ns,
                   struct evp_batch *batch, struct error *err) MUST_CHECK;

/* One round. What several threads did lies between two readings of one clock. */
bool evp_crew_run(struct evp_crew *crew, const struct evp_batch *batch, struct timed_batch *done,
                  struct error *err) MUST_CHECK;

#endif
