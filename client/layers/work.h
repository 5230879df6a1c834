#ifndef CLIENT_LAYERS_WORK_H
#define CLIENT_LAYERS_WORK_H

#include "client/case.h"
#include "common/base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* What a case makes each side compute, whoever writes the TLS around it: the primitive layer. Named
 * are the parts that a choice of certificate, group or suite decides. Hashes of the handshake, key
 * derivation (the TLS 1.2 PRF, HKDF) and the few records of a handshake are left out: they are
 * small, and the same for all. What the parts leave of the memory layer is libssl's share. */

enum work_side {
    WORK_CLIENT,
    WORK_SERVER,
};
#define WORK_SIDES 2

enum work_component {
    WORK_SIGNATURE,    /* the server's CertificateVerify or ServerKeyExchange */
    WORK_KEY_EXCHANGE, /* generate and derive; static RSA: encrypt and decrypt */
    WORK_CHAIN,        /* the certificates' signatures, where the client verifies the chain */
    WORK_CIPHER,       /* bulk: one record */
    WORK_MAC,          /* bulk: of ciphers that are no AEADs */
};
#define WORK_COMPONENTS 5

const char *work_component_name(enum work_component component); /* "key_exchange" */

struct work_part {
    enum work_component component;
    char primitive[64]; /* as primitive_case_parse takes it: "rsa-pss-2048 sign" */
};

#define WORK_PARTS 6

/* Of one handshake, or of one record. */
struct work {
    struct work_part parts[WORK_PARTS];
    size_t count;
};

/* Pure. `verified`: the client verifies the chain, which is one of ours (certs/authority.h).
 * Encrypt-then-MAC counts as libssl negotiates it by default: cipher and MAC apart. */
void work_of(const struct test_case *test_case, enum work_side side, bool verified,
             struct work *work);

/* What one operation of a primitive costs, in nanoseconds. */
typedef bool work_price(void *context, const char *primitive, double *ns, struct error *err);

/* Adds the prices up by component; *sum is all of them. */
bool work_cost(const struct work *work, work_price *price, void *context,
               double components[static WORK_COMPONENTS], double *sum,
               struct error *err) MUST_CHECK;

#endif
