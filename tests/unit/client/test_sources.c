#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/sources.h"

#include "common/base/clock.h"

#include <netinet/in.h>
#include <string.h>

static struct load_settings load_to(uint32_t address, enum close_policy close)
{
    struct load_settings load = {
        .threads = 1, .connections = 16, .bulk_connections = 1, .close = close};
    struct sockaddr_in *to = (struct sockaddr_in *)(void *)&load.address;
    to->sin_family = AF_INET;
    to->sin_addr.s_addr = htonl(address);
    load.address_length = sizeof *to;
    return load;
}

static bool choose(const char *const *words, struct load_settings *load, struct error *err)
{
    struct text_list list = {0};
    for (; *words; words++)
        text_list_add(&list, *words);
    bool ok = sources_choose(&list, load, err);
    text_list_cleanup(&list);
    return ok;
}

static void test_choose(void **state)
{
    static const struct {
        const char *words[3];
        uint32_t target;
        enum close_policy close;
        unsigned count;
        const char *refused; /* NULL: taken */
    } rows[] = {
        {{NULL}, 0x7f000001, CLOSE_SERVER, 0, NULL},
        {{"127.0.0.9", "127.0.0.10"}, 0x7f000001, CLOSE_SERVER, 2, NULL},
        {{NULL}, 0x7f000001, CLOSE_FIN, 250, NULL}, /* the client keeps the ports: more of 127/8 */
        {{"127.0.0.9"}, 0x7f000001, CLOSE_FIN, 1, NULL},
        {{NULL}, 0x0a000001, CLOSE_FIN, 0, NULL},
        {{"nonsense"}, 0x7f000001, CLOSE_SERVER, 0, "no IPv4 or IPv6 address"},
        {{"::1"}, 0x7f000001, CLOSE_SERVER, 0, "not of the target's address family"},
        {{"203.0.113.9"}, 0x7f000001, CLOSE_SERVER, 0, "Cannot assign requested address"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct load_settings load = load_to(rows[i].target, rows[i].close);
        struct error err = {""};
        assert_int_equal(choose(rows[i].words, &load, &err), rows[i].refused == NULL);
        if (rows[i].refused)
            assert_non_null(strstr(err.text, rows[i].refused));
        else
            assert_int_equal(load.source_count, rows[i].count);
    }
}

/* One source, with any range of ports that a kernel may have. */
static void test_suffice(void **state)
{
    static const struct {
        enum close_policy close;
        unsigned connections, sources;
        uint64_t total_s;
        const char *refused;
    } rows[] = {
        {CLOSE_SERVER, 16, 0, 80, NULL},
        {CLOSE_SERVER, 100000, 1, 1, "--connections: 100000 connections need more than the "},
        {CLOSE_SERVER, 60000, 250, 1, NULL},
        {CLOSE_FIN, 16, 1, 30, "--close fin keeps every port in TIME_WAIT for 60 s"},
        {CLOSE_FIN, 16, 250, 30, NULL},
        {CLOSE_RST, 16, 1, 30, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct load_settings load = load_to(0x7f000001, rows[i].close);
        struct error err = {""};
        load.connections = rows[i].connections;
        load.source_count = rows[i].sources;
        assert_int_equal(sources_suffice(&load, rows[i].total_s * NS_PER_S, &err),
                         rows[i].refused == NULL);
        if (rows[i].refused)
            assert_non_null(strstr(err.text, rows[i].refused));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choose),
        cmocka_unit_test(test_suffice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
