#include "common/tls/version.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define ROWS(table) (sizeof(table) / sizeof(table)[0])

static void version_parses(void **state)
{
    static const struct {
        const char *text;
        int version;
    } rows[] = {
        {"1.0", TLS1_VERSION},
        {"1.1", TLS1_1_VERSION},
        {"1.2", TLS1_2_VERSION},
        {"1.3", TLS1_3_VERSION},
        {"TLSv1.3", TLS1_3_VERSION},
        {"tls1.3", TLS1_3_VERSION},
        {"TLS1.2", TLS1_2_VERSION},
        {"tlsV1.1", TLS1_1_VERSION},
        {"TLSv1.0", TLS1_VERSION},
        {"TLSv1", TLS1_VERSION},
        {"tlsv1", TLS1_VERSION},
        {"", 0},
        {"1", 0},
        {"1.4", 0},
        {"1.30", 0},
        {"1.3 ", 0},
        {" 1.3", 0},
        {"SSLv3", 0},
        {"DTLSv1.2", 0},
        {"tls", 0},
        {"tlsv", 0},
        {"TLSv", 0},
        {"tlstls1.3", 0},
        {"v1.3", 0},
        {"TLS1", 0},
        {"0x0304", 0},
    };
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        if (tls_version_parse(rows[i].text) != rows[i].version)
            fail_msg("\"%s\" is read as 0x%04x", rows[i].text, tls_version_parse(rows[i].text));
}

static void version_has_a_name(void **state)
{
    (void)state;
    for (int version = TLS1_VERSION; version <= TLS1_3_VERSION; version++)
        assert_int_equal(tls_version_parse(tls_version_name(version)), version);
    assert_string_equal(tls_version_name(TLS1_3_VERSION), "1.3");
    assert_string_equal(tls_version_name(TLS1_VERSION), "1.0");
    assert_string_equal(tls_version_name(0), "?");
    assert_string_equal(tls_version_name(SSL3_VERSION), "?");
    assert_string_equal(tls_version_name(TLS1_3_VERSION + 1), "?");
    assert_string_equal(tls_version_name(-1), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_parses),
        cmocka_unit_test(version_has_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
