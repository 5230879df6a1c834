#include "client/verdict.h"

#include "client/rounds.h"

#include <inttypes.h>
#include <stdio.h>

#define TOLERATED_SHARE 0.01 /* of what was attempted: above it there is no rate */

/* Failed, and finished for the client but never proved to have been accepted. */
static uint64_t unsuccessful(const struct case_measurement *m)
{
    uint64_t count = failure_table_total(&m->failures);

    if (m->completed > m->confirmed)
        count += m->completed - m->confirmed;
    return count;
}

/* For words: a bulk connection that fails after its first payload may be unproved too. */
static uint64_t connections_lost(const struct case_measurement *m)
{
    uint64_t count = unsuccessful(m);

    return count < m->attempted ? count : m->attempted;
}

static const char *worst_text(const struct case_measurement *m)
{
    const struct failure_row *row = failure_table_worst(&m->failures);
    uint64_t unproved = m->completed > m->confirmed ? m->completed - m->confirmed : 0;

    if (row != NULL && row->count >= unproved)
        return row->failure.text;
    return unproved > 0 ? "finished here, but the server did not confirm it" : "nothing finished";
}

static const char *drift_text(const struct case_measurement *m)
{
    for (size_t i = 0; i < m->failures.count; i++)
        if (m->failures.rows[i].failure.class == FAILURE_DRIFT)
            return m->failures.rows[i].failure.text;
    return "something else was negotiated than the case pins";
}

static size_t known_rounds(const struct case_measurement *m)
{
    size_t known = 0;

    for (size_t i = 0; i < m->round_count; i++)
        known += m->rounds[i].server_known;
    return known;
}

/* Its counters answered at first and no more later: the last rounds lack the strongest proof. */
static bool server_lost(const struct case_measurement *m)
{
    size_t known = known_rounds(m);

    return known > 0 && known < m->round_count;
}

/* Both ends told their counts, and they differ without a failure that explains it. */
static bool counts_contradict(const struct case_measurement *m)
{
    return !m->server_counts_agree && !m->server_shared && !m->server_by_processes &&
           known_rounds(m) > 0 && !server_lost(m) && unsuccessful(m) == 0;
}

/* Payload that arrived is its own proof; a handshake needs one. */
static bool nothing_confirmed(const struct case_result *result)
{
    return result->test_case->measure == MEASURE_HANDSHAKE && result->measurement.confirmed == 0;
}

static const char *no_rate_text(const struct case_result *result)
{
    const struct case_measurement *m = &result->measurement;

    if (m->round_count == 0)
        return "no round was finished";
    if (result->test_case->measure == MEASURE_HANDSHAKE)
        return "nothing was confirmed inside a window";
    if (result->test_case->direction == DIRECTION_UPLOAD && m->server_shared)
        return "the server received from others too: what arrived is not ours alone";
    if (result->test_case->direction == DIRECTION_UPLOAD && known_rounds(m) == 0)
        return "the server does not tell what arrived";
    return "no payload arrived";
}

/* Slots that gave no round (the peer was gone) make a case with earlier rounds partial, not failed.
 */
static bool too_many_failed(const struct case_measurement *m)
{
    uint64_t bad = unsuccessful(m), attempted = m->attempted;

    if (m->round_count > 0) {
        bad -= m->lost_failed;
        attempted -= m->lost_attempted;
    }
    return (double)bad > TOLERATED_SHARE * (double)attempted;
}

/* What leaves a case without any figure; false: nothing does. */
static bool find_fault(const struct case_result *result, char reason[static VERDICT_REASON])
{
    const struct case_measurement *m = &result->measurement;
    uint64_t bad = connections_lost(m);

    if (m->drifts > 0)
        snprintf(reason, VERDICT_REASON, "%" PRIu64 " of %" PRIu64 " drifted: %s", m->drifts,
                 m->attempted, drift_text(m));
    else if (nothing_confirmed(result))
        snprintf(reason, VERDICT_REASON, "0 of %" PRIu64 " confirmed: %s", m->attempted,
                 worst_text(m));
    else if (too_many_failed(m))
        snprintf(reason, VERDICT_REASON, "%" PRIu64 " of %" PRIu64 " failed: %s", bad, m->attempted,
                 worst_text(m));
    else if (counts_contradict(m))
        snprintf(reason, VERDICT_REASON,
                 "client and server counted differently, and no failure explains it");
    else if (!(rounds_interval(result, rounds_rate).median > 0))
        snprintf(reason, VERDICT_REASON, "%s", no_rate_text(result));
    else
        return false;
    return true;
}

static void describe_tolerated(const struct case_measurement *m, char reason[static VERDICT_REASON])
{
    uint64_t bad = connections_lost(m);

    if (bad > 0)
        snprintf(reason, VERDICT_REASON, "%" PRIu64 " of %" PRIu64 " failed: %s", bad, m->attempted,
                 worst_text(m));
}

static void describe_partial(const struct case_measurement *m, unsigned rounds,
                             char reason[static VERDICT_REASON])
{
    uint64_t bad = connections_lost(m);
    int length = snprintf(reason, VERDICT_REASON, "%zu of %u rounds%s%s", m->round_count, rounds,
                          m->gave_up ? ", a slot ended after failures in a row" : "",
                          server_lost(m) ? ", the server's counters were lost" : "");

    if (bad > 0 && length > 0 && length < VERDICT_REASON)
        snprintf(reason + length, VERDICT_REASON - (size_t)length, ", %" PRIu64 " failed: %s", bad,
                 worst_text(m));
}

/* The run ended before the case's first round did: nothing speaks against it. */
static bool cut_short(const struct case_measurement *m)
{
    return m->round_count == 0 && m->drifts == 0 && unsuccessful(m) == 0;
}

enum case_status verdict_of(const struct case_result *result, unsigned rounds,
                            char reason[static VERDICT_REASON])
{
    const struct case_measurement *m = &result->measurement;

    reason[0] = '\0';
    if (result->skipped != NULL) {
        snprintf(reason, VERDICT_REASON, "%s", result->skipped);
        return STATUS_SKIPPED;
    }
    if (cut_short(m)) {
        snprintf(reason, VERDICT_REASON, "%s%s%s",
                 m->attempted == 0 ? "not run" : "no round was finished",
                 m->note[0] != '\0' ? ": " : "", m->note);
        return STATUS_PARTIAL;
    }
    if (find_fault(result, reason))
        return STATUS_FAILED;
    if (m->round_count < rounds || m->gave_up || server_lost(m)) {
        describe_partial(m, rounds, reason);
        return STATUS_PARTIAL;
    }
    describe_tolerated(m, reason);
    return STATUS_MEASURED;
}

bool verdict_has_figures(enum case_status status)
{
    return status == STATUS_MEASURED || status == STATUS_PARTIAL;
}
