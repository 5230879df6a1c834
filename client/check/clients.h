#ifndef CLIENT_CHECK_CLIENTS_H
#define CLIENT_CHECK_CLIENTS_H

#include "client/check/attempt.h"
#include "client/check/profiles.h"
#include "client/check/subject.h"
#include "common/tls/library.h"

#include <stdbool.h>

/* What each client profile gets: a real handshake with its offer, as far as this library can speak
 * it. */

#define CLIENT_TEXT 240

struct client_outcome {
    const struct client_profile *profile;
    bool done;
    bool negotiates;              /* also when the server turns the client away behind it */
    struct negotiated negotiated; /* when so */
    bool asked;                   /* the server wants a certificate of the client */
    enum attempt_proof proof;     /* when done */
    int http_status;              /* as in attempt.h */
    char why[CLIENT_TEXT];        /* when not done */
    char unspoken[2048];          /* offers that this library cannot make; "" */
    bool not_provable;            /* the outcome may depend on them */
};

/* `subject` is the server's, NULL for a live one, whose own offers are not all known. */
void client_try(const struct client_profile *profile, const struct check_subject *subject,
                const struct library_facts *library, const struct load_settings *load,
                struct client_outcome *outcome);

#endif
