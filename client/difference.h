#ifndef CLIENT_DIFFERENCE_H
#define CLIENT_DIFFERENCE_H

#include "client/measurement.h"
#include "common/stats/sample.h"

#include <stdbool.h>
#include <stddef.h>

/* What two cases of one measure may differ in, in the order in which people name them. */
enum difference_field {
    DIFFERENCE_VERSION,
    DIFFERENCE_SUITE,
    DIFFERENCE_CERTIFICATE,
    DIFFERENCE_GROUP,
    DIFFERENCE_RECORD_SIZE,
    DIFFERENCE_DIRECTION,
    DIFFERENCE_FIELDS,
};

const char *difference_field_name(enum difference_field field); /* as in JSON: "certificate" */

/* The largest difference in cost that a table shows, like with like: among the pairs of cases that
 * differ in the fewest fields. */
struct difference {
    const struct case_result *dear, *cheap;
    struct interval ratio; /* dear over cheap, from paired rounds */
    bool of_client;        /* the client's cost, since the server of either is not known */
    bool unsure;           /* the ratio's interval includes 1.00 */
    bool differs[DIFFERENCE_FIELDS];
};

/* Pure. `rounds` is how many were planned. False: fewer than two cases of this measure have a cost.
 */
bool difference_largest(const struct case_result *results, size_t count, unsigned rounds,
                        enum measure measure, struct difference *difference);

#endif
