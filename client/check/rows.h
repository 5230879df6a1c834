#ifndef CLIENT_CHECK_ROWS_H
#define CLIENT_CHECK_ROWS_H

#include "client/check/expect.h"

#include <stdbool.h>
#include <stddef.h>

/* Every suite of a subject with every certificate that could serve it: what should work, and after
 * the proof what does. */

struct check_row {
    const struct cipher_choice *choice;
    const struct check_certificate *certificate; /* NULL: none is used, or none fits */
    bool works[SUBJECT_VERSIONS];
    enum subject_version version; /* the highest that works, or the one that `reason` is about */
    enum dead_reason reason;      /* DEAD_NOT: usable */
    char why[EXPECT_TEXT];

    /* After the proof. */
    bool proved; /* every version did as expected */
    char surprise[160];

    /* After the measurement: indices into the plan of price.h, SIZE_MAX where there is none. */
    size_t handshake_case, bulk_case;
};

struct check_rows {
    struct check_row *items; /* TLS 1.3 first, then in the order of the list */
    size_t count, usable;
};

/* Pure. The pointers go into the subject. */
void rows_build(struct check_rows *rows, const struct check_subject *subject,
                const struct library_facts *library);
/* Nothing is usable of a server that does not start. */
void rows_refuse(struct check_rows *rows);
void rows_cleanup(struct check_rows *rows);

/* Whether a row with this certificate works in this version. */
const struct check_row *rows_find(const struct check_rows *rows, const struct suite *suite,
                                  const struct check_certificate *certificate);

#endif
