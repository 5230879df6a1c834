#include "client/check/weak.h"

#include <string.h>

static bool has(const struct suite *suite, const char *part)
{
    return strstr(suite->iana, part) != NULL;
}

static bool ends(const struct suite *suite, const char *end)
{
    size_t length = strlen(suite->iana), end_length = strlen(end);

    return length > end_length && strcmp(suite->iana + length - end_length, end) == 0;
}

static bool is_null(const struct suite *suite, const struct suite_facts *facts)
{
    (void)suite;
    return facts->null_cipher;
}

static bool is_anonymous(const struct suite *suite, const struct suite_facts *facts)
{
    (void)facts;
    return has(suite, "_anon_");
}

static bool is_export(const struct suite *suite, const struct suite_facts *facts)
{
    (void)facts;
    return has(suite, "_EXPORT_");
}

static bool is_rc4(const struct suite *suite, const struct suite_facts *facts)
{
    (void)facts;
    return has(suite, "_RC4_");
}

/* Blocks of 64 bits. */
static bool is_small_block(const struct suite *suite, const struct suite_facts *facts)
{
    (void)facts;
    return has(suite, "DES_") || has(suite, "_IDEA_") || has(suite, "_RC2_");
}

static bool is_static_rsa(const struct suite *suite, const struct suite_facts *facts)
{
    (void)suite;
    return facts->exchange == EXCHANGE_RSA;
}

static bool is_cbc_sha1(const struct suite *suite, const struct suite_facts *facts)
{
    return !facts->aead && has(suite, "_CBC_") && ends(suite, "_SHA");
}

static bool is_cbc(const struct suite *suite, const struct suite_facts *facts)
{
    return !facts->aead && has(suite, "_CBC_") && !ends(suite, "_SHA") && !ends(suite, "_MD5");
}

static bool is_md5(const struct suite *suite, const struct suite_facts *facts)
{
    (void)facts;
    return ends(suite, "_MD5");
}

static bool is_ccm8(const struct suite *suite, const struct suite_facts *facts)
{
    (void)facts;
    return has(suite, "_CCM_8");
}

static bool is_dss(const struct suite *suite, const struct suite_facts *facts)
{
    (void)suite;
    return facts->auth == AUTH_DSS;
}

const struct weak_row weak_table[] = {
    {"NULL encryption", FINDING_WARNING, is_null,
     "nothing is encrypted: whoever is on the way reads everything (RFC 9325 section 4.1)",
     "exclude them: !eNULL"},
    {"anonymous", FINDING_WARNING, is_anonymous,
     "nobody is authenticated: anyone on the way can take the server's place (RFC 9325 section "
     "4.1)",
     "exclude them: !aNULL"},
    {"export", FINDING_WARNING, is_export,
     "keys of 40 or 56 bits that are broken in hours: FREAK, Logjam (RFC 9325 section 4.1)",
     "exclude them: !EXPORT"},
    {"RC4", FINDING_WARNING, is_rc4,
     "the key stream is biased, cookies are recovered from many connections (RFC 7465 forbids it)",
     "exclude it: !RC4"},
    {"64-bit blocks", FINDING_WARNING, is_small_block,
     "blocks of 64 bits repeat after some gigabytes: Sweet32 (CVE-2016-2183, RFC 9325 section "
     "4.1)",
     "exclude them: !3DES:!IDEA"},
    {"static RSA", FINDING_WARNING, is_static_rsa,
     "no forward secrecy: the server's key opens recorded traffic later, and ROBOT attacks the "
     "padding (RFC 9325 section 4.1)",
     "exclude it: !kRSA"},
    {"MD5", FINDING_WARNING, is_md5, "the MAC is HMAC-MD5 (RFC 6151)", "exclude it: !MD5"},
    {"CBC with SHA-1", FINDING_WARNING, is_cbc_sha1,
     "MAC-then-encrypt: Lucky 13 and later padding oracles, in TLS 1.0 BEAST too (RFC 7366, RFC "
     "9325 section 4.2 asks for AEAD)",
     "keep AEAD suites (GCM, CCM, ChaCha20), or exclude them: !SHA1"},
    {"CBC", FINDING_NOTE, is_cbc,
     "MAC-then-encrypt with a newer hash: Lucky 13 applies all the same (RFC 7366, RFC 9325 "
     "section "
     "4.2 asks for AEAD)",
     "exclude them: !SHA256:!SHA384"},
    {"short tag", FINDING_WARNING, is_ccm8,
     "CCM8's tag of 64 bits lets a forgery pass once in 2^64 tries and ages faster (RFC 6655 "
     "section 6.1, RFC 8446 section 9.1 leaves it out); meant for constrained devices (RFC 7925)",
     "exclude it: !AESCCM8, unless such devices are clients"},
    {"DSS", FINDING_NOTE, is_dss,
     "DSA certificates are not issued any more, and TLS 1.3 has none (RFC 8446 section 1.2)",
     "exclude it: !aDSS"},
};

const size_t weak_count = sizeof weak_table / sizeof weak_table[0];

bool weak_is_warned(const struct suite *suite)
{
    struct suite_facts facts = suite_facts(suite);

    for (size_t i = 0; i < weak_count; i++)
        if (weak_table[i].level >= FINDING_WARNING && weak_table[i].applies(suite, &facts))
            return true;
    return false;
}
