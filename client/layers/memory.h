#ifndef CLIENT_LAYERS_MEMORY_H
#define CLIENT_LAYERS_MEMORY_H

#include "client/layers/pair.h"
#include "common/base/error.h"

#include <stdint.h>

/* The memory layer: both sides of a case in one thread over memory BIOs. It has all of libssl and
 * no socket, no system call and no event loop. Both measure for about `budget_ns` behind a warm-up,
 * on the calling thread, and give each side's CPU time. */

/* Full handshakes, SSL_new to SSL_free, in lockstep: all clients of a batch take their step, then
 * all servers, so that a side's step is timed once for the whole batch. Nanoseconds per handshake.
 */
bool memory_handshakes(const struct pair_settings *settings, uint64_t budget_ns,
                       double cost[static WORK_SIDES], struct error *err) MUST_CHECK;

/* Records of `record_size` bytes from `sender` to the other side over one kept connection.
 * Nanoseconds per KiB of payload. */
bool memory_records(const struct pair_settings *settings, enum work_side sender,
                    uint32_t record_size, uint64_t budget_ns, double cost[static WORK_SIDES],
                    struct error *err) MUST_CHECK;

#endif
