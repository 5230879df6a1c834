#ifndef CLIENT_CHECK_TWIN_H
#define CLIENT_CHECK_TWIN_H

#include "client/check/subject.h"
#include "client/embedded.h"
#include "client/interrupt.h"
#include "client/load.h"
#include "client/placement.h"
#include "client/resolve.h"
#include "common/base/error.h"

#include <stdbool.h>

/* The embedded server, configured exactly as a subject is. */
struct twin {
    struct embedded embedded;
    bool running;
    char folder[64]; /* of stand-in certificates, "": none */
    struct load_settings load;
    struct placement placement;
    char address[ADDRESS_TEXT];
};

/* Starts it. The subject must not be refused, and have a certificate. Free with twin_stop in any
 * case. */
bool twin_start(struct twin *twin, const struct check_subject *subject, struct interrupt *interrupt,
                struct error *err) MUST_CHECK;
void twin_stop(struct twin *twin);

/* The settings as one line: two subjects with the same line are the same server. A new text. */
char *twin_describe(const struct check_subject *subject);

/* Where every connection of a check goes: timeouts, one thread, no pins. */
void twin_init_load(struct load_settings *load);

#endif
