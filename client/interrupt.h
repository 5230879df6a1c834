#ifndef CLIENT_INTERRUPT_H
#define CLIENT_INTERRUPT_H

#include "common/base/error.h"

#include <stdint.h>

/* SIGINT, SIGTERM and SIGHUP as a descriptor (signalfd(2)), so that whoever waits for something
 * else waits for them too. main owns it; threads started later inherit the blocked signals and
 * never see one. */
struct interrupt {
    int fd;
    int count; /* signals taken so far; the run ends after the current slot at 1, at once at 2 */
};

bool interrupt_init(struct interrupt *interrupt, struct error *err) MUST_CHECK;
void interrupt_cleanup(struct interrupt *interrupt);

/* Waits until `fd` (-1: nothing else) can be read, a signal came, or clock_now_ns() reaches
 * `until_ns`. A signal is taken and counted. True when `fd` can be read. */
bool interrupt_wait(struct interrupt *interrupt, int fd, uint64_t until_ns);

/* The same, until one of these events of poll(2) is there. */
bool interrupt_poll(struct interrupt *interrupt, int fd, short events, uint64_t until_ns);

#endif
