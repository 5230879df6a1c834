/* A threaded test: names are looked up in a thread of their own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/look_up.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

static void literals_and_names(void **state)
{
    static const char *const hosts[] = {"127.0.0.1", "localhost"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct addrinfo *list = NULL;
        struct error err;
        bool v4 = false;
        assert_true(look_up(hosts[i], 4433, NULL, &list, &err));
        for (const struct addrinfo *info = list; info; info = info->ai_next) {
            const struct sockaddr_in *in = (const struct sockaddr_in *)(const void *)info->ai_addr;
            assert_int_equal(info->ai_socktype, SOCK_STREAM);
            v4 = v4 || (info->ai_family == AF_INET && in->sin_port == htons(4433) &&
                        in->sin_addr.s_addr == htonl(INADDR_LOOPBACK));
        }
        assert_true(v4 || i == 1); /* some machines have localhost in IPv6 only */
        assert_non_null(list);
        freeaddrinfo(list);
    }
}

/* Longer than any label of a name: no resolver asks a server for it, which might not answer. */
#define NO_HOST "a-label-of-a-name-has-63-bytes-at-most-and-this-one-has-some-more-than-that"

static void no_such_host(void **state)
{
    struct addrinfo *list;
    struct error err = {""};
    (void)state;
    assert_false(look_up(NO_HOST, 1, NULL, &list, &err));
    assert_non_null(strstr(err.text, "resolve: " NO_HOST ": "));
}

static void a_signal_ends_it(void **state)
{
    struct interrupt interrupt = {.fd = -1, .count = 1};
    struct addrinfo *list;
    struct error err = {""};
    (void)state;
    for (int i = 0; i < 20; i++) {
        assert_false(look_up("localhost", 1, &interrupt, &list, &err));
        assert_string_equal(err.text, "interrupted");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(literals_and_names),
        cmocka_unit_test(no_such_host),
        cmocka_unit_test(a_signal_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
