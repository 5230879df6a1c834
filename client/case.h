#ifndef CLIENT_CASE_H
#define CLIENT_CASE_H

#include "common/base/error.h"
#include "common/tls/group.h"
#include "common/tls/kind.h"
#include "common/tls/library.h"
#include "common/tls/suite.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum measure {
    MEASURE_HANDSHAKE, /* new full handshakes, one after the other on each connection slot */
    MEASURE_BULK,      /* application bytes over kept connections */
};

enum direction {
    DIRECTION_DOWNLOAD, /* the server sends */
    DIRECTION_UPLOAD,   /* the client sends */
};

/* What is measured: measure x version x suite x certificate kind x group (x record size x direction
 * for bulk). Everything is pinned; the pointers go into const tables. */
struct test_case {
    char id[160]; /* "handshake/1.3/TLS_AES_128_GCM_SHA256/ecdsa-p256/x25519", bulk:
                     "…/16384/download" */
    enum measure measure;
    int version; /* TLS1_VERSION … TLS1_3_VERSION */
    const struct suite *suite;
    const struct certificate_kind *kind;
    /* NULL: the suite leaves none to choose (static RSA; DHE in TLS <= 1.2) */
    const struct tls_group *group;
    uint32_t record_size;     /* bulk: bytes of one SSL_write */
    enum direction direction; /* bulk */
};

const char *measure_name(enum measure measure);       /* "handshake" */
const char *direction_name(enum direction direction); /* "download" */

/* The words of the command line. Refused with one line that names the word and what is allowed. */
bool measure_parse(const char *word, enum measure *measure, struct error *err) MUST_CHECK;
bool direction_parse(const char *word, enum direction *direction, struct error *err) MUST_CHECK;
bool record_size_parse(const char *word, uint32_t *bytes, struct error *err) MUST_CHECK;

#define RECORD_SIZE_MAX 16384 /* plaintext bytes of one TLS record (RFC 8446 section 5.1) */

/* Fills id from the other fields. */
void case_set_id(struct test_case *test_case);

/* Whether a suite leaves a group to choose: not with static RSA, and not with DHE, where the server
 * sends its own parameters. */
bool case_has_group(const struct suite *suite);

/* Whether a case can be at all, and what stands in the way. */
enum case_fit {
    CASE_FITS,
    CASE_SUITE_CANNOT,   /* not in this library, or it needs what no certificate gives (PSK, SRP) */
    CASE_VERSION_MISFIT, /* the suite is not of this protocol version */
    /* From here on it is about the pair, and the suite itself is well. */
    CASE_KIND_MISFIT,   /* the certificate cannot serve the suite in this version */
    CASE_KIND_MISSING,  /* the library has no such keys or signatures */
    CASE_GROUP_MISFIT,  /* the group is not of this protocol version */
    CASE_GROUP_MISSING, /* the library has no such group */
};

/* The reason goes to `reason` ("" when it fits): "needs an RSA certificate". */
#define CASE_REASON 160
enum case_fit case_fit(const struct test_case *test_case, const struct library_facts *library,
                       char reason[static CASE_REASON]);

/* Why the library lacks this suite, kind or group; for things that it does lack. */
void case_suite_missing(const struct suite *suite, const struct library_facts *library,
                        char reason[static CASE_REASON]);
void case_kind_missing(const struct certificate_kind *kind, const struct library_facts *library,
                       char reason[static CASE_REASON]);
void case_group_missing(const struct tls_group *group, const struct library_facts *library,
                        char reason[static CASE_REASON]);

#endif
