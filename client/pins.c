#include "client/pins.h"

#include "common/base/text.h"
#include "common/tls/version.h"

#include <stdio.h>
#include <string.h>

static bool differs(char *what, size_t size, const char *fact, const char *got, const char *wanted)
{
    (void)snprintf(what, size, "%s %s instead of %s", fact, got[0] ? got : "none", wanted);
    return false;
}

static const char *suite_text(uint16_t code)
{
    const struct suite *suite = suite_by_code(code);
    return suite ? suite_name(suite) : "unknown";
}

static bool certificate_matches(const struct certificate_kind *kind, const struct negotiated *facts)
{
    if (strcmp(facts->certificate_type, kind->key_type) != 0)
        return false;
    if (kind->curve)
        return text_equal_nocase(facts->certificate_curve, kind->curve);
    bool sized = strncmp(kind->key_type, "RSA", 3) == 0 || strcmp(kind->key_type, "DSA") == 0;
    return !sized || facts->certificate_bits == kind->bits;
}

bool pins_match(const struct test_case *test_case, const struct negotiated *facts, char *what,
                size_t size)
{
    char got[64];
    if (facts->resumed)
        return differs(what, size, "a", "resumed session", "a full handshake");
    if (facts->version != test_case->version)
        return differs(what, size, "TLS", tls_version_name(facts->version),
                       tls_version_name(test_case->version));
    if (facts->suite != test_case->suite->code)
        return differs(what, size, "suite", suite_text(facts->suite), suite_name(test_case->suite));
    if (!certificate_matches(test_case->kind, facts)) {
        (void)snprintf(got, sizeof got, "%s %d", facts->certificate_type, facts->certificate_bits);
        return differs(what, size, "certificate", got, test_case->kind->name);
    }
    if (test_case->group && strcmp(facts->group, test_case->group->name) != 0)
        return differs(what, size, "group", facts->group, test_case->group->name);
    return true;
}

bool pins_hold(SSL *ssl, const struct test_case *test_case, const struct negotiated *expected,
               char *what, size_t size)
{
    if (expected)
        return negotiated_same(ssl, expected, what, size);
    struct negotiated facts;
    negotiated_read(ssl, &facts);
    return pins_match(test_case, &facts, what, size);
}
