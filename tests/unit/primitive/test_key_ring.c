#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/primitive/key_ring.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Kinds whose keys take long to make. */
static const struct key_kind slow_kinds[] = {
    {.type = "RSA", .bits = 2048},
    {.type = "DSA", .bits = 2048},
};

struct asked {
    unsigned times, until; /* gives up from this time on; 0: never */
};

static bool give_up(void *context)
{
    struct asked *asked = context;

    return ++asked->times >= asked->until && asked->until > 0;
}

static void test_given_up(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(slow_kinds); i++) {
        struct asked asked = {.until = 1};
        struct key_ring ring = {.give_up = give_up, .context = &asked};
        struct error err = {""};
        assert_null(key_ring_get(&ring, &slow_kinds[i], &err));
        assert_in_range(asked.times, 1, 9); /* not once for each number that is tried */
        assert_int_equal(ring.count, 0);
        assert_non_null(strstr(err.text, slow_kinds[i].type));
        /* The ring is as good as before. */
        asked.until = 0;
        assert_non_null(key_ring_get(&ring, &slow_kinds[i], &err));
        key_ring_cleanup(&ring);
    }
}

static void test_made_once(void **state)
{
    const struct key_kind small = {.type = "RSA", .bits = 1024},
                          large = {.type = "RSA", .bits = 1032};
    struct asked asked = {0};
    struct key_ring ring = {.give_up = give_up, .context = &asked};
    struct error err = {""};

    (void)state;
    EVP_PKEY *key = key_ring_get(&ring, &small, &err);
    assert_non_null(key);
    assert_true(asked.times > 0);
    assert_ptr_equal(key_ring_get(&ring, &small, &err), key);
    assert_ptr_not_equal(key_ring_get(&ring, &large, &err), key);
    assert_int_equal(ring.count, 2);
    key_ring_cleanup(&ring);
    assert_int_equal(ring.count, 0);
}

static void test_cannot_be_made(void **state)
{
    const struct key_kind nosuch = {.type = "EC", .group = "nosuch"};
    struct key_ring ring = {0};
    struct error err = {""};

    (void)state;
    assert_null(key_ring_get(&ring, &nosuch, &err));
    assert_non_null(strstr(err.text, "no EC key could be made"));
    key_ring_cleanup(&ring);
}

/* A curve or group that the library has not is known before a key is made. */
static void test_possible(void **state)
{
    static const struct {
        struct key_kind kind;
        bool possible;
    } rows[] = {
        {{.type = "EC", .group = "P-256"}, true},
        {{.type = "EC", .group = "nosuch"}, false},
        {{.type = "DH", .group = "ffdhe2048"}, true},
        {{.type = "DH", .group = "nosuch"}, false},
        {{.type = "X25519"}, true},
        {{.type = "ED448"}, true},
        {{.type = "nosuch"}, false},
        {{.type = "DSA", .bits = 2048}, true},
        {{.type = "RSA", .bits = 2048}, true},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (key_is_possible(&rows[i].kind) != rows[i].possible)
            fail_msg("%s %s", rows[i].kind.type, rows[i].kind.group ? rows[i].kind.group : "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_given_up),
        cmocka_unit_test(test_made_once),
        cmocka_unit_test(test_cannot_be_made),
        cmocka_unit_test(test_possible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
