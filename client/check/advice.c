#include "client/check/advice.h"

#include "client/check/weak.h"
#include "common/base/memory.h"
#include "common/base/text.h"

#include <openssl/ssl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_13(const struct check_row *row)
{
    return suite_facts(row->choice->suite).exchange == EXCHANGE_TLS13;
}

/* --- order --- */

/* Certainly cheaper: the whole 95 % interval lies below. A mere range of few rounds says nothing.
 */
static bool is_below(const struct price *price, size_t a, size_t b, bool *comparable)
{
    struct interval cost_a, cost_b;

    *comparable = a != b && price_of(price, a, &cost_a) && price_of(price, b, &cost_b);
    *comparable = *comparable && !cost_a.is_range && !cost_b.is_range;
    return *comparable && cost_a.high < cost_b.low;
}

/* Security comes first: what has no AEAD never goes before what has. Then handshakes, since the key
 * exchange and the certificate differ by more than ciphers do; the cost of a byte decides among
 * those whose handshakes are not certainly different. */
static bool is_cheaper(const struct price *price, const struct check_row *a,
                       const struct check_row *b)
{
    bool comparable, aead_a = suite_facts(a->choice->suite).aead;

    if (aead_a != suite_facts(b->choice->suite).aead)
        return aead_a;

    if (!is_13(a)) {
        if (is_below(price, a->handshake_case, b->handshake_case, &comparable))
            return true;
        if (is_below(price, b->handshake_case, a->handshake_case, &comparable))
            return false;
    }
    return is_below(price, a->bulk_case, b->bulk_case, &comparable);
}

/* Neighbours change places as long as the later is cheaper: what cannot be told apart keeps its
 * order. Bounded by the square of the count in any case. */
static bool sort(const struct check_row **rows, size_t count, const struct price *price)
{
    bool moved = false;

    for (size_t pass = 0; pass < count; pass++) {
        for (size_t i = 1; i < count; i++) {
            const struct check_row *before = rows[i - 1];
            if (!is_cheaper(price, rows[i], before))
                continue;
            rows[i - 1] = rows[i];
            rows[i] = before;
            moved = true;
        }
    }
    return moved;
}

/* --- choice --- */

/* A suite that several certificates serve stands once, with its cheapest. */
static void add(const struct check_row **rows, size_t *count, const struct check_row *row,
                const struct price *price)
{
    for (size_t i = 0; i < *count; i++) {
        if (rows[i]->choice->suite != row->choice->suite)
            continue;
        if (is_cheaper(price, row, rows[i]))
            rows[i] = row;
        return;
    }
    rows[(*count)++] = row;
}

/* Whether something of TLS 1.3 goes. */
static bool choose(struct advice *advice, const struct check_rows *rows, const struct price *price,
                   bool own_13)
{
    bool removes_13 = false;

    for (size_t i = 0; i < rows->count; i++) {
        const struct check_row *row = &rows->items[i];
        if (row->reason != DEAD_NOT)
            continue;
        bool goes = weak_is_warned(row->choice->suite) && (own_13 || !is_13(row));
        advice->removes |= goes;
        removes_13 |= goes && is_13(row);
        if (goes)
            continue;
        if (is_13(row))
            add(advice->rows_13, &advice->count_13, row, price);
        else
            add(advice->rows, &advice->count, row, price);
    }
    return removes_13;
}

/* --- who loses --- */

static bool is_offered(const char *list, const struct check_row *row)
{
    struct text_list words = {0};
    bool offered = false;

    text_list_add_split(&words, list, ":");
    for (size_t i = 0; i < words.count && !offered; i++)
        offered = suite_find(words.items[i]) == row->choice->suite;
    text_list_cleanup(&words);
    return offered;
}

/* By suites alone: versions and groups stay as they are. */
static bool keeps(const struct advice *advice, const struct client_profile *profile)
{
    for (size_t i = 0; i < advice->count; i++)
        if (is_offered(profile->suites_12, advice->rows[i]))
            return true;
    for (size_t i = 0; i < advice->count_13; i++)
        if (is_offered(profile->suites_13, advice->rows_13[i]))
            return true;
    return false;
}

static void find_losers(struct advice *advice, const struct client_outcome *clients, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(advice->loses);
        if (clients[i].done && !keeps(advice, clients[i].profile))
            (void)snprintf(advice->loses + length, sizeof advice->loses - length, "%s%s",
                           length ? ", " : "", clients[i].profile->name);
    }
}

void advice_make(struct advice *advice, const struct check_rows *rows, const struct price *price,
                 bool own_13, const struct client_outcome *clients, size_t client_count)
{
    *advice = (struct advice){
        .rows = memory_new(rows->count + 1, sizeof *advice->rows),
        .rows_13 = memory_new(rows->count + 1, sizeof *advice->rows_13),
    };
    bool removes_13 = choose(advice, rows, price, own_13);
    bool moved = sort(advice->rows, advice->count, price);
    bool moved_13 = own_13 && sort(advice->rows_13, advice->count_13, price);
    advice->reorders = moved || moved_13;
    find_losers(advice, clients, client_count);
    if (!moved_13 && !removes_13)
        advice->count_13 = 0; /* nothing to say about it */
}

void advice_cleanup(struct advice *advice)
{
    free(advice->rows);
    free(advice->rows_13);
    *advice = (struct advice){.rows = NULL};
}
