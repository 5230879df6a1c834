#ifndef CLIENT_ROUNDS_H
#define CLIENT_ROUNDS_H

#include "client/measurement.h"
#include "common/stats/sample.h"

#include <stdbool.h>
#include <stddef.h>

/* The figures of single rounds, by case and round index. NaN where a round does not say: a count of
 * zero, a window without length, a server that is not known or not ours alone. Pure. */
typedef double round_figure(const struct case_result *result, size_t index);

round_figure rounds_rate; /* handshakes/s or bytes/s; 0 where nothing came through */
round_figure rounds_client_cost, rounds_server_cost; /* CPU: us per handshake or ns per byte */
round_figure rounds_client_busy, rounds_server_busy; /* busiest thread's share of the window */

/* Median and interval of one figure over the rounds that have it; count 0 where none has. */
struct interval rounds_interval(const struct case_result *result, round_figure *figure);

/* Cost of `dear` over cost of `cheap` from their paired rounds: the server's, or the client's where
 * the server of either is not known (*of_client). False where no pair of rounds has both. */
bool rounds_cost_ratio(const struct case_result *dear, const struct case_result *cheap,
                       struct interval *ratio, bool *of_client);

/* Whether the rounds leave open that the ratio is 1: its interval includes 1.00, or there is only
 * one pair, which says nothing of its noise. */
bool rounds_ratio_unsure(const struct interval *ratio);

#endif
