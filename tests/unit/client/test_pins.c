#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/pins.h"

#include <stdio.h>
#include <string.h>

/* What a handshake gave against what its case pins; `what` is the difference, NULL: none. */
static const struct row {
    const char *suite, *kind, *group; /* of the case; group NULL: none to choose */
    int version;
    const char *got_suite;
    int got_version;
    const char *type;
    int bits;
    const char *curve, *got_group;
    bool resumed;
    const char *what;
} rows[] = {
    {"TLS_AES_128_GCM_SHA256", "ecdsa-p256", "x25519", 0x0304, "TLS_AES_128_GCM_SHA256", 0x0304,
     "EC", 256, "p-256", "x25519", false, NULL},
    {"TLS_AES_128_GCM_SHA256", "rsa-3072", "x25519", 0x0304, "TLS_AES_128_GCM_SHA256", 0x0304,
     "RSA", 3072, "", "x25519", false, NULL},
    {"AES128-GCM-SHA256", "rsa-2048", NULL, 0x0303, "AES128-GCM-SHA256", 0x0303, "RSA", 2048, "",
     "", false, NULL},
    {"DHE-RSA-AES128-GCM-SHA256", "rsa-2048", NULL, 0x0303, "DHE-RSA-AES128-GCM-SHA256", 0x0303,
     "RSA", 2048, "", "dh-2048", false, NULL},
    {"TLS_AES_128_GCM_SHA256", "ed25519", "x25519", 0x0304, "TLS_AES_128_GCM_SHA256", 0x0304,
     "ED25519", 256, "", "x25519", false, NULL},
    {"TLS_AES_128_GCM_SHA256", "ecdsa-p256", "x25519", 0x0304, "TLS_AES_128_GCM_SHA256", 0x0304,
     "EC", 256, "p-256", "x25519", true, "resumed"},
    {"TLS_AES_128_GCM_SHA256", "ecdsa-p256", "x25519", 0x0304, "TLS_AES_256_GCM_SHA384", 0x0304,
     "EC", 256, "p-256", "x25519", false,
     "suite TLS_AES_256_GCM_SHA384 instead of TLS_AES_128_GCM_SHA256"},
    {"TLS_AES_128_GCM_SHA256", "ecdsa-p256", "x25519", 0x0304, "TLS_AES_128_GCM_SHA256", 0x0303,
     "EC", 256, "p-256", "x25519", false, "TLS 1.2 instead of 1.3"},
    {"TLS_AES_128_GCM_SHA256", "ecdsa-p256", "x25519", 0x0304, "TLS_AES_128_GCM_SHA256", 0x0304,
     "EC", 384, "p-384", "x25519", false, "certificate EC 384 instead of ecdsa-p256"},
    {"TLS_AES_128_GCM_SHA256", "rsa-4096", "x25519", 0x0304, "TLS_AES_128_GCM_SHA256", 0x0304,
     "RSA", 2048, "", "x25519", false, "certificate RSA 2048 instead of rsa-4096"},
    {"TLS_AES_128_GCM_SHA256", "rsa-pss-2048", "x25519", 0x0304, "TLS_AES_128_GCM_SHA256", 0x0304,
     "RSA", 2048, "", "x25519", false, "certificate RSA 2048 instead of rsa-pss-2048"},
    {"TLS_AES_128_GCM_SHA256", "ecdsa-p256", "x25519", 0x0304, "TLS_AES_128_GCM_SHA256", 0x0304,
     "EC", 256, "p-256", "p-384", false, "group p-384 instead of x25519"},
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        struct test_case test_case = {.version = row->version,
                                      .suite = suite_find(row->suite),
                                      .kind = kind_find(row->kind),
                                      .group = row->group ? group_find(row->group) : NULL};
        struct negotiated facts = {.version = row->got_version,
                                   .suite = suite_find(row->got_suite)->code,
                                   .certificate_bits = row->bits,
                                   .resumed = row->resumed};
        char what[128];
        (void)snprintf(facts.certificate_type, sizeof facts.certificate_type, "%s", row->type);
        (void)snprintf(facts.certificate_curve, sizeof facts.certificate_curve, "%s", row->curve);
        (void)snprintf(facts.group, sizeof facts.group, "%s", row->got_group);
        assert_int_equal(pins_match(&test_case, &facts, what, sizeof what), row->what == NULL);
        if (row->what)
            assert_non_null(strstr(what, row->what));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
