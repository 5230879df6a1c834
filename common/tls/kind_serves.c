#include "common/tls/kind.h"

#include <openssl/ssl.h>

/* Each function gives the reason against, or NULL when it has none. */

static const char *serves_version(int version, int min_version, int max_version,
                                  const char *too_new)
{
    if (version > max_version)
        return too_new;
    if (version >= min_version)
        return NULL;
    switch (min_version) {
    case TLS1_3_VERSION:
        return "needs TLS 1.3";
    case TLS1_2_VERSION:
        return "needs TLS 1.2 or later";
    default:
        return "needs TLS 1.1 or later";
    }
}

static const char *serves_suite_version(const struct suite_facts *facts, int version)
{
    const char *too_new = "the suite ends with TLS 1.2";

    if (facts->max_version == TLS1_1_VERSION)
        too_new = "the suite ends with TLS 1.1";
    else if (facts->max_version == TLS1_VERSION)
        too_new = "the suite ends with TLS 1.0";
    return serves_version(version, facts->min_version, facts->max_version, too_new);
}

/* Suites that no certificate alone can serve. */
static const char *serves_exchange(const struct suite_facts *facts)
{
    switch (facts->exchange) {
    case EXCHANGE_PSK:
        return "needs a pre-shared key";
    case EXCHANGE_SRP:
        return "needs an SRP password";
    case EXCHANGE_OTHER:
        return "OpenSSL 3 has no such key exchange";
    case EXCHANGE_NULL:
        return "is never negotiated";
    default:
        return facts->auth == AUTH_NONE ? "anonymous: uses no certificate" : NULL;
    }
}

static const char *serves_auth(const struct certificate_kind *kind, const struct suite_facts *facts)
{
    if (facts->auth == AUTH_ANY)
        return NULL;
    if (facts->auth == kind->auth) {
        bool needs_static = facts->exchange == EXCHANGE_RSA;
        return needs_static && !kind->static_rsa ? "static RSA cannot use an RSA-PSS key" : NULL;
    }
    switch (facts->auth) {
    case AUTH_RSA:
        return "needs an RSA certificate";
    case AUTH_ECDSA:
        return "needs an EC, Ed25519 or Ed448 certificate";
    case AUTH_DSS:
        return "needs a DSA certificate";
    default:
        return "no certificate kind fits";
    }
}

bool kind_serves(const struct certificate_kind *kind, const struct suite *suite, int version,
                 const char **reason)
{
    struct suite_facts facts = suite_facts(suite);

    *reason = serves_exchange(&facts);
    if (!*reason)
        *reason = serves_suite_version(&facts, version);
    if (!*reason)
        *reason = serves_auth(kind, &facts);
    /* Last: "needs an RSA certificate" helps more than the version that another kind needs. */
    if (!*reason)
        *reason = serves_version(version, kind->min_version, kind->max_version,
                                 "TLS 1.3 has no DSA certificates");
    return *reason == NULL;
}
