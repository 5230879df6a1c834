#ifndef CLIENT_SLOT_PARTS_H
#define CLIENT_SLOT_PARTS_H

#include "client/case_context.h"
#include "client/edge.h"
#include "client/pulse.h"
#include "client/request.h"
#include "client/slot.h"
#include "client/worker.h"

/* A slot from within: slot.c drives it, slot_account.c writes down what it gave. */

struct slot {
    const struct slot_settings *settings;
    struct worker_shared shared;
    struct worker *workers;
    unsigned initialized, started; /* of the workers */
    char server_name[CASE_SERVER_NAME];
    char request[REQUEST_MAX];
    /* NULL where the server's side is not known */
    struct server_snapshot *before, *at_s0, *at_s1, *after;
    bool server_known;
    uint64_t ask_ns;       /* when it must be asked again, or its connection is ended as idle */
    char server_lost[160]; /* why it is not known any more */
    struct pulse pulse;    /* of the waiting thread */
    uint64_t show_ns;      /* when to show the rate next; 0: not now */
    uint64_t show_from_ns, show_from_amount;
};

/* Asks the server for its counters; after a failure it is not known any more. */
void slot_snapshot(struct slot *slot, struct server_snapshot *into);

/* Shows the rate while the window runs, to whom it may concern: when the waiting thread is up
 * anyway. */
void slot_show_begin(struct slot *slot, uint64_t now_ns);
void slot_show(struct slot *slot, uint64_t now_ns);

/* The round between the two edges; `busiest_ns` is what the busiest worker used. */
void slot_add_round(const struct slot *slot, const struct edge *from, const struct edge *to,
                    uint64_t busiest_ns, struct case_measurement *into);

/* After the drain: what the slot adds to its case. Handshakes that the server's counters were to
 * prove are not proved when those are lost, and then there is no round: it is back where it was
 * `before`. */
void slot_settle(struct slot *slot, const struct measurement_mark *before,
                 struct case_measurement *into);

/* One attempt that could not even begin, for want of what *err says. */
void slot_add_limit(const struct measurement_mark *before, const struct error *err,
                    struct case_measurement *into);

#endif
