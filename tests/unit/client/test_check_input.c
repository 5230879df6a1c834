#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/check/input.h"

#include "client/check/options.h"
#include "tests/support/nginx_text.h"

#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_in_force),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_options),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
