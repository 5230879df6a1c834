#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

#include "common/base/error.h"
#include "common/tls/library.h"
#include "server/config.h"

#include <stdbool.h>
#include <stddef.h>

/* The whole server but for signals and printing: contexts, sockets, worker threads. */
struct server;

/* Makes everything and binds the sockets, but runs nothing yet; config must outlive it. NULL:
 * failed. */
struct server *server_new(const struct server_config *config, const struct library_facts *facts,
                          struct error *err) MUST_CHECK;

/* Drops what is still open, waits for the threads and frees. */
void server_free(struct server *server);

/* The addresses as bound, "127.0.0.1:40123", in the order of the config. */
size_t server_address_count(const struct server *server);
const char *server_address(const struct server *server, size_t index);

/* Starts the threads. Signals should be blocked in the caller while it runs: the threads inherit
 * that. */
bool server_start(struct server *server, struct error *err) MUST_CHECK;

/* Accepts no more, lets what is in flight finish, closes idle connections. Returns at once. */
void server_drain(struct server *server);
/* The same for the impatient: drops everything. */
void server_quit(struct server *server);

/* An eventfd that becomes readable each time that a thread ends; server_is_done reads it. */
int server_done_fd(const struct server *server);
bool server_is_done(struct server *server);

#endif
