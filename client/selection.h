#ifndef CLIENT_SELECTION_H
#define CLIENT_SELECTION_H

#include "client/case.h"
#include "client/options.h"
#include "common/base/error.h"
#include "common/tls/library.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the lists of the command line name, looked up: the dimensions of a cross product. */

/* How an item came in. What the user named must appear in the plan, if only as a skip; what "all"
 * or a cipher string brought in appears where it fits. */
struct mention {
    bool named;
    bool shown; /* a case with it is in the plan; for whoever makes the product */
};

#define SELECTION_SUITES 512
#define SELECTION_KINDS  32
#define SELECTION_GROUPS 64
#define SELECTION_SIZES  32

/* In the order given, without duplicates. A count of 0 leaves suites, kinds or versions to what
 * fits the other dimensions; the others have at least their default. */
struct selection {
    struct selected_suite {
        struct mention mention;
        const struct suite *suite;
    } suites[SELECTION_SUITES];
    struct selected_kind {
        struct mention mention;
        const struct certificate_kind *kind;
    } kinds[SELECTION_KINDS];
    struct selected_group {
        struct mention mention;
        const struct tls_group *group;
    } groups[SELECTION_GROUPS];
    struct selected_version {
        struct mention mention;
        int version;
    } versions[4];
    enum measure measures[2];
    uint32_t record_sizes[SELECTION_SIZES];
    enum direction directions[2];
    size_t suite_count, kind_count, group_count, version_count;
    size_t measure_count, record_size_count, direction_count;
};

/* Whether a list is given that makes the plan a cross product. --measure alone does not: it takes
 * its part of the default plan. */
bool selection_given(const struct run_options *options);

/* Fills *selection. A name that nobody knows is an error with the nearest known one. */
bool selection_read(const struct run_options *options, const struct library_facts *library,
                    struct selection *selection, struct error *err) MUST_CHECK;

/* The part of it that reads --suites. */
bool selection_read_suites(const struct text_list *words, const struct library_facts *library,
                           struct selection *selection, struct error *err) MUST_CHECK;

#endif
