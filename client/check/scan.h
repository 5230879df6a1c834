#ifndef CLIENT_CHECK_SCAN_H
#define CLIENT_CHECK_SCAN_H

#include "client/check/finding.h"
#include "client/check/subject.h"
#include "client/interrupt.h"
#include "client/load.h"
#include "common/tls/library.h"
#include "common/tls/negotiated.h"

#include <stdbool.h>
#include <stddef.h>

/* What a live server takes, asked of it by handshakes: one offer after the other without what it
 * has chosen already. */

#define SUITES_IN_SCAN 256

enum scan_preference {
    PREFERENCE_UNKNOWN, /* fewer than two to choose from */
    PREFERENCE_SERVER,
    PREFERENCE_SERVER_CHACHA, /* but clients that name ChaCha20 first get it */
    PREFERENCE_CLIENT,
};

const char *scan_preference_name(enum scan_preference preference);

/* Signature algorithms stand for the type of the certificate. */
enum scan_certificate {
    SCAN_RSA,
    SCAN_ECDSA, /* EC, Ed25519 and Ed448 keys */
    SCAN_ANY,   /* below TLS 1.2 nothing can be said about it */
};

const char *scan_certificate_name(enum scan_certificate certificate);

struct scan_list {
    int version;
    enum scan_certificate certificate;
    const struct suite *suites[SUITES_IN_SCAN];
    size_t count;
    enum scan_preference preference;
};

struct scan {
    struct scan_list lists[12]; /* those that have suites */
    size_t count;
    struct scan_groups {
        int version;
        const struct tls_group *groups[SUBJECT_GROUPS];
        size_t count;
    } groups[2];                        /* TLS 1.3 and 1.2 */
    struct negotiated certificates[16]; /* one handshake with each certificate */
    struct error faults[16];            /* of each chain; "": none */
    size_t certificate_count;
    size_t handshakes;
    int least_dh_bits;     /* of DHE below TLS 1.3; 0: none was seen */
    bool asks_certificate; /* of the client */
};

/* False: the server cannot be reached at all. */
bool scan_run(struct scan *scan, const struct library_facts *library,
              const struct load_settings *load, const struct interrupt *interrupt,
              struct error *err) MUST_CHECK;

/* What there is to say about what the server takes. */
void scan_find(const struct scan *scan, struct finding_list *findings);

#endif
