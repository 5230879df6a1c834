#ifndef CLIENT_COUNTS_H
#define CLIENT_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

/* What both ends counted in one slot, held against each other after the drain (METHOD 2). */

/* Of all workers together. A connection is attempted, then reached (TCP is there), then established
 * (we have finished the handshake), then completed; or it fails, or is stopped, on the way. */
struct client_counts {
    uint64_t attempted, reached, established, completed, failed;
    uint64_t payload;   /* bytes received, or sent by an upload */
    uint64_t in_flight; /* bytes that the server may have sent beyond those, at most */
};

struct server_counts {
    uint64_t accepted, finished;
    uint64_t payload; /* in and out */
    /* connections now beyond those before the slot: it may still read from them */
    uint64_t left_open;
};

struct counts_verdict {
    bool agree;        /* exactly */
    bool shared;       /* the server saw more than we sent */
    uint64_t unproved; /* completed here, but not finished by the server */
};

/* Whether the server may still be on its way: it is worth asking again. */
bool counts_are_behind(const struct client_counts *client, const struct server_counts *server);

struct counts_verdict counts_compare(const struct client_counts *client,
                                     const struct server_counts *server);

#endif
