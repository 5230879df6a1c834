#ifndef SERVER_LISTENER_H
#define SERVER_LISTENER_H

#include "common/base/error.h"

#include <event2/event_struct.h>
#include <sys/socket.h>

struct worker;

/* One listening socket of one worker. */
struct listener {
    struct worker *worker;
    int fd;
    struct event acceptable, resume;
};

/* A non-blocking listening socket with SO_REUSEPORT on `address`, to which the address with its
 * real port is written back; -1: failed. An IPv6 socket takes no IPv4 connections. `first` is
 * whether this process listens there for the first time: then another process that does is an
 * error, which SO_REUSEPORT alone would hide (both would get a share of the connections). */
int listener_open(struct sockaddr_storage *address, socklen_t length, bool first,
                  struct error *err) MUST_CHECK;

/* Starts to accept on the worker's base. The struct must not move until listener_stop, which closes
 * the socket after accepting what waits in its queue. */
bool listener_start(struct listener *listener, struct worker *worker, int fd,
                    struct error *err) MUST_CHECK;
void listener_stop(struct listener *listener);

#endif
