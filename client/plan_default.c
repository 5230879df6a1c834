#include "client/plan_parts.h"

/* The default plan is an experiment and not a cross product. There is one base case, ecdsa-p256
 * with AES-128-GCM and x25519 on TLS 1.3, and each row changes one thing of it: the certificate,
 * the version, the key exchange, the group, the cipher. A row's cost over the first row's is then
 * the price of that one thing, and about 25 cases answer what a product of 6 certificates, 4
 * exchanges, 4 groups and 9 ciphers would bury in some 800 rows of less than a tenth of a second.
 * Handshakes vary what a handshake costs (asymmetric work), bulk what a byte costs. */

struct default_row {
    enum measure measure;
    int version;
    const char *suite, *kind, *group; /* group NULL: the suite leaves none to choose */
    const char
        *rsa_suite; /* bulk: what takes its place at a server that has an RSA certificate only */
    bool optional;  /* left out where the library has it not, without a skip */
};

#define HANDSHAKE_13(kind, group)                                                                  \
    {                                                                                              \
        MEASURE_HANDSHAKE, TLS1_3_VERSION, "TLS_AES_128_GCM_SHA256", kind, group, NULL, false      \
    }
#define HANDSHAKE_12(suite, kind, group)                                                           \
    {                                                                                              \
        MEASURE_HANDSHAKE, TLS1_2_VERSION, suite, kind, group, NULL, false                         \
    }
#define BULK_13(suite)                                                                             \
    {                                                                                              \
        MEASURE_BULK, TLS1_3_VERSION, suite, "ecdsa-p256", "x25519", suite, false                  \
    }
#define BULK_12(suite, rsa_suite)                                                                  \
    {                                                                                              \
        MEASURE_BULK, TLS1_2_VERSION, suite, "ecdsa-p256", "x25519", rsa_suite, false              \
    }

static const struct default_row default_rows[] = {
    /* The certificate, with what today's clients and servers agree on. */
    HANDSHAKE_13("ecdsa-p256", "x25519"),
    HANDSHAKE_13("ecdsa-p384", "x25519"),
    HANDSHAKE_13("ed25519", "x25519"),
    HANDSHAKE_13("rsa-2048", "x25519"),
    HANDSHAKE_13("rsa-3072", "x25519"),
    HANDSHAKE_13("rsa-4096", "x25519"),
    /* The version: the same with one round trip more and no encrypted handshake. */
    HANDSHAKE_12("ECDHE-ECDSA-AES128-GCM-SHA256", "ecdsa-p256", "x25519"),
    HANDSHAKE_12("ECDHE-ECDSA-AES128-GCM-SHA256", "ecdsa-p384", "x25519"),
    HANDSHAKE_12("ECDHE-ECDSA-AES128-GCM-SHA256", "ed25519", "x25519"),
    HANDSHAKE_12("ECDHE-RSA-AES128-GCM-SHA256", "rsa-2048", "x25519"),
    HANDSHAKE_12("ECDHE-RSA-AES128-GCM-SHA256", "rsa-3072", "x25519"),
    HANDSHAKE_12("ECDHE-RSA-AES128-GCM-SHA256", "rsa-4096", "x25519"),
    /* The key exchanges before ECDHE. */
    HANDSHAKE_12("AES128-GCM-SHA256", "rsa-2048", NULL),
    HANDSHAKE_12("DHE-RSA-AES128-GCM-SHA256", "rsa-2048", NULL),
    /* The group. */
    HANDSHAKE_13("ecdsa-p256", "p-256"),
    HANDSHAKE_13("ecdsa-p256", "p-384"),
    {MEASURE_HANDSHAKE, TLS1_3_VERSION, "TLS_AES_128_GCM_SHA256", "ecdsa-p256", "X25519MLKEM768",
     NULL, true},
    /* The cipher. */
    BULK_13("TLS_AES_128_GCM_SHA256"),
    BULK_13("TLS_AES_256_GCM_SHA384"),
    BULK_13("TLS_CHACHA20_POLY1305_SHA256"),
    BULK_13("TLS_AES_128_CCM_SHA256"),
    BULK_13("TLS_AES_128_CCM_8_SHA256"),
    BULK_12("ECDHE-ECDSA-AES128-SHA", "ECDHE-RSA-AES128-SHA"),
    BULK_12("ECDHE-ECDSA-AES128-SHA256", "ECDHE-RSA-AES128-SHA256"),
    BULK_12("ECDHE-ECDSA-ARIA128-GCM-SHA256", "ECDHE-ARIA128-GCM-SHA256"),
    BULK_12("ECDHE-ECDSA-CAMELLIA128-SHA256", "ECDHE-RSA-CAMELLIA128-SHA256"),
};

static bool is_selected(const struct selection *selection, enum measure measure)
{
    for (size_t i = 0; i < selection->measure_count; i++) {
        if (selection->measures[i] == measure)
            return true;
    }
    return false;
}

static void set_instead(struct planned_case *planned, const char *rsa_suite,
                        const struct library_facts *library)
{
    struct test_case instead = planned->test_case;
    char reason[CASE_REASON];

    instead.suite = suite_find(rsa_suite);
    instead.kind = kind_find("rsa-2048");
    case_set_id(&instead);
    if (case_fit(&instead, library, reason) == CASE_FITS)
        planned->instead = instead;
}

bool plan_default_add(struct plan *plan, const struct selection *selection,
                      const struct library_facts *library, struct error *err)
{
    for (size_t i = 0; i < sizeof default_rows / sizeof default_rows[0]; i++) {
        const struct default_row *row = &default_rows[i];
        struct test_case test_case = {
            .measure = row->measure,
            .version = row->version,
            .suite = suite_find(row->suite),
            .kind = kind_find(row->kind),
            .group = row->group ? group_find(row->group) : NULL,
            .record_size = row->measure == MEASURE_BULK ? RECORD_SIZE_MAX : 0,
        };
        char reason[CASE_REASON];

        if (!is_selected(selection, row->measure))
            continue;
        if (case_fit(&test_case, library, reason) != CASE_FITS && row->optional)
            continue;
        if (!plan_add(plan, &test_case, reason, err))
            return false;
        if (row->rsa_suite)
            set_instead(&plan->cases[plan->count - 1], row->rsa_suite, library);
    }
    return true;
}
