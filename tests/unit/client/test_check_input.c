#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/check/input.h"
#include "client/check/options.h"
#include "client/check/profiles.h"
#include "client/check/rows.h"
#include "client/check/weak.h"
#include "common/base/file.h"

#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/suitemark-check-XXXXXX";

/* Reads a configuration whose certificates are not there: its kinds are assumed. */
static void read_nginx(const char *text, const char *name, unsigned version,
                       struct check_input *input, struct finding_list *findings)
{
    const struct text_list kinds = {.count = 0};
    const struct input_nginx wanted = {path, name, version, &kinds};
    struct error err;

    assert_true(file_write(path, text, strlen(text), 0600, FILE_REPLACE, &err));
    assert_true(input_read_nginx(input, &wanted, findings, &err));
}

#define PAIR(first, second)                                                                        \
    "http { ssl_certificate a; ssl_certificate_key a; server { listen 443 ssl; " first             \
    " } server { listen 443 ssl; " second " } }"

/* What is in force in the last server block. */
static const struct row {
    const char *text;
    unsigned version;
    const char *versions, *ciphers, *suites, *groups;
    bool prefer, prefer_13, tickets;
    size_t no_effect;
} rows[] = {
    {PAIR("", ""), 1022001, "012", "HIGH:!aNULL:!MD5", NULL, NULL, false, false, true, 0},
    {PAIR("", ""), 1025003, "0123", "HIGH:!aNULL:!MD5", NULL, NULL, false, false, true, 0},
    {PAIR("", ""), 1027003, "23", "HIGH:!aNULL:!MD5", NULL, NULL, false, false, true, 0},
    {PAIR("ssl_protocols TLSv1.2;", "ssl_protocols TLSv1.3;"), 1022001, "2", "HIGH:!aNULL:!MD5",
     NULL, NULL, false, false, true, 1},
    {PAIR("ssl_ciphers A;", "ssl_ciphers B;"), 1027003, "23", "B", NULL, NULL, false, false, true,
     0},
    {PAIR("ssl_ecdh_curve X25519;", "ssl_ecdh_curve P-256;"), 1027003, "23", "HIGH:!aNULL:!MD5",
     NULL, "X25519", false, false, true, 1},
    {PAIR("", "ssl_prefer_server_ciphers on;"), 1027003, "23", "HIGH:!aNULL:!MD5", NULL, NULL, true,
     false, true, 1},
    {PAIR("ssl_session_tickets off;", ""), 1027003, "23", "HIGH:!aNULL:!MD5", NULL, NULL, false,
     false, false, 1},
    {PAIR("", "ssl_session_tickets off;"), 1027003, "23", "HIGH:!aNULL:!MD5", NULL, NULL, false,
     false, false, 0},
    {PAIR("ssl_conf_command Ciphersuites X;", "ssl_conf_command Ciphersuites Y;"), 1027003, "23",
     "HIGH:!aNULL:!MD5", "X", NULL, false, false, true, 1},
    {PAIR("", "ssl_conf_command CipherString Y; ssl_conf_command Options ServerPreference;"),
     1027003, "23", "Y", NULL, NULL, true, false, true, 0},
    {PAIR("", "ssl_conf_command Options -SessionTicket;"), 1027003, "23", "HIGH:!aNULL:!MD5", NULL,
     NULL, false, false, false, 0},
    {PAIR("ssl_conf_command MinProtocol TLSv1.3;", ""), 1027003, "3", "HIGH:!aNULL:!MD5", NULL,
     NULL, false, false, true, 0},
    {PAIR("ssl_conf_command MaxProtocol SSLv3;", ""), 1027003, "", "HIGH:!aNULL:!MD5", NULL, NULL,
     false, false, true, 0},
    {PAIR("ssl_conf_command Protocol -TLSv1.2;", ""), 1027003, "3", "HIGH:!aNULL:!MD5", NULL, NULL,
     false, false, true, 0},
    {"http { ssl_certificate a; ssl_certificate_key a; server { listen 443 ssl; ssl_protocols "
     "TLSv1.3; } server { listen 8443 ssl; ssl_protocols TLSv1.2; } }",
     1027003, "2", "HIGH:!aNULL:!MD5", NULL, NULL, false, false, true, 0},
    {PAIR("ssl_protocols TLSv1.1; ssl_protocols TLSv1.3;", "ssl_protocols tlsv1.3 TLSv1.1;"),
     1027003, "13", "HIGH:!aNULL:!MD5", NULL, NULL, false, false, true, 0},
    {PAIR("ssl_session_tickets OFF; ssl_prefer_server_ciphers ON;",
          "ssl_session_tickets off; ssl_prefer_server_ciphers on;"),
     1027003, "23", "HIGH:!aNULL:!MD5", NULL, NULL, true, true, false, 0},
    /* Commands one after the other. */
    {PAIR("ssl_conf_command Protocol ALL,-TLSv1.3; ssl_conf_command Protocol -TLSv1;", ""), 1027003,
     "12", "HIGH:!aNULL:!MD5", NULL, NULL, false, false, true, 0},
    {PAIR("ssl_conf_command Groups P-256; ssl_conf_command Curves P-384;", ""), 1027003, "23",
     "HIGH:!aNULL:!MD5", NULL, "P-384", false, false, true, 0},
    {PAIR("ssl_ecdh_curve P-256; ssl_conf_command ECDHParameters P-384;", "ssl_ecdh_curve P-256;"),
     1027003, "23", "HIGH:!aNULL:!MD5", NULL, "P-384", false, false, true, 0},
    {PAIR("ssl_conf_command ECDHParameters automatic;", ""), 1027003, "23", "HIGH:!aNULL:!MD5",
     NULL, NULL, false, false, true, 0},
    /* The same name on QUIC, before it. */
    {"http { server { listen 443 quic; listen 443 ssl; ssl_certificate a; ssl_certificate_key a; } "
     "server { listen 443 quic; listen 443 ssl default_server; ssl_certificate a; "
     "ssl_certificate_key a; ssl_protocols TLSv1.3; } }",
     1027003, "3", "HIGH:!aNULL:!MD5", NULL, NULL, false, false, true, 1},
    /* A block without a certificate: all is the default server's. */
    {"http { server { listen 443 ssl; ssl_certificate a; ssl_certificate_key a; ssl_ciphers A; "
     "ssl_session_tickets off; } server { listen 443; ssl_ciphers B; ssl_protocols TLSv1.3; } }",
     1027003, "23", "A", NULL, NULL, false, false, false, 2},
    {"http { ssl_ciphers C; server { listen 443 ssl; ssl_certificate a; ssl_certificate_key a; "
     "ssl_ciphers A; } server { listen 443 ssl; } }",
     1027003, "23", "A", NULL, NULL, false, false, true, 0},
};

static void test_in_force(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        struct check_input input = {.count = 0};
        struct finding_list findings = {.count = 0};
        char versions[SUBJECT_VERSIONS + 1] = "";
        size_t no_effect = 0;
        read_nginx(row->text, NULL, row->version, &input, &findings);
        assert_int_equal(input.count, 2);
        const struct check_subject *subject = &input.subjects[1];
        for (int v = 0; v < SUBJECT_VERSIONS; v++)
            if (subject->version_on[v])
                snprintf(versions + strlen(versions), 2, "%d", v);
        for (size_t j = 0; j < findings.count; j++)
            no_effect += strcmp(findings.items[j].kind, "no effect") == 0;
        assert_string_equal(versions, row->versions);
        assert_string_equal(subject->ciphers.text, row->ciphers);
        assert_string_equal(subject->ciphersuites.text ? subject->ciphersuites.text : "none",
                            row->suites ? row->suites : "none");
        assert_string_equal(subject->groups.text ? subject->groups.text : "none",
                            row->groups ? row->groups : "none");
        assert_int_equal(subject->prefer_server, row->prefer);
        assert_int_equal(subject->prefer_server_13, row->prefer_13);
        assert_int_equal(subject->tickets, row->tickets);
        assert_int_equal(subject->dh, DH_NONE);
        assert_int_equal(no_effect, row->no_effect);
        assert_false(subject->refused);
        finding_cleanup(&findings);
        input_cleanup(&input);
    }
}

static void test_blocks(void **state)
{
    struct check_input input = {.count = 0};
    struct finding_list findings = {.count = 0};

    (void)state;
    /* Plain blocks and those that only reject are left out; one that is the default on one of its
     * sockets and not on the other counts twice. */
    read_nginx("http { server { listen 443 ssl default_server; ssl_reject_handshake on; }"
               " server { listen 80; server_name plain; }"
               " server { listen 443 ssl; listen 8443 ssl; server_name both; } }",
               NULL, 1027003, &input, &findings);
    assert_int_equal(input.count, 2);
    assert_non_null(strstr(input.subjects[1].name, "on 0.0.0.0:8443"));
    input_cleanup(&input);
    read_nginx("http { server { listen 443 ssl; server_name a; } server { listen 443 ssl; "
               "server_name *.b; } }",
               "x.b", 1027003, &input, &findings);
    assert_int_equal(input.count, 1);
    assert_int_equal(findings.errors, 3); /* none of the three has a certificate */
    input_cleanup(&input);
    finding_cleanup(&findings);
    /* A switch of the http level counts for every block. */
    read_nginx("http { ssl_reject_handshake on; server { listen 443 ssl; } server { listen 443; "
               "ssl_certificate a; ssl_certificate_key a; ssl_reject_handshake off; } }",
               NULL, 1027003, &input, &findings);
    assert_int_equal(input.count, 1);
    assert_int_equal(findings.errors, 0);
    assert_int_equal(input.aside_count, 1);
    input_cleanup(&input);
    /* Its default server turns clients away: then each other block needs a certificate. */
    read_nginx(
        "http { server { listen 443 ssl; ssl_reject_handshake on; } server { listen 443; } }", NULL,
        1027003, &input, &findings);
    assert_true(input.subjects[0].refused);
    finding_cleanup(&findings);
    input_cleanup(&input);
    /* A file for http alone: its certificate may stand in http, or in an include that is not here.
     */
    read_nginx("server { listen 443 ssl; ssl_verify_client on; }", NULL, 1027003, &input,
               &findings);
    assert_false(input.subjects[0].refused);
    assert_int_equal(findings.errors, 0);
    assert_int_equal(finding_count(&findings, FINDING_WARNING), 2);
    finding_cleanup(&findings);
    input_cleanup(&input);
    read_nginx("server { listen 443 ssl; ssl_certificate a; }", NULL, 1027003, &input, &findings);
    assert_false(input.subjects[0].refused);
    assert_int_equal(findings.errors, 0);
    finding_cleanup(&findings);
    input_cleanup(&input);
    read_nginx("http { ssl_protocols TLSv1.2; server { listen 443 ssl; include none.conf; } }",
               NULL, 1027003, &input, &findings);
    assert_false(input.subjects[0].refused);
    size_t assumed = 0;
    while (assumed < findings.count && strcmp(findings.items[assumed].kind, "default assumed") != 0)
        assumed++;
    assert_string_equal(findings.items[assumed].word, "ssl_ciphers");
    finding_cleanup(&findings);
    input_cleanup(&input);
}

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

static const struct option_case {
    const char *arguments[6];
    const char *error; /* NULL: taken */
} option_cases[] = {
    {{"A"}, NULL},
    {{""}, NULL},
    {{"A", "--versions", "1.2,1.3", "--certs", "rsa-2048"}, NULL},
    {{"--nginx", "f", "--server-name", "x"}, NULL},
    {{"--target", "h:1"}, NULL},
    {{"--tls13", "X"}, NULL},
    {{NULL}, "nothing to check"},
    {{"A", "B"}, "one cipher string"},
    {{"A", "--nginx", "f"}, "exclude each other"},
    {{"--nginx", "f", "--groups", "X25519"}, "go with a cipher string"},
    {{"A", "--server-name", "x"}, "go with --nginx"},
    {{"--nginx", "f", "--nginx-version", "new"}, "not a version"},
    {{"A", "--versions", "1.5"}, "unknown version"},
    {{"A", "--cert", "c"}, "needs its --key"},
    {{"--target", "h:0"}, "port"},
    {{"A", "--fail-on", "all"}, "--fail-on"},
};

static void test_options(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof option_cases / sizeof option_cases[0]; i++) {
        char *argv[8] = {(char[]){"check"}};
        char words[6][32];
        int argc = 1;
        struct check_options options;
        struct error err;
        for (int j = 0; j < 6 && option_cases[i].arguments[j]; j++) {
            snprintf(words[j], sizeof words[j], "%s", option_cases[i].arguments[j]);
            argv[argc++] = words[j];
        }
        bool ok = check_options_parse(argc, argv, &options, &err);
        assert_int_equal(ok, option_cases[i].error == NULL);
        if (ok)
            check_options_cleanup(&options);
        else
            assert_non_null(strstr(err.text, option_cases[i].error));
    }
}

static bool in_order(const char *list, bool suites)
{
    struct text_list words = {0};
    bool known = true;

    text_list_add_split(&words, list, ":");
    for (size_t i = 0; i < words.count && known; i++) {
        known = suites ? suite_find(words.items[i]) != NULL : group_find(words.items[i]) != NULL;
        for (size_t j = 0; j < i; j++)
            known = known && strcmp(words.items[i], words.items[j]) != 0;
        if (!known)
            print_message("%s\n", words.items[i]);
    }
    text_list_cleanup(&words);
    return known;
}

/* A misspelt name in a profile would pass for an offer that this library cannot speak. */
static void test_profiles(void **state)
{
    (void)state;
    assert_true(profile_count >= 12);
    for (size_t i = 0; i < profile_count; i++) {
        const struct client_profile *profile = &profile_table[i];
        assert_true(in_order(profile->suites_12, true) && in_order(profile->suites_13, true) &&
                    in_order(profile->groups, false));
        assert_int_equal(profile->suites_13[0] == '\0', profile->max_version < TLS1_3_VERSION);
        assert_true(profile->source[0] != '\0' && strlen(profile->date) == 7);
    }
}

/* What was wrong once, by the sources that the profiles name. */
static const struct profile_case {
    const char *name, *suite;
    bool offers;
    int min_version;
} profile_cases[] = {
    {"Safari 16", "DES-CBC3-SHA", true, TLS1_VERSION},
    {"Android 7", "ECDHE-ECDSA-AES128-SHA", false, TLS1_VERSION},
    {"Android 14", "ECDHE-ECDSA-AES128-SHA", true, TLS1_2_VERSION},
    {"Java 8u31", "RC4-SHA", true, TLS1_VERSION},
    {"Java 17", "DHE-DSS-AES128-SHA", false, TLS1_2_VERSION},
    {"OpenSSL 1.0.2", "ECDH-RSA-AES128-SHA", true, TLS1_VERSION},
    {"Windows 10 Schannel", "DHE-RSA-AES128-SHA", true, TLS1_VERSION},
};

static void test_profile_facts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof profile_cases / sizeof profile_cases[0]; i++) {
        const struct profile_case *row = &profile_cases[i];
        const struct client_profile *profile = NULL;
        struct text_list suites = {0};
        for (size_t j = 0; j < profile_count; j++)
            if (strcmp(profile_table[j].name, row->name) == 0)
                profile = &profile_table[j];
        assert_non_null(profile);
        text_list_add_split(&suites, profile->suites_12, ":");
        assert_int_equal(text_list_has(&suites, row->suite), row->offers);
        assert_int_equal(profile->min_version, row->min_version);
        text_list_cleanup(&suites);
    }
}

static const struct weak_case {
    const char *suite;
    const char *names; /* of all that applies, in the table's order */
} weak_cases[] = {
    {"TLS_AES_128_GCM_SHA256", ""},
    {"ECDHE-RSA-CHACHA20-POLY1305", ""},
    {"AES128-GCM-SHA256", "static RSA|"},
    {"AES128-SHA", "static RSA|CBC with SHA-1|"},
    {"ECDHE-RSA-AES128-SHA256", "CBC|"},
    {"DES-CBC3-SHA", "64-bit blocks|static RSA|CBC with SHA-1|"},
    {"EXP-RC4-MD5", "export|RC4|MD5|"},
    {"RC4-MD5", "RC4|static RSA|MD5|"},
    {"NULL-SHA", "NULL encryption|static RSA|"},
    {"AECDH-AES128-SHA", "anonymous|CBC with SHA-1|"},
    {"ECDHE-ECDSA-AES128-CCM8", "short tag|"},
    {"ECDHE-ECDSA-AES128-CCM", ""},
    {"TLS_AES_128_CCM_8_SHA256", "short tag|"},
    {"DHE-DSS-AES128-GCM-SHA256", "DSS|"},
};

static void test_weaknesses(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof weak_cases / sizeof weak_cases[0]; i++) {
        const struct suite *suite = suite_find(weak_cases[i].suite);
        struct suite_facts facts = suite_facts(suite);
        char names[256] = "";
        bool warned = false;
        for (size_t j = 0; j < weak_count; j++) {
            if (!weak_table[j].applies(suite, &facts))
                continue;
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s|",
                     weak_table[j].name);
            warned |= weak_table[j].level >= FINDING_WARNING;
        }
        assert_string_equal(names, weak_cases[i].names);
        assert_int_equal(weak_is_warned(suite), warned);
    }
}

static int set_up(void **state)
{
    int fd = mkstemp(path);

    (void)state;
    return fd < 0 ? -1 : close(fd);
}

static int tear_down(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_in_force),   cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_lines),      cmocka_unit_test(test_options),
        cmocka_unit_test(test_profiles),   cmocka_unit_test(test_profile_facts),
        cmocka_unit_test(test_weaknesses), cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
