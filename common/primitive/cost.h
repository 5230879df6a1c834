#ifndef COMMON_PRIMITIVE_COST_H
#define COMMON_PRIMITIVE_COST_H

#include "common/primitive/primitive.h"

/* What one operation costs on the calling thread, for whoever adds up what a handshake or a record
 * must compute. */

/* The case that a text names, in words between blanks and in any order behind the algorithm:
 *   "rsa-2048 sign"              PKCS #1 of a SHA-256 digest      "rsa-pss-2048 verify"
 *   "ecdsa-p256 sign"            "ed25519 verify"                 "ml-dsa-65 sign"
 *   "x25519 keygen"              "p-256 derive"                   "ffdhe2048 exchange"
 *   "rsa-kex-2048 decrypt"       "x25519mlkem768 encapsulate"
 *   "aes-128-gcm encrypt 16384"  "aes-256-cbc-hmac-sha1 record decrypt 1k"   "sha256 digest 64"
 * The shape is the class's usual one when none is named: record for AEADs, oneshot (as a handshake
 * does it, the peer's value checked) for key exchange. */
bool primitive_case_parse(const char *text, struct primitive_case *what,
                          struct error *err) MUST_CHECK;

/* Sets up, verifies, measures for about `time_ns` (at least three batches), and gives the median
 * cost of one operation in nanoseconds. `keys` keeps keys from one call to the next; NULL: none are
 * kept. A case that the library has not, or that fails, is an error with the reason. */
bool primitive_cost(const struct primitive_case *what, struct key_ring *keys, uint64_t time_ns,
                    double *ns, struct error *err) MUST_CHECK;

#endif
