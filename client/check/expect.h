#ifndef CLIENT_CHECK_EXPECT_H
#define CLIENT_CHECK_EXPECT_H

#include "client/check/subject.h"

#include <stdbool.h>

/* Whether a suite should be negotiated with a certificate in one version of the protocol, by what
 * is known of OpenSSL (ssl_cert.c's default security callback, s3_lib.c's choice of a suite) and
 * RFC 8422. Pure; the proof holds it against real handshakes. */

enum dead_reason {
    DEAD_NOT, /* it works */
    /* In the order in which they are asked: the later, the nearer a suite is to work. */
    DEAD_NOT_HERE,      /* this library has not the cipher that the suite needs */
    DEAD_MISFIT,        /* the suite is not of this version */
    DEAD_VERSION_OFF,   /* the protocol version is off */
    DEAD_VERSION_LEVEL, /* TLS 1.0 and 1.1 need security level 0 */
    DEAD_DEAF,          /* the highest version has no suite: every handshake is refused */
    DEAD_CERTIFICATE,   /* no certificate of the right type */
    DEAD_KEYLESS,       /* needs a pre-shared key, an SRP password, … */
    DEAD_LEVEL,         /* the suite is refused by the security level */
    DEAD_GROUP,         /* no group that this version can use */
    DEAD_DH_MISSING,
    DEAD_DH_SMALL,
    DEAD_REFUSED, /* the server does not start: rows_refuse */
};

#define EXPECT_TEXT 200

/* The words go to `text`: "needs an RSA certificate"; "" when it works. `certificate` may be NULL
 * only where the subject has none. */
enum dead_reason expect(const struct check_subject *subject, const struct library_facts *library,
                        const struct check_certificate *certificate,
                        const struct cipher_choice *choice, enum subject_version version,
                        char text[static EXPECT_TEXT]);

#endif
