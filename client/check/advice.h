#ifndef CLIENT_CHECK_ADVICE_H
#define CLIENT_CHECK_ADVICE_H

#include "client/check/clients.h"
#include "client/check/price.h"
#include "client/check/rows.h"

#include <stdbool.h>
#include <stddef.h>

/* A list with the same or stronger security, whose order follows the measured cost. Nothing comes
 * before another suite unless it was measured to be cheaper, with intervals that do not overlap. */

struct advice {
    const struct check_row **rows; /* TLS 1.2 and before, in the advised order; owned array */
    const struct check_row **rows_13;
    size_t count, count_13; /* 0: stays as it is, or there is none */
    /* differs from what is there; with neither there is nothing to advise */
    bool reorders, removes;
    char loses[CLIENT_TEXT]; /* clients that get nothing any more; "" */
};

/* Pure. `price` may hold nothing: then only weak suites go, and the order stays. Without `own_13`
 * the TLS 1.3 suites are another server block's, and nothing is advised about them. */
void advice_make(struct advice *advice, const struct check_rows *rows, const struct price *price,
                 bool own_13, const struct client_outcome *clients, size_t client_count);
void advice_cleanup(struct advice *advice);

#endif
