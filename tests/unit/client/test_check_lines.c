#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/nginx_text.h"

/* Lines with which nginx does not start, and their like with which it does: the word of the first
 * error, NULL where it starts. */
#define GOOD "server { listen 1 ssl; ssl_certificate a; ssl_certificate_key a; } "

static const struct line_case {
    const char *text, *word;
    unsigned version;
} line_cases[] = {
    {"http { " GOOD "}", NULL, 1022001},
    {"http { ssl_session_cache shared:SSL:10m; " GOOD "}", NULL, 1022001},
    {"http { ssl_session_cache shared:SSL:31k; " GOOD "}", "shared:SSL:31k", 1022001},
    {"http { ssl_session_cache wrong; " GOOD "}", "wrong", 1022001},
    {"http { ssl_session_cache shared:S:1m; server { ssl_session_cache shared:S:2m; } " GOOD "}",
     "S", 1022001},
    {"http { ssl_session_cache shared:S:1m; server { ssl_session_cache shared:S:1024K; } " GOOD "}",
     NULL, 1022001},
    {"http { ssl_protocols TLSv9; " GOOD "}", "TLSv9", 1022001},
    {"http { ssl_ciphers A; ssl_ciphers A; " GOOD "}", "ssl_ciphers", 1022001},
    {"http { ssl_ciphers; " GOOD "}", "ssl_ciphers", 1022001},
    {"http { server { location / { ssl_ciphers A; } } " GOOD "}", "ssl_ciphers", 1022001},
    {"http { server { if (x) { ssl_ciphers A; } } " GOOD "}", "ssl_ciphers", 1022001},
    {"http { server { location / { proxy_ssl_ciphers A; } } " GOOD "}", NULL, 1022001},
    {"http { types { ssl_ciphers A; } " GOOD "}", NULL, 1022001},
    {"ssl_ciphers A; http { " GOOD "}", "ssl_ciphers", 1022001},
    {"ssl_ciphers A; " GOOD, NULL, 1022001},
    {"ssl_engine x; http { " GOOD "}", NULL, 1022001},
    {"http { ssl_engine x; " GOOD "}", "ssl_engine", 1022001},
    {"http { ssl_cipher A; " GOOD "}", "ssl_cipher", 1022001},
    {"http { ssl_foreign_module A; " GOOD "}", NULL, 1022001},
    {"http { ssl_cypherz A; " GOOD "}", "ssl_cypherz", 1022001},
    {"http { ssl_sign_certificate a; ssl_enc_certificate a; ssl_async on; " GOOD "}", NULL,
     1022001},
    {"http { ssl_certificate_chain_file a; " GOOD "}", NULL, 1022001},
    {"http { \xC2\xA0ssl_ciphers A; " GOOD "}", "\xC2\xA0ssl_ciphers", 1022001},
    {"http { ssl_conf_command Options X; " GOOD "}", NULL, 1019004},
    {"http { ssl_conf_command Options X; " GOOD "}", "ssl_conf_command", 1018000},
    {"http { server { ssl on; } " GOOD "}", NULL, 1025000},
    {"http { server { ssl on; } " GOOD "}", "ssl", 1025001},
    {"http { server { listen 2 default_server; } server { listen *:2 default; } " GOOD "}",
     "0.0.0.0:2", 1022001},
    {"http { server { listen 2 quic default_server; } server { listen 2 default_server; } " GOOD
     "}",
     NULL, 1025000},
    {"http { server { listen 2; listen 0.0.0.0:2; } " GOOD "}", "0.0.0.0:2", 1022001},
    {"http { server { listen 2 bind; } server { listen 02 backlog=5; } " GOOD "}", "0.0.0.0:2",
     1022001},
    {"http { server { listen [::1]:2; listen [0::1]:2; } " GOOD "}", "[::1]:2", 1022001},
    {"http { server { listen 2 SSL; } " GOOD "}", "SSL", 1022001},
    {"http { server { listen 2 http2 so_keepalive=on; } " GOOD "}", NULL, 1022001},
    {"http { " GOOD "\n}\n}", "", 1022001},
    {"http { include none.conf; " GOOD "}", NULL, 1022001},
    /* Forms of values. */
    {"http { ssl_session_timeout 1d12h; " GOOD "}", NULL, 1022001},
    {"http { ssl_session_timeout 5m; " GOOD "}", NULL, 1022001},
    {"http { ssl_session_timeout 300; " GOOD "}", NULL, 1022001},
    {"http { ssl_session_timeout 12h1d; " GOOD "}", "12h1d", 1022001},
    {"http { ssl_session_timeout 5ms; " GOOD "}", "5ms", 1022001},
    {"http { ssl_session_timeout 1D; " GOOD "}", "1D", 1022001},
    {"http { ssl_session_timeout 1.5h; " GOOD "}", "1.5h", 1022001},
    {"http { ssl_buffer_size 4K; " GOOD "}", NULL, 1022001},
    {"http { ssl_buffer_size 1m; " GOOD "}", NULL, 1022001},
    {"http { ssl_buffer_size 1400; " GOOD "}", NULL, 1022001},
    {"http { ssl_buffer_size 1g; " GOOD "}", "1g", 1022001},
    {"http { ssl_buffer_size k; " GOOD "}", "k", 1022001},
    {"http { ssl_verify_depth 3; " GOOD "}", NULL, 1022001},
    {"http { ssl_verify_depth -1; " GOOD "}", "-1", 1022001},
    {"http { ssl_ocsp_cache shared:O:1m; " GOOD "}", NULL, 1022001},
    {"http { ssl_ocsp_cache on; " GOOD "}", "on", 1022001},
    /* Directives of a version, and of a module. */
    {"http { http2 on; " GOOD "}", "http2", 1022001},
    {"http { http2 on; " GOOD "}", NULL, 1025001},
    {"http { ssl_preread on; " GOOD "}", "ssl_preread", 1022001},
    {"http { ssl_alpn a; " GOOD "}", "ssl_alpn", 1022001},
    {"stream { ssl_preread on; ssl_handshake_timeout 30ms; } http { " GOOD "}", NULL, 1022001},
    {"stream { ssl_buffer_size 4k; } http { " GOOD "}", "ssl_buffer_size", 1022001},
    {"stream { ssl_stapling on; } http { " GOOD "}", "ssl_stapling", 1022001},
    {"stream { ssl_stapling on; } http { " GOOD "}", NULL, 1027002},
    {"stream { ssl_reject_handshake on; } http { " GOOD "}", "ssl_reject_handshake", 1022001},
    {"stream { ssl_reject_handshake on; } http { " GOOD "}", NULL, 1025005},
    {"mail { server { ssl on; } } http { " GOOD "}", NULL, 1022001},
    {"mail { server { ssl_early_data on; } } http { " GOOD "}", "ssl_early_data", 1022001},
    /* Addresses, and parameters of a version and a module. */
    {"http { server { listen 2-4; } " GOOD "}", NULL, 1022001},
    {"http { server { listen [::1]; } " GOOD "}", NULL, 1022001},
    {"http { server { listen localhost:2; } " GOOD "}", NULL, 1022001},
    {"http { server { listen 127.1:2; } " GOOD "}", NULL, 1022001},
    {"http { server { listen unix:/a; } " GOOD "}", NULL, 1022001},
    {"http { server { listen 0; } " GOOD "}", "0", 1022001},
    {"http { server { listen 99999; } " GOOD "}", "99999", 1022001},
    {"http { server { listen 4-2; } " GOOD "}", "4-2", 1022001},
    {"http { server { listen 2-; } " GOOD "}", "2-", 1022001},
    {"http { server { listen 127.0.0.1:x; } " GOOD "}", "127.0.0.1:x", 1022001},
    {"http { server { listen 127.0.0.1:; } " GOOD "}", "127.0.0.1:", 1022001},
    {"http { server { listen ::1:2; } " GOOD "}", "::1:2", 1022001},
    {"http { server { listen [::1; } " GOOD "}", "[::1", 1022001},
    {"http { server { listen [::g]:2; } " GOOD "}", "[::g]:2", 1022001},
    {"http { server { listen 256.1.1.1:2; } " GOOD "}", "256.1.1.1:2", 1022001},
    {"http { server { listen a/b:2; } " GOOD "}", "a/b:2", 1022001},
    {"http { server { listen :2; } " GOOD "}", ":2", 1022001},
    {"http { server { listen unix:; } " GOOD "}", "unix:", 1022001},
    {"http { server { listen 2 backlog=0; } " GOOD "}", "backlog=0", 1022001},
    {"http { server { listen 2 backlog=5; } " GOOD "}", NULL, 1022001},
    {"http { server { listen 2 rcvbuf=x; } " GOOD "}", "rcvbuf=x", 1022001},
    {"http { server { listen 2 ipv6only=maybe; } " GOOD "}", "ipv6only=maybe", 1022001},
    {"http { server { listen 2 fastopen=x; } " GOOD "}", "fastopen=x", 1022001},
    {"http { server { listen 2 so_keepalive=30m::10; } " GOOD "}", NULL, 1022001},
    {"http { server { listen 2 so_keepalive=30m; } " GOOD "}", NULL, 1022001},
    {"http { server { listen 2 so_keepalive=::; } " GOOD "}", "so_keepalive=::", 1022001},
    {"http { server { listen 2 so_keepalive=x; } " GOOD "}", "so_keepalive=x", 1022001},
    {"http { server { listen 2 udp; } " GOOD "}", "udp", 1022001},
    {"http { server { listen 2 quic; } " GOOD "}", "quic", 1022001},
    {"http { server { listen 2 quic; } " GOOD "}", NULL, 1025000},
    {"stream { server { listen 2 udp; } } http { " GOOD "}", NULL, 1022001},
    {"stream { server { listen 2 http2; } } http { " GOOD "}", "http2", 1022001},
    {"stream { server { listen 2 udp ssl; } } http { " GOOD "}", "udp", 1022001},
    {"stream { server { listen 2 default_server; } } http { " GOOD "}", "default_server", 1022001},
    {"stream { server { listen 2 default_server; } } http { " GOOD "}", NULL, 1025005},
    {"stream { server { listen 2; } server { listen 2; } } http { " GOOD "}", "0.0.0.0:2", 1022001},
    {"stream { server { listen 2; } server { listen 2; } } http { " GOOD "}", NULL, 1025005},
    /* Ranges of ports are so many sockets, and localhost is an address. */
    {"http { server { listen 2-4; listen 3; } " GOOD "}", "0.0.0.0:3", 1022001},
    {"http { server { listen 2-4 bind; } server { listen 4 bind; } " GOOD "}", "0.0.0.0:4",
     1022001},
    {"http { server { listen 2-4; listen 5; } " GOOD "}", NULL, 1022001},
    {"http { server { listen localhost:2; listen 127.0.0.1:2; } " GOOD "}", "127.0.0.1:2", 1022001},
    /* Where blocks stand. */
    {"http { " GOOD "} http { " GOOD "}", "http", 1022001},
    {"http { server { listen 2; server { listen 3; } } " GOOD "}", "server", 1022001},
    {"http { " GOOD "} server { listen 2; }", "server", 1022001},
    {"http { server { listen 2; location / { location /a { if ($a) { } } } } " GOOD "}", NULL,
     1022001},
    {"http { location / { } " GOOD "}", "location", 1022001},
    {"http { upstream u { server a; } listen 80; " GOOD "}", "listen", 1022001},
    {"events { } http { " GOOD "} stream { upstream u { server a; } } events { }", "events",
     1022001},
    /* One name of shared memory is of one use. */
    {"http { ssl_session_cache shared:S:1m; limit_req_zone $a zone=S:1m rate=1r/s; " GOOD "}", "S",
     1022001},
    {"http { limit_conn_zone $a zone=S:1m; ssl_session_cache shared:S:1m; " GOOD "}", "S", 1022001},
    {"http { upstream u { zone S 1m; } ssl_session_cache shared:S:1m; " GOOD "}", "S", 1022001},
    {"http { upstream u { zone S 1m; } upstream v { zone S 2m; } ssl_session_cache "
     "shared:T:1m; " GOOD "}",
     NULL, 1022001},
    {"http { ssl_session_cache shared:S:1m; ssl_ocsp_cache shared:S:1m; " GOOD "}", "S", 1022001},
    {"http { ssl_session_cache shared:S:1m; " GOOD "} stream { ssl_session_cache shared:S:1m; }",
     "S", 1022001},
    {"http { include a b; " GOOD "}", "", 1022001},
    {"http { include; " GOOD "}", "", 1022001},
};

static void test_lines(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof line_cases / sizeof line_cases[0]; i++) {
        const struct line_case *row = &line_cases[i];
        struct check_input input = {.count = 0};
        struct finding_list findings = {.count = 0};
        const struct finding *error = NULL;
        read_nginx(row->text, NULL, row->version, &input, &findings);
        for (size_t j = 0; j < findings.count && !error; j++)
            if (findings.items[j].level == FINDING_ERROR)
                error = &findings.items[j];
        if (input.refused != (row->word != NULL))
            print_message("%s\n", row->text);
        assert_int_equal(input.refused, row->word != NULL);
        if (row->word) {
            assert_string_equal(error->word, row->word);
            assert_non_null(strstr(error->text, "nginx does not start"));
            assert_non_null(strchr(error->place, ':'));
        }
        finding_cleanup(&findings);
        input_cleanup(&input);
    }
}

/* Names that a block before has on the same socket: so many warnings. */
static const struct name_case {
    const char *first, *second;
    size_t conflicts;
} name_cases[] = {
    {"listen 443 ssl; server_name a b;", "listen 443 ssl; server_name c;", 0},
    {"listen 443 ssl; server_name a b;", "listen 443 ssl; server_name B c;", 1},
    {"listen 443 ssl; server_name a b;", "listen 443; server_name a b;", 2},
    {"listen 443 ssl; listen [::]:443; server_name a;",
     "listen 443 ssl; listen [::]:443 ssl; server_name a;", 1},
    {"listen 443 ssl;", "listen 443 ssl;", 1},
    {"listen 443 ssl;", "listen 443 ssl; server_name '';", 1},
    {"listen 443 ssl; server_name a;", "listen 8443 ssl; server_name a;", 0},
    {"listen 80; listen 443 ssl; server_name a;", "listen 80; server_name a;", 0},
    {"listen 443 ssl; server_name ~a;", "listen 443 ssl; server_name ~a;", 0},
};

static void test_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof name_cases / sizeof name_cases[0]; i++) {
        struct check_input input = {.count = 0};
        struct finding_list findings = {.count = 0};
        char text[512];
        size_t conflicts = 0;
        snprintf(text, sizeof text,
                 "http { ssl_certificate a; ssl_certificate_key a; server { %s } server { %s } }",
                 name_cases[i].first, name_cases[i].second);
        read_nginx(text, NULL, 1022001, &input, &findings);
        for (size_t j = 0; j < findings.count; j++)
            conflicts += strcmp(findings.items[j].kind, "conflicting name") == 0;
        assert_int_equal(conflicts, name_cases[i].conflicts);
        assert_false(input.refused);
        finding_cleanup(&findings);
        input_cleanup(&input);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
