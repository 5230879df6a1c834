#ifndef COMMON_BASE_EVENT_LOOP_H
#define COMMON_BASE_EVENT_LOOP_H

#include "common/base/error.h"

struct event_base;

/* Descriptors that a loop holds: its epoll, and a pipe by which signals would wake it. */
#define EVENT_LOOP_DESCRIPTORS 3

/* A loop for one thread: no locks, no change list (that would take a descriptor out of epoll after
 * its close, when the number may be another thread's), no look at the environment. libevent ends
 * the whole process where it gets no pipe, so whether there are descriptors is tried before; for
 * that to hold make loops while no other thread of the process opens any. NULL: *err says why. The
 * caller's to give to event_base_free. */
struct event_base *event_loop_new(struct error *err) MUST_CHECK;

#endif
