#include "server/listen_address.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <netinet/in.h>
#include <string.h>

#define ROWS(table) (sizeof(table) / sizeof *(table))

static const struct parse_row {
    const char *text, *host; /* host NULL: refused */
    uint16_t port;
    const char *reason; /* a part of the reason */
} parse_rows[] = {
    {"127.0.0.1:4433", "127.0.0.1", 4433, NULL},
    {"localhost:0", "localhost", 0, NULL},
    {"[::1]:65535", "::1", 65535, NULL},
    {"[fe80::1%lo]:1", "fe80::1%lo", 1, NULL},
    {"0.0.0.0:00080", "0.0.0.0", 80, NULL},
    {"", NULL, 0, "names no host"},
    {":4433", NULL, 0, "names no host"},
    {"4433", NULL, 0, "no port"},
    {"host", NULL, 0, "no port"},
    {"host:", NULL, 0, "between 0 and 65535"},
    {"host:65536", NULL, 0, "between 0 and 65535"},
    {"host:99999999999", NULL, 0, "between 0 and 65535"},
    {"host:-1", NULL, 0, "between 0 and 65535"},
    {"host:+1", NULL, 0, "between 0 and 65535"},
    {"host:1 ", NULL, 0, "between 0 and 65535"},
    {"host:http", NULL, 0, "between 0 and 65535"},
    {"::1", NULL, 0, "[v6]:port"},
    {"::1:4433", NULL, 0, "[v6]:port"},
    {"[::1]", NULL, 0, "no port"},
    {"[::1", NULL, 0, "[v6]:port"},
    {"[::1]x:1", NULL, 0, "[v6]:port"},
    {"[]:1", NULL, 0, "[v6]:port"},
    {"[localhost]:1", NULL, 0, "[v6]:port"},
};

static void test_parse(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(parse_rows); i++) {
        const struct parse_row *row = &parse_rows[i];
        struct listen_address address;
        struct error err = {0};
        if (listen_address_parse(row->text, &address, &err) != (row->host != NULL))
            fail_msg("\"%s\": %s", row->text, err.text);
        if (row->host == NULL) {
            if (strstr(err.text, row->reason) == NULL)
                fail_msg("\"%s\": %s", row->text, err.text);
            continue;
        }
        assert_string_equal(address.host, row->host);
        assert_int_equal(address.port, row->port);
    }
}

static void test_long_host_is_refused(void **state)
{
    char text[400];
    struct listen_address address;
    struct error err = {0};
    (void)state;
    memset(text, 'a', sizeof text);
    memcpy(text + sizeof text - 3, ":1", 3);
    assert_false(listen_address_parse(text, &address, &err));
}

static const struct format_row {
    const char *text;
    int family;
} format_rows[] = {
    {"127.0.0.1:4433", AF_INET},
    {"0.0.0.0:0", AF_INET},
    {"[::1]:4433", AF_INET6},
    {"[2001:db8::1]:1", AF_INET6},
};

/* What is printed is what was typed. */
static void test_resolve_and_format(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(format_rows); i++) {
        struct listen_address address;
        struct sockaddr_storage socket;
        socklen_t length;
        char text[LISTEN_ADDRESS_TEXT];
        assert_true(listen_address_parse(format_rows[i].text, &address, NULL));
        assert_true(listen_address_resolve(&address, &socket, &length, NULL));
        assert_int_equal(socket.ss_family, format_rows[i].family);
        assert_string_equal(listen_address_format(text, &socket), format_rows[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse),
        cmocka_unit_test(test_long_host_is_refused),
        cmocka_unit_test(test_resolve_and_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
