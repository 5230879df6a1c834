#include "client/layers/work.h"

#include <openssl/ssl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *work_component_name(enum work_component component)
{
    static const char *const names[WORK_COMPONENTS] = {"signature", "key_exchange", "chain",
                                                       "cipher", "mac"};

    return names[component];
}

static void PRINTF_LIKE(3, 4)
    add(struct work *work, enum work_component component, const char *format, ...)
{
    struct work_part *part = &work->parts[work->count++];
    va_list arguments;

    part->component = component;
    va_start(arguments, format);
    (void)vsnprintf(part->primitive, sizeof part->primitive, format, arguments);
    va_end(arguments);
}

static bool has_rsa_key(const struct certificate_kind *kind)
{
    return strncmp(kind->key_type, "RSA", 3) == 0;
}

/* RSA keys sign with PSS where there is a choice (common/tls/kind.c: sigalgs_12). */
static void add_signature(struct work *work, const struct test_case *test_case, const char *verb)
{
    const struct certificate_kind *kind = test_case->kind;

    if (!has_rsa_key(kind))
        add(work, WORK_SIGNATURE, "%s %s", kind->name, verb);
    else if (test_case->version >= TLS1_2_VERSION)
        add(work, WORK_SIGNATURE, "rsa-pss-%d %s", kind->bits, verb);
    else
        add(work, WORK_SIGNATURE, "rsa-%d %s", kind->bits, verb);
}

static bool is_kem(const struct tls_group *group)
{
    return strstr(group->openssl, "MLKEM") != NULL;
}

/* ML-KEM alone is MLKEM768 to TLS and ML-KEM-768 to EVP. */
static const char *kem_name(const struct tls_group *group)
{
    return group->alias ? group->alias : group->name;
}

static void add_group(struct work *work, const struct tls_group *group, enum work_side side)
{
    if (!is_kem(group)) {
        add(work, WORK_KEY_EXCHANGE, "%s exchange", group->name);
    } else if (side == WORK_CLIENT) {
        add(work, WORK_KEY_EXCHANGE, "%s keygen oneshot", kem_name(group));
        add(work, WORK_KEY_EXCHANGE, "%s decapsulate", kem_name(group));
    } else {
        add(work, WORK_KEY_EXCHANGE, "%s encapsulate", kem_name(group));
    }
}

static void add_exchange(struct work *work, const struct test_case *test_case, enum work_side side)
{
    const struct suite_facts facts = suite_facts(test_case->suite);

    if (facts.exchange == EXCHANGE_RSA)
        add(work, WORK_KEY_EXCHANGE, "rsa-kex-%d %s", test_case->kind->bits,
            side == WORK_CLIENT ? "encrypt" : "decrypt");
    else if (test_case->group)
        add_group(work, test_case->group, side);
    else if (facts.exchange == EXCHANGE_DHE) /* parameters as large as the certificate's key */
        add(work, WORK_KEY_EXCHANGE, "ffdhe%d exchange", test_case->kind->bits);
}

/* The leaf by its issuer's key, the issuer by the root's, which is P-256 (certs/authority.h). */
static void add_chain(struct work *work, const struct certificate_kind *kind)
{
    add(work, WORK_CHAIN, "%s verify", has_rsa_key(kind) ? "rsa-2048" : "ecdsa-p256");
    add(work, WORK_CHAIN, "ecdsa-p256 verify");
}

static void handshake_work(const struct test_case *test_case, enum work_side side, bool verified,
                           struct work *work)
{
    bool signs = suite_facts(test_case->suite).exchange != EXCHANGE_RSA;

    if (signs)
        add_signature(work, test_case, side == WORK_SERVER ? "sign" : "verify");
    add_exchange(work, test_case, side);
    if (verified && side == WORK_CLIENT)
        add_chain(work, test_case->kind);
}

/* The digest of a suite's MAC stands at the end of its name. */
static const char *mac_digest(const struct suite *suite)
{
    const char *last = strrchr(suite->iana, '_') + 1;

    return strcmp(last, "SHA") == 0      ? "sha1"
           : strcmp(last, "MD5") == 0    ? "md5"
           : strcmp(last, "SHA384") == 0 ? "sha384"
                                         : "sha256";
}

static void record_work(const struct test_case *test_case, enum work_side side, struct work *work)
{
    const struct suite_facts facts = suite_facts(test_case->suite);
    bool download = test_case->direction == DIRECTION_DOWNLOAD;
    bool sends = side == (download ? WORK_SERVER : WORK_CLIENT);
    unsigned size = test_case->record_size;

    if (!facts.null_cipher)
        add(work, WORK_CIPHER, "%s %s %u", facts.cipher ? facts.cipher : "unknown",
            sends ? "encrypt" : "decrypt", size);
    if (!facts.aead)
        add(work, WORK_MAC, "hmac-%s %u", mac_digest(test_case->suite), size);
}

void work_of(const struct test_case *test_case, enum work_side side, bool verified,
             struct work *work)
{
    *work = (struct work){.count = 0};
    if (test_case->measure == MEASURE_BULK)
        record_work(test_case, side, work);
    else
        handshake_work(test_case, side, verified, work);
}

bool work_cost(const struct work *work, work_price *price, void *context,
               double components[static WORK_COMPONENTS], double *sum, struct error *err)
{
    *sum = 0;
    for (int i = 0; i < WORK_COMPONENTS; i++)
        components[i] = 0;
    for (size_t i = 0; i < work->count; i++) {
        const struct work_part *part = &work->parts[i];
        double ns;
        if (!price(context, part->primitive, &ns, err))
            return error_prefix(err, "%s", part->primitive);
        components[part->component] += ns;
        *sum += ns;
    }
    return true;
}
