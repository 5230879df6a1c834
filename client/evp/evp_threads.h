#ifndef CLIENT_EVP_EVP_THREADS_H
#define CLIENT_EVP_EVP_THREADS_H

#include "client/evp/evp_crew.h"

/* One round of several threads, a task each, which compute at the same time. */
bool evp_threads_run(struct primitive_task *tasks, unsigned count, const struct evp_batch *batch,
                     struct timed_batch *done, struct error *err) MUST_CHECK;

#endif
