#ifndef CLIENT_CHECK_SUITE_B_H
#define CLIENT_CHECK_SUITE_B_H

#include "common/tls/group.h"
#include "common/tls/kind.h"

#include <openssl/x509.h>
#include <stdbool.h>
#include <stddef.h>

/* Suite B (RFC 6460), which a cipher string switches on with its first word. OpenSSL then puts two
 * suites in the place of the whole string, two curves in the place of the groups, and takes only
 * certificates of these curves; up to TLS 1.2 their whole chain must be so (s3_lib.c, t1_lib.c).
 * The flags are SSL_CERT_FLAG_SUITEB_…, 0 for none. */

/* Whether a string begins with such a word; anywhere else OpenSSL drops it. */
bool suite_b_starts(const char *string);

/* The shortest string that sets the flags and gives as many suites. */
const char *suite_b_word(int flags, size_t suites);

/* The groups that are in force, colon-separated. */
const char *suite_b_groups(int flags);

/* Whether a certificate of this kind can be used at all. */
bool suite_b_takes(int flags, const struct certificate_kind *kind);

/* The one group of RFC 6460 that a suite of TLS 1.2 is used with. */
const struct tls_group *suite_b_group_of(const char *iana);

/* Whether a chain can be used up to TLS 1.2. */
bool suite_b_chain(int flags, X509 *leaf, STACK_OF(X509) * chain);

#endif
