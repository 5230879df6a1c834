#ifndef SERVER_LIFETIME_H
#define SERVER_LIFETIME_H

#include "common/base/error.h"
#include "server/server.h"

#include <stdbool.h>

/* The main thread's event loop: it waits for signals, for the end of standard input where that ends
 * the server, and for the workers. */
struct lifetime;

/* From here on SIGTERM and SIGINT are blocked in the calling thread, which the server's threads
 * inherit, and are read as events. */
struct lifetime *lifetime_new(struct server *server, bool exit_with_stdin,
                              struct error *err) MUST_CHECK;
void lifetime_free(struct lifetime *lifetime);

/* Returns when the server has ended: true when what was in flight could finish in time, false when
 * a second signal cut it short. */
bool lifetime_run(struct lifetime *lifetime);

#endif
