#ifndef CLIENT_REACH_H
#define CLIENT_REACH_H

#include "client/interrupt.h"
#include "client/load.h"

#include <stdbool.h>
#include <stdint.h>

/* Waits until the target takes a TCP connection, at most `patience_ns` and until a signal: a server
 * that is started anew is away for a moment. What else may be wrong with it shows in the next slot.
 * False: it does not. */
bool reach_wait(const struct load_settings *load, struct interrupt *interrupt,
                uint64_t patience_ns);

#endif
