#include "client/difference.h"

#include "client/rounds.h"
#include "client/verdict.h"
#include "common/base/memory.h"

#include <stdlib.h>

/* A case with its median cost; all of one side, so that they can be compared. */
struct candidate {
    const struct case_result *result;
    double cost;
};

const char *difference_field_name(enum difference_field field)
{
    static const char *const names[] = {"version", "suite",       "certificate",
                                        "group",   "record_size", "direction"};

    return names[field];
}

/* Marks the fields that differ and returns how many do. A suite of TLS 1.2 and one of TLS 1.3
 * differ in both fields by their nature: that counts once. */
static unsigned compare(const struct test_case *a, const struct test_case *b,
                        bool differs[static DIFFERENCE_FIELDS])
{
    unsigned count = 0;

    differs[DIFFERENCE_VERSION] = a->version != b->version;
    differs[DIFFERENCE_SUITE] = a->suite != b->suite;
    differs[DIFFERENCE_CERTIFICATE] = a->kind != b->kind;
    differs[DIFFERENCE_GROUP] = a->group != b->group;
    differs[DIFFERENCE_RECORD_SIZE] = a->record_size != b->record_size;
    differs[DIFFERENCE_DIRECTION] = a->direction != b->direction;
    for (size_t i = 0; i < DIFFERENCE_FIELDS; i++)
        count += differs[i];
    if (differs[DIFFERENCE_VERSION] && differs[DIFFERENCE_SUITE])
        count--;
    return count;
}

/* The cases that have figures and a cost of this side; returns how many. */
static size_t collect(const struct case_result *results, size_t count, unsigned rounds,
                      enum measure measure, round_figure *cost, struct candidate *candidates)
{
    char unused[VERDICT_REASON];
    size_t found = 0;

    for (size_t i = 0; i < count; i++) {
        if (results[i].test_case->measure != measure ||
            !verdict_has_figures(verdict_of(&results[i], rounds, unused)))
            continue;
        double median = rounds_interval(&results[i], cost).median;
        if (median > 0)
            candidates[found++] = (struct candidate){&results[i], median};
    }
    return found;
}

static void choose(const struct candidate *candidates, size_t count, struct difference *best)
{
    unsigned best_fields = DIFFERENCE_FIELDS + 1;
    double best_ratio = 0;

    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            bool differs[DIFFERENCE_FIELDS];
            double ratio = candidates[i].cost / candidates[j].cost;
            if (i == j || ratio < 1)
                continue;
            unsigned fields =
                compare(candidates[i].result->test_case, candidates[j].result->test_case, differs);
            if (fields > best_fields || (fields == best_fields && ratio <= best_ratio))
                continue;
            best_fields = fields;
            best_ratio = ratio;
            best->dear = candidates[i].result;
            best->cheap = candidates[j].result;
        }
    }
}

bool difference_largest(const struct case_result *results, size_t count, unsigned rounds,
                        enum measure measure, struct difference *difference)
{
    struct candidate *candidates = memory_new(count + 1, sizeof *candidates);
    size_t found = collect(results, count, rounds, measure, rounds_server_cost, candidates);

    *difference = (struct difference){0};
    if (found < 2)
        found = collect(results, count, rounds, measure, rounds_client_cost, candidates);
    choose(candidates, found, difference);
    free(candidates);
    if (difference->dear == NULL || !rounds_cost_ratio(difference->dear, difference->cheap,
                                                       &difference->ratio, &difference->of_client))
        return false;
    difference->unsure = rounds_ratio_unsure(&difference->ratio);
    compare(difference->dear->test_case, difference->cheap->test_case, difference->differs);
    return true;
}
