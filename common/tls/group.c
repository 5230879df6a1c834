#include "common/tls/group.h"

#include "common/base/text.h"

#include <openssl/objects.h>
#include <openssl/ssl.h>

/* Object numbers that OpenSSL 3.0's headers do not have yet; they never change. */
#define GROUP_NID_BRAINPOOL256 1285
#define GROUP_NID_BRAINPOOL384 1286
#define GROUP_NID_BRAINPOOL512 1287

#define EVERY_VERSION TLS1_VERSION, TLS1_3_VERSION
#define UP_TO_1_2     TLS1_VERSION, TLS1_2_VERSION
#define ONLY_1_3      TLS1_3_VERSION, TLS1_3_VERSION

/* What OpenSSL 3.0 to 4.0 take, the current ones first. TLS 1.3 dropped the curves before secp256r1
 * and gave the Brainpool curves codes of their own (RFC 8446 section 4.2.7, RFC 8734). */
const struct tls_group group_table[] = {
    {"x25519", NULL, "X25519", 29, NID_X25519, EVERY_VERSION},
    {"p-256", "secp256r1", "P-256", 23, NID_X9_62_prime256v1, EVERY_VERSION},
    {"p-384", "secp384r1", "P-384", 24, NID_secp384r1, EVERY_VERSION},
    {"p-521", "secp521r1", "P-521", 25, NID_secp521r1, EVERY_VERSION},
    {"x448", NULL, "X448", 30, NID_X448, EVERY_VERSION},
    {"ffdhe2048", NULL, "ffdhe2048", 256, NID_ffdhe2048, ONLY_1_3},
    {"ffdhe3072", NULL, "ffdhe3072", 257, NID_ffdhe3072, ONLY_1_3},
    {"ffdhe4096", NULL, "ffdhe4096", 258, NID_ffdhe4096, ONLY_1_3},
    {"ffdhe6144", NULL, "ffdhe6144", 259, NID_ffdhe6144, ONLY_1_3},
    {"ffdhe8192", NULL, "ffdhe8192", 260, NID_ffdhe8192, ONLY_1_3},
    {"X25519MLKEM768", NULL, "X25519MLKEM768", 0x11EC, NID_undef, ONLY_1_3},
    {"SecP256r1MLKEM768", NULL, "SecP256r1MLKEM768", 0x11EB, NID_undef, ONLY_1_3},
    {"SecP384r1MLKEM1024", NULL, "SecP384r1MLKEM1024", 0x11ED, NID_undef, ONLY_1_3},
    {"curveSM2MLKEM768", NULL, "curveSM2MLKEM768", 0x11EE, NID_undef, ONLY_1_3},
    {"MLKEM512", "ML-KEM-512", "MLKEM512", 512, NID_undef, ONLY_1_3},
    {"MLKEM768", "ML-KEM-768", "MLKEM768", 513, NID_undef, ONLY_1_3},
    {"MLKEM1024", "ML-KEM-1024", "MLKEM1024", 514, NID_undef, ONLY_1_3},
    {"brainpoolP256r1", NULL, "brainpoolP256r1", 26, NID_brainpoolP256r1, UP_TO_1_2},
    {"brainpoolP384r1", NULL, "brainpoolP384r1", 27, NID_brainpoolP384r1, UP_TO_1_2},
    {"brainpoolP512r1", NULL, "brainpoolP512r1", 28, NID_brainpoolP512r1, UP_TO_1_2},
    {"brainpoolP256r1tls13", NULL, "brainpoolP256r1tls13", 31, GROUP_NID_BRAINPOOL256, ONLY_1_3},
    {"brainpoolP384r1tls13", NULL, "brainpoolP384r1tls13", 32, GROUP_NID_BRAINPOOL384, ONLY_1_3},
    {"brainpoolP512r1tls13", NULL, "brainpoolP512r1tls13", 33, GROUP_NID_BRAINPOOL512, ONLY_1_3},
    {"curveSM2", "SM2", "curveSM2", 41, NID_undef, ONLY_1_3},
    {"secp256k1", NULL, "secp256k1", 22, NID_secp256k1, UP_TO_1_2},
    {"secp224r1", "P-224", "secp224r1", 21, NID_secp224r1, UP_TO_1_2},
    {"secp224k1", NULL, "secp224k1", 20, NID_secp224k1, UP_TO_1_2},
    {"secp192r1", "P-192", "secp192r1", 19, NID_X9_62_prime192v1, UP_TO_1_2},
    {"secp192k1", NULL, "secp192k1", 18, NID_secp192k1, UP_TO_1_2},
    {"secp160r2", NULL, "secp160r2", 17, NID_secp160r2, UP_TO_1_2},
    {"secp160r1", NULL, "secp160r1", 16, NID_secp160r1, UP_TO_1_2},
    {"secp160k1", NULL, "secp160k1", 15, NID_secp160k1, UP_TO_1_2},
    {"sect571r1", "B-571", "sect571r1", 14, NID_sect571r1, UP_TO_1_2},
    {"sect571k1", "K-571", "sect571k1", 13, NID_sect571k1, UP_TO_1_2},
    {"sect409r1", "B-409", "sect409r1", 12, NID_sect409r1, UP_TO_1_2},
    {"sect409k1", "K-409", "sect409k1", 11, NID_sect409k1, UP_TO_1_2},
    {"sect283r1", "B-283", "sect283r1", 10, NID_sect283r1, UP_TO_1_2},
    {"sect283k1", "K-283", "sect283k1", 9, NID_sect283k1, UP_TO_1_2},
    {"sect239k1", NULL, "sect239k1", 8, NID_sect239k1, UP_TO_1_2},
    {"sect233r1", "B-233", "sect233r1", 7, NID_sect233r1, UP_TO_1_2},
    {"sect233k1", "K-233", "sect233k1", 6, NID_sect233k1, UP_TO_1_2},
    {"sect193r2", NULL, "sect193r2", 5, NID_sect193r2, UP_TO_1_2},
    {"sect193r1", NULL, "sect193r1", 4, NID_sect193r1, UP_TO_1_2},
    {"sect163r2", "B-163", "sect163r2", 3, NID_sect163r2, UP_TO_1_2},
    {"sect163r1", NULL, "sect163r1", 2, NID_sect163r1, UP_TO_1_2},
    {"sect163k1", "K-163", "sect163k1", 1, NID_sect163k1, UP_TO_1_2},
};

const size_t group_count = sizeof group_table / sizeof group_table[0];

static const struct tls_group *group_find_exact(const char *name)
{
    for (size_t i = 0; i < group_count; i++) {
        const struct tls_group *group = &group_table[i];
        if (text_equal_nocase(group->name, name) || text_equal_nocase(group->openssl, name) ||
            (group->alias && text_equal_nocase(group->alias, name)))
            return group;
    }
    return NULL;
}

const struct tls_group *group_find(const char *name)
{
    const struct tls_group *group = group_find_exact(name);

    /* OpenSSL's object names too: prime256v1, as many a configuration calls P-256. */
    return group ? group : group_by_nid(OBJ_sn2nid(name));
}

/* How libssl marks a group that has no object number; the wire's code follows. */
#define GROUP_BY_CODE 0x1000000

const struct tls_group *group_by_nid(int nid)
{
    for (size_t i = 0; i < group_count; i++) {
        const struct tls_group *group = &group_table[i];
        if (nid == (GROUP_BY_CODE | group->code) || (nid != NID_undef && nid == group->nid))
            return group;
    }
    return NULL;
}

/* Names, then aliases, which are more familiar to some. */
static const char *group_candidate(size_t index, const void *context)
{
    (void)context;
    if (index < group_count)
        return group_table[index].name;
    index -= group_count;
    if (index >= group_count)
        return NULL;
    return group_table[index].alias ? group_table[index].alias : group_table[index].name;
}

const char *group_nearest(const char *word)
{
    return text_nearest(word, group_candidate, NULL);
}
