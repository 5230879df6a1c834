#ifndef SERVER_SNI_H
#define SERVER_SNI_H

#include "common/base/error.h"
#include "common/tls/identity.h"

#include <stddef.h>
#include <stdint.h>

/* Which identities a client is served by the name that it asks for. Pure: no context is made here.
 * A set of identities is a bit mask, and holds at most one of each key type, since a context has
 * room for one (the last would silently win). */

#define SNI_IDENTITIES_MAX 64

struct sni_plan {
    uint64_t base; /* without a matching name */
    struct sni_name {
        char *name; /* "rsa-2048.suitemark.test", "*.example.org" */
        uint64_t identities;
    } * names;
    size_t count;
};

/* The first `own` identities are a user's: they make the base, and where two of them have the same
 * key type each is also found by its DNS names. The others are made ones: found as
 * KIND.suitemark.test, and where there are no own ones the base is rsa-2048, ecdsa-p256 and ed25519
 * of them, or just the first: never rsa-pss or ml-dsa beside a classical one, which they would
 * displace. */
bool sni_plan_build(const struct identity *identities, size_t count, size_t own,
                    struct sni_plan *plan, struct error *err) MUST_CHECK;
void sni_plan_cleanup(struct sni_plan *plan);

/* The entry for a host name in any case, exact names before "*." ones; NULL: none. */
const struct sni_name *sni_plan_find(const struct sni_plan *plan, const char *host);

#endif
