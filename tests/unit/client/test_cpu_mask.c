#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/evp/cpu_mask.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

#if defined(__x86_64__) || defined(__i386__)

static void test_closed_over_dependants(void **state)
{
    static const struct {
        const char *features, *label, *value;
    } rows[] = {
        {"aes", "aes, vaes", "~0x200000000000000:~0x20000000000:~0:~0:~0"},
        {"VAES", "vaes", "~0x0:~0x20000000000:~0:~0:~0"},
        {"pclmul", "pclmul, vpclmul", "~0x200000000:~0x40000000000:~0:~0:~0"},
        {"avx2", "avx2, avx512, avxifma, vaes, vpclmul, sha512",
         "~0x0:~0x600c0230020:~0x80000100000000:~0:~0"},
        {"avx512", "avx512", "~0x0:~0xc0230000:~0:~0:~0"},
        {"avxifma", "avxifma", "~0x0:~0x0:~0x80000000000000:~0:~0"},
        {"sha, aes", "aes, vaes, sha, sha512",
         "~0x200000000000000:~0x20020000000:~0x100000000:~0:~0"},
        {"aes,vaes,aes", "aes, vaes", "~0x200000000000000:~0x20000000000:~0:~0:~0"},
        {"avx", "avx, avx2, avx512, avxifma, vaes, vpclmul, sha512",
         "~0x1000000000000000:~0x600c0230020:~0x80000100000000:~0:~0"},
        {"aes,vaes,pclmul,avx2,avx512,sha",
         "aes, pclmul, avx2, avx512, avxifma, vaes, vpclmul, sha, sha512",
         "~0x200000200000000:~0x600e0230020:~0x80000100000000:~0:~0"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct cpu_mask mask;
        struct error err = {""};
        if (!cpu_mask_build(rows[i].features, &mask, &err))
            fail_msg("%s: %s", rows[i].features, err.text);
        assert_string_equal(mask.label, rows[i].label);
        assert_string_equal(mask.value, rows[i].value);
    }
}

static void test_refused(void **state)
{
    static const struct {
        const char *features, *reason;
    } rows[] = {
        {"nosuch", "unknown CPU feature \"nosuch\"; there are: aes, pclmul"},
        {"aes,avx51", "did you mean avx512"},
        {"", "no CPU feature is named"},
        {",", "no CPU feature is named"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct cpu_mask mask;
        struct error err = {""};
        assert_false(cpu_mask_build(rows[i].features, &mask, &err));
        if (!strstr(err.text, rows[i].reason))
            fail_msg("%s: %s", rows[i].features, err.text);
    }
}

static void test_proof(void **state)
{
    static const struct {
        const char *without, *settings;
        bool proved;
    } rows[] = {
        {"aes", "CPUINFO: OPENSSL_ia32cap=0xfdfa3203078bffff:0x405dc6f1bf07ab env:~0x2", true},
        {"aes", "OPENSSL_ia32cap=0xfdfa3203078bffff:0x405dc6f1bf07ab:0x10:0x0:0x0", true},
        {"aes", "OPENSSL_ia32cap=0xfffa3203078bffff:0x405dc6f1bf07ab", false}, /* aes is left */
        {"aes", "OPENSSL_ia32cap=0xfdfa3203078bffff:0x405fc6f1bf07ab", false}, /* vaes is left */
        {"aes", "N/A", false},
        {"aes", NULL, false},
        /* What the third word has is not there where there is none. */
        {"avxifma", "OPENSSL_ia32cap=0xfffa3203078bffff:0x405fc6f1bf07ab env:~0x0", true},
        {"avxifma", "OPENSSL_ia32cap=0xffff:0xffff:0xff7fffffffffffff:0xffff:0x0", true},
        {"avxifma", "OPENSSL_ia32cap=0xffff:0xffff:0x80000000000000:0x0:0x0", false},
        {"sha", "OPENSSL_ia32cap=0xffff:0xffff:0x100000000:0x0:0x0", false}, /* sha512 is left */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct cpu_mask mask;
        struct error err;
        assert_true(cpu_mask_build(rows[i].without, &mask, &err));
        if (cpu_mask_prove(&mask, rows[i].settings, &err) != rows[i].proved)
            fail_msg("without %s: %s", rows[i].without, rows[i].settings);
    }
}

/* One that is set already would be mixed up with ours. */
static void test_set_already(void **state)
{
    struct error err = {""};

    (void)state;
    assert_int_equal(unsetenv(CPU_MASK_VARIABLE), 0);
    assert_true(cpu_mask_is_free(&err));
    assert_int_equal(setenv(CPU_MASK_VARIABLE, ":0", 1), 0);
    assert_false(cpu_mask_is_free(&err));
    assert_non_null(strstr(err.text, "is set already (:0)"));
    assert_int_equal(unsetenv(CPU_MASK_VARIABLE), 0);
}

#else

static void test_refused(void **state)
{
    struct cpu_mask mask;
    struct error err = {""};

    (void)state;
    assert_false(cpu_mask_build("aes", &mask, &err));
    assert_non_null(strstr(err.text, "on x86 only"));
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#if defined(__x86_64__) || defined(__i386__)
        cmocka_unit_test(test_closed_over_dependants),
        cmocka_unit_test(test_proof),
        cmocka_unit_test(test_set_already),
#endif
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
