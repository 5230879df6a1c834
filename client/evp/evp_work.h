#ifndef CLIENT_EVP_EVP_WORK_H
#define CLIENT_EVP_EVP_WORK_H

#include "client/evp/evp_crew.h"
#include "client/evp/evp_measure.h"

/* One cell of a plan while it is measured: set up, its turns taken, its figures made. */

#define EVP_ROUNDS_MAX 1000

/* What a turn says of a cell, by itself. */
enum evp_turn {
    EVP_TURN_MORE,   /* its interval is still too wide */
    EVP_TURN_NARROW, /* narrow enough */
    EVP_TURN_OVER,   /* its time is over */
    EVP_TURN_GONE,   /* not here, or failed: it takes no turn */
};
#define EVP_TURNS 4

/* "more", and back; what is no such word is EVP_TURN_GONE. */
const char *evp_turn_word(enum evp_turn turn);
enum evp_turn evp_turn_read(const char *word);

/* What the cells of a run share. */
struct evp_workshop {
    const struct evp_plan *plan;
    struct key_ring keys; /* its give_up() ends the making of a key where a signal came */
    uint64_t batch_ns;
    uint64_t memory; /* bytes that are left for cells which stay set up */
    bool cycles;     /* the time-stamp counter is usable */
};

struct evp_work {
    const struct evp_cell *planned;
    struct evp_result *result;
    struct evp_crew crew; /* its tasks, one for each thread */
    struct evp_batch batch;
    bool kept; /* set up all the time */
    uint64_t spent_ns;
    enum evp_turn last;
};

/* Cleaned up with key_ring_cleanup(&shop->keys). */
void evp_workshop_init(struct evp_workshop *shop, const struct evp_plan *plan, bool cycles);

/* Set up, proved, and the batch's size found; what is given up is no failure, but is never begun.
 * Where messages are so long that those of all cells would not fit into memory, the longest are set
 * up again for each of their turns. */
void evp_work_prepare(struct evp_workshop *shop, struct evp_work *work);

/* One round. A failure is the cell's own result. */
enum evp_turn evp_work_turn(struct evp_workshop *shop, struct evp_work *work);

/* No turn follows. `whole`: the run came to its own end; else what wanted more is partial. */
void evp_work_finish(const struct evp_workshop *shop, struct evp_work *work, bool whole);

#endif
