#include "client/check/expect.h"

#include "client/check/suite_b.h"
#include "common/tls/version.h"

#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bits of security that a level asks for (SSL_CTX_set_security_level(3)). */
static const int level_bits[] = {0, 80, 112, 128, 192, 256};
#define SHA1_MAC_BITS 160

static int bits_of_level(int level)
{
    return level_bits[level < 0 ? 0 : level > 5 ? 5 : level];
}

/* Bits of security as OpenSSL's tables have them (providers/common/capabilities.c); groups that are
 * not here have 128. */
static const struct group_row {
    const char *name;
    int bits;
} group_rows[] = {
    {"p-384", 192},
    {"p-521", 256},
    {"x448", 224},
    {"ffdhe2048", 112},
    {"ffdhe8192", 192},
    {"SecP384r1MLKEM1024", 256},
    {"MLKEM768", 192},
    {"MLKEM1024", 256},
    {"X25519MLKEM768", 192},
    {"SecP256r1MLKEM768", 192},
    {"brainpoolP384r1", 192},
    {"brainpoolP384r1tls13", 192},
    {"brainpoolP512r1", 256},
    {"brainpoolP512r1tls13", 256},
    {"secp224r1", 112},
    {"secp224k1", 112},
    {"secp192r1", 80},
    {"secp192k1", 80},
    {"secp160r2", 80},
    {"secp160r1", 80},
    {"secp160k1", 80},
    {"sect571r1", 256},
    {"sect571k1", 256},
    {"sect409r1", 192},
    {"sect409k1", 192},
    {"sect239k1", 112},
    {"sect233r1", 112},
    {"sect233k1", 112},
    {"sect193r2", 80},
    {"sect193r1", 80},
    {"sect163r2", 80},
    {"sect163r1", 80},
    {"sect163k1", 80},
};

static int group_bits(const struct tls_group *group)
{
    for (size_t i = 0; i < sizeof group_rows / sizeof group_rows[0]; i++)
        if (strcmp(group_rows[i].name, group->name) == 0)
            return group_rows[i].bits;
    return 128;
}

static int dh_security_bits(int bits)
{
    return bits >= 7680 ? 192 : bits >= 3072 ? 128 : bits >= 2048 ? 112 : bits >= 1024 ? 80 : 0;
}

static enum dead_reason dead(enum dead_reason reason, char text[static EXPECT_TEXT],
                             const char *words)
{
    snprintf(text, EXPECT_TEXT, "%s", words);
    return reason;
}

static bool uses_group(const struct suite_facts *facts)
{
    return facts->exchange == EXCHANGE_ECDHE || facts->exchange == EXCHANGE_TLS13;
}

static enum dead_reason expect_version(const struct check_subject *subject,
                                       const struct suite_facts *facts,
                                       enum subject_version version, char text[static EXPECT_TEXT])
{
    int number = subject_version_number(version);
    char words[EXPECT_TEXT];

    if (number < facts->min_version || number > facts->max_version) {
        snprintf(words, sizeof words, "not a suite of TLS %s", tls_version_name(number));
        return dead(DEAD_MISFIT, text, words);
    }
    if (!subject->version_on[version]) {
        snprintf(words, sizeof words, "TLS %s is off", tls_version_name(number));
        return dead(DEAD_VERSION_OFF, text, words);
    }
    if (version <= SUBJECT_11 && subject->list.level > 0) {
        snprintf(words, sizeof words,
                 "TLS %s needs security level 0 (@SECLEVEL=0), here it is %d: its signatures are "
                 "SHA-1 or MD5 (\"no suitable signature algorithm\")",
                 tls_version_name(number), subject->list.level);
        return dead(DEAD_VERSION_LEVEL, text, words);
    }
    if (subject->deaf_number) {
        snprintf(words, sizeof words, "no handshake succeeds while TLS %s has no suite",
                 tls_version_name(subject->deaf_number));
        return dead(DEAD_DEAF, text, words);
    }
    return DEAD_NOT;
}

/* Anonymous suites need no certificate, but level 0. */
static bool is_anonymous(const struct suite_facts *facts)
{
    return facts->auth == AUTH_NONE &&
           (facts->exchange == EXCHANGE_DHE || facts->exchange == EXCHANGE_ECDHE);
}

/* Up to TLS 1.2 OpenSSL looks at the whole chain. */
static enum dead_reason expect_suite_b(const struct check_subject *subject,
                                       const struct check_certificate *certificate, int version,
                                       char text[static EXPECT_TEXT])
{
    int flags = subject->list.suite_b;
    char words[EXPECT_TEXT];

    if (!flags)
        return DEAD_NOT;
    snprintf(words, sizeof words, "Suite B takes certificates of %s alone%s", suite_b_groups(flags),
             version < TLS1_3_VERSION ? ", their issuers included" : "");
    if (!suite_b_takes(flags, &certificate->kind) ||
        (version < TLS1_3_VERSION && !certificate->suite_b[flags >> 16]))
        return dead(DEAD_CERTIFICATE, text, words);
    return DEAD_NOT;
}

static enum dead_reason expect_certificate(const struct check_subject *subject,
                                           const struct check_certificate *certificate,
                                           const struct suite *suite,
                                           const struct suite_facts *facts, int version,
                                           char text[static EXPECT_TEXT])
{
    const char *reason;

    if (is_anonymous(facts))
        return subject->list.level == 0
                   ? DEAD_NOT
                   : dead(DEAD_LEVEL, text, "anonymous suites need security level 0");
    if (facts->exchange == EXCHANGE_PSK)
        return dead(DEAD_KEYLESS, text, "needs a pre-shared key");
    if (facts->exchange == EXCHANGE_SRP)
        return dead(DEAD_KEYLESS, text, "needs an SRP password");
    if (!certificate)
        return dead(DEAD_CERTIFICATE, text, "there is no certificate");
    if (kind_serves(&certificate->kind, suite, version, &reason))
        return expect_suite_b(subject, certificate, version, text);
    bool keyless = facts->auth == AUTH_NONE || facts->exchange == EXCHANGE_OTHER;
    return dead(keyless ? DEAD_KEYLESS : DEAD_CERTIFICATE, text, reason);
}

static enum dead_reason expect_level(const struct check_subject *subject,
                                     const struct check_certificate *certificate,
                                     const struct cipher_choice *choice,
                                     const struct suite_facts *facts, char text[static EXPECT_TEXT])
{
    int level = subject->list.level, least = bits_of_level(level);
    const char *iana = choice->suite->iana;
    bool sha1 = !facts->aead && strlen(iana) > 4 && strcmp(iana + strlen(iana) - 4, "_SHA") == 0;
    char words[EXPECT_TEXT];

    if (level == 0)
        return DEAD_NOT;
    if (choice->bits < least) {
        snprintf(words, sizeof words, "security level %d asks for %d bits, the suite has %d", level,
                 least, choice->bits);
        return dead(DEAD_LEVEL, text, words);
    }
    if (strstr(iana, "_MD5"))
        return dead(DEAD_LEVEL, text, "MD5 needs security level 0");
    if (sha1 && least > SHA1_MAC_BITS)
        return dead(DEAD_LEVEL, text, "HMAC with SHA-1 needs security level 3 or lower");
    if (level >= 3 && facts->exchange == EXCHANGE_RSA)
        return dead(DEAD_LEVEL, text, "security level 3 and above wants forward secrecy");
    if (certificate && certificate->security_bits < least && facts->auth != AUTH_NONE)
        return dead(DEAD_LEVEL, text, "the certificate's key is too small for the security level");
    return DEAD_NOT;
}

static bool group_usable(const struct tls_group *group, int version, int least)
{
    return version >= group->min_version && version <= group->max_version &&
           group_bits(group) >= least;
}

/* The curve of an EC certificate need not be among the server's groups, only among the client's. */
static enum dead_reason expect_group(const struct check_subject *subject,
                                     const struct suite_facts *facts, int version,
                                     char text[static EXPECT_TEXT])
{
    int least = bits_of_level(subject->list.level);
    bool some = false;
    char words[EXPECT_TEXT];

    if (!uses_group(facts))
        return DEAD_NOT;
    for (size_t i = 0; i < subject->group_count; i++) {
        some |= group_usable(subject->group_list[i], version, least);
    }
    if (!some) {
        snprintf(words, sizeof words, "no group that TLS %s can use is offered",
                 tls_version_name(version));
        return dead(DEAD_GROUP, text, words);
    }
    return DEAD_NOT;
}

/* RFC 7919, which OpenSSL follows from 4.0 on: with a client that offers groups of it, as its own
 * do, one of them is used, or no DHE at all; what parameters the server has is then nothing to it.
 */
static enum dead_reason expect_ffdhe(const struct check_subject *subject,
                                     char text[static EXPECT_TEXT])
{
    int least = bits_of_level(subject->list.level);

    for (size_t i = 0; i < subject->group_count; i++) {
        const char *name = subject->group_list[i]->name;
        if (strncmp(name, "ffdhe", 5) == 0 &&
            dh_security_bits((int)strtol(name + 5, NULL, 10)) >= least)
            return DEAD_NOT;
    }
    return dead(DEAD_GROUP, text,
                "the groups have no ffdhe, which a client of OpenSSL 4.0 asks for (RFC 7919)");
}

static enum dead_reason expect_dh(const struct check_subject *subject,
                                  const struct library_facts *library,
                                  const struct suite_facts *facts, char text[static EXPECT_TEXT])
{
    int least = bits_of_level(subject->list.level);
    char words[EXPECT_TEXT];

    if (facts->exchange != EXCHANGE_DHE)
        return DEAD_NOT;
    if (library->version >= 0x40000000UL)
        return expect_ffdhe(subject, text);
    if (subject->dh == DH_AUTO)
        return DEAD_NOT;
    if (subject->dh == DH_NONE)
        return dead(DEAD_DH_MISSING, text, "there are no DH parameters (ssl_dhparam)");
    if (dh_security_bits(subject->dh_bits) >= (least ? least : 80))
        return DEAD_NOT;
    snprintf(words, sizeof words, "DH parameters of %d bits are too small for security level %d",
             subject->dh_bits, subject->list.level);
    return dead(DEAD_DH_SMALL, text, words);
}

enum dead_reason expect(const struct check_subject *subject, const struct library_facts *library,
                        const struct check_certificate *certificate,
                        const struct cipher_choice *choice, enum subject_version version,
                        char text[static EXPECT_TEXT])
{
    struct suite_facts facts = suite_facts(choice->suite);
    int number = subject_version_number(version);
    enum dead_reason reason;

    text[0] = '\0';
    if (!library_has_suite(library, choice->suite))
        return dead(DEAD_NOT_HERE, text, "this library has not the cipher");
    reason = expect_version(subject, &facts, version, text);
    if (reason == DEAD_NOT)
        reason = expect_certificate(subject, certificate, choice->suite, &facts, number, text);
    if (reason == DEAD_NOT)
        reason = expect_level(subject, certificate, choice, &facts, text);
    if (reason == DEAD_NOT)
        reason = expect_group(subject, &facts, number, text);
    if (reason == DEAD_NOT)
        reason = expect_dh(subject, library, &facts, text);
    return reason;
}
