#ifndef CLIENT_EVP_EVP_THREADS_H
#define CLIENT_EVP_EVP_THREADS_H

#include "client/evp/evp_crew.h"

/* One round of several threads, a task each, which compute at the same time. */
bool evp_threads_run(struct primitive_task *tasks, unsigned count, const struct evp_batch *batch,
                     struct timed_batch *done, struct error *err) MUST_CHECK;

/* How many of the `count` operations of a piece of work lie in a window: in part where the piece
 * lies in it in part, since threads that start together would lose or win a piece together. Both
 * from start to end, in ns. */
double evp_threads_share(uint64_t count, const uint64_t piece[static 2],
                         const uint64_t window[static 2]);

#endif
