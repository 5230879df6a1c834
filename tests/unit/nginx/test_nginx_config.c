#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/nginx/config.h"
#include "common/nginx/defaults.h"
#include "common/nginx/shared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void read_text(struct nginx_config *config, const char *text)
{
    struct error err;

    assert_true(nginx_config_read_text(config, "nginx.conf", text, strlen(text), &err));
}

/* A setting of the configuration's server number `server`: its values with their lines, "<" in
 * front when inherited. */
static const struct row {
    const char *text;
    size_t server;
    enum nginx_setting setting;
    const char *values;
} rows[] = {
    {"http {\n ssl_ciphers A;\n server {\n listen 443 ssl; } }", 0, NGINX_CIPHERS, "<2:A "},
    {"http {\n ssl_ciphers A;\n server {\n ssl_ciphers B; } server { } }", 0, NGINX_CIPHERS,
     "4:B "},
    {"http {\n ssl_ciphers A;\n server {\n ssl_ciphers B; } server { } }", 1, NGINX_CIPHERS,
     "<2:A "},
    /* What is set later at the http level counts for blocks before it too. */
    {"http { server { }\n ssl_ciphers A; }", 0, NGINX_CIPHERS, "<2:A "},
    {"http { ssl_certificate a;\n server { ssl_certificate b; ssl_certificate c; } }", 0,
     NGINX_CERTIFICATE, "2:b 2:c "},
    {"http { ssl_conf_command Ciphersuites X;\n server { ssl_conf_command Options Y; } }", 0,
     NGINX_CONF_COMMAND, "2:Options "},
    {"stream { ssl_protocols TLSv1.3;\n server { listen 1 ssl; } }", 0, NGINX_PROTOCOLS,
     "<1:TLSv1.3 "},
    {"server { ssl_ciphers A; }", 0, NGINX_CIPHERS, "1:A "},
    {"ssl_ciphers Z; http { server { } }", 0, NGINX_CIPHERS, ""},
    {"http { server { location / { ssl_ciphers A; } } }", 0, NGINX_CIPHERS, ""},
    {"http { server { content_by_lua_block { a = '{}' } ssl_ciphers A; } }", 0, NGINX_CIPHERS,
     "1:A "},
};

static void test_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct nginx_config config;
        struct text_buffer text = {0};
        read_text(&config, rows[i].text);
        assert_true(config.count > rows[i].server);
        const struct nginx_values *values = &config.servers[rows[i].server].values[rows[i].setting];
        for (size_t j = 0; j < values->count; j++)
            text_buffer_add(&text, "%s%u:%s ", values->inherited ? "<" : "", values->items[j]->line,
                            nginx_directive_argument(values->items[j], 0));
        assert_string_equal(text_buffer_text(&text), rows[i].values);
        assert_int_equal(config.tree.problem_count, 0);
        text_buffer_cleanup(&text);
        nginx_config_cleanup(&config);
    }
}

static const struct listen_row {
    const char *listen, *socket;
    bool ssl, default_server;
} listen_rows[] = {
    {"443 ssl", "0.0.0.0:443", true, false},
    {"*:443 ssl default_server", "0.0.0.0:443", true, true},
    {"10.0.0.1:8443", "10.0.0.1:8443", false, false},
    {"10.0.0.1", "10.0.0.1:80", false, false},
    {"[::]:443 ssl http2", "[::]:443", true, false},
    {"[::1]", "[::1]:80", false, false},
    {"localhost:443 ssl", "127.0.0.1:443", true, false},
    {"www.example.org:443 ssl", "www.example.org:443", true, false},
    {"0443 ssl", "0.0.0.0:443", true, false},
    {"unix:/run/s ssl", "unix:/run/s", true, false},
};

static void test_listens(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof listen_rows / sizeof listen_rows[0]; i++) {
        struct nginx_config config;
        char text[128];
        snprintf(text, sizeof text, "http { server { listen %s; } }", listen_rows[i].listen);
        read_text(&config, text);
        const struct nginx_listen *listen = &config.servers[0].listens[0];
        assert_string_equal(listen->socket, listen_rows[i].socket);
        assert_int_equal(listen->ssl, listen_rows[i].ssl);
        assert_int_equal(listen->default_server, listen_rows[i].default_server);
        nginx_config_cleanup(&config);
    }
}

/* Each port of a range is a socket. */
static void test_ranges(void **state)
{
    struct nginx_config config;

    (void)state;
    read_text(&config, "http { server { listen [::]:9000-9002 ssl; listen 9-8; listen 1-65535; } "
                       "server { listen [::]:9002 default_server; } }");
    const struct nginx_server *server = &config.servers[0];
    assert_int_equal(server->listen_count, 3 + 1 + 64);
    assert_string_equal(server->listens[2].socket, "[::]:9002");
    assert_ptr_equal(server->listens[0].directive, server->listens[2].directive);
    assert_true(nginx_socket_is_ssl(&config, "[::]:9002"));
    assert_ptr_equal(nginx_socket_default(&config, "[::]:9002"), &config.servers[1]);
    assert_string_equal(server->listens[67].socket, "0.0.0.0:64");
    nginx_config_cleanup(&config);
}

static void test_sockets(void **state)
{
    struct nginx_config config;

    (void)state;
    read_text(&config, "http { server { listen 443; server_name a *.b; }"
                       " server { listen *:443 ssl; server_name c.*; }"
                       " server { listen 8443 default_server; } server { listen 8443; } }");
    assert_true(nginx_socket_is_ssl(&config, "0.0.0.0:443"));
    assert_false(nginx_socket_is_ssl(&config, "0.0.0.0:8443"));
    assert_ptr_equal(nginx_socket_default(&config, "0.0.0.0:443"), &config.servers[0]);
    assert_ptr_equal(nginx_socket_default(&config, "0.0.0.0:8443"), &config.servers[2]);
    assert_null(nginx_socket_default(&config, "0.0.0.0:1"));
    assert_true(nginx_server_has_name(&config.servers[0], "x.b"));
    assert_true(nginx_server_has_name(&config.servers[0], "A"));
    assert_false(nginx_server_has_name(&config.servers[0], "b"));
    assert_true(nginx_server_has_name(&config.servers[1], "c.org"));
    assert_false(nginx_server_has_name(&config.servers[1], "a"));
    nginx_config_cleanup(&config);
}

/* What is wrong is told with its line, and what stands before it is kept. */
static const struct problem_row {
    const char *text;
    unsigned line;
    const char *problem;
} problem_rows[] = {
    {"http { server { listen 1 ssl;\n ssl_ciphers A\n } }", 3, "\";\" is missing"},
    {"http { server { listen 1;\n", 2, "never closed"},
    {"http { server { } }\n}", 2, "unexpected \"}\""},
    {"http { server { }\n include none.conf; }", 2, "none.conf"},
    {"http { server { }\n ssl_ciphers \"A; }", 2, "never closed"},
    {"http { server { } ; }", 1, "unexpected \";\""},
    {"\xEF\xBB\xBFhttp { server { } }", 1, "byte order mark"},
};

static void test_problems(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof problem_rows / sizeof problem_rows[0]; i++) {
        struct nginx_config config;
        read_text(&config, problem_rows[i].text);
        assert_int_equal(config.tree.problem_count, 1);
        assert_int_equal(config.tree.problems[0].line, problem_rows[i].line);
        assert_non_null(strstr(config.tree.problems[0].text, problem_rows[i].problem));
        assert_int_equal(config.tree.problems[0].syntax,
                         strcmp(problem_rows[i].problem, "none.conf") != 0);
        assert_int_equal(config.count, 1);
        nginx_config_cleanup(&config);
    }
}

static void test_dump(void **state)
{
    static const char text[] =
        "nginx: configuration file /etc/nginx/nginx.conf test is successful\n"
        "# configuration file /etc/nginx/nginx.conf:\n"
        "http {\n include conf.d/*.conf;\n}\n"
        "# configuration file /etc/nginx/conf.d/b.conf:\n"
        "\nserver { listen 2 ssl; }\n"
        "# configuration file /etc/nginx/conf.d/a.conf:\n"
        "server { listen 1 ssl; }\n";
    struct nginx_config config;
    char *path;

    (void)state;
    read_text(&config, text);
    assert_int_equal(config.tree.problem_count, 0);
    assert_int_equal(config.count, 2);
    assert_string_equal(config.servers[0].directive->file, "/etc/nginx/conf.d/a.conf");
    assert_int_equal(config.servers[0].directive->line, 1);
    assert_string_equal(config.servers[1].directive->file, "/etc/nginx/conf.d/b.conf");
    assert_int_equal(config.servers[1].directive->line, 2);
    path = nginx_tree_path(&config.tree, "ssl/a.crt");
    assert_string_equal(path, "/etc/nginx/ssl/a.crt");
    free(path);
    nginx_config_cleanup(&config);
}

static void write_file(const char *dir, const char *name, const char *text)
{
    char path[256];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", dir, name);
    file = fopen(path, "we");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void test_files(void **state)
{
    char dir[] = "/tmp/suitemark-nginx-XXXXXX", path[256];
    static const char *const names[] = {"nginx.conf", "sites/2.conf", "sites/1.conf",
                                        "sites/loop.inc"};
    struct nginx_config config;
    struct error err;

    (void)state;
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/sites", dir);
    assert_int_equal(mkdir(path, 0700), 0);
    write_file(dir, names[0], "http { include sites/*.conf; include sites/loop.inc; }");
    write_file(dir, names[1], "server { listen 2; }");
    write_file(dir, names[2], "server { listen 1; }");
    write_file(dir, names[3], "include sites/loop.inc;");
    snprintf(path, sizeof path, "%s/nginx.conf", dir);
    assert_true(nginx_config_read(&config, path, &err));
    assert_int_equal(config.count, 2);
    assert_string_equal(config.servers[0].listens[0].socket, "0.0.0.0:1");
    assert_int_equal(config.tree.problem_count, 1);
    assert_non_null(strstr(config.tree.problems[0].text, "deep"));
    nginx_config_cleanup(&config);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", dir, names[i]);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/sites", dir);
    rmdir(path);
    rmdir(dir);
    assert_false(nginx_config_read(&config, path, &err));
    nginx_config_cleanup(&config);
}

static void test_versions(void **state)
{
    (void)state;
    assert_int_equal(nginx_version_parse("1.22.1"), 1022001);
    assert_int_equal(nginx_version_parse("nginx/1.27.3\n"), 1027003);
    assert_int_equal(nginx_version_parse("1.26"), 1026000);
    assert_int_equal(nginx_version_parse("1.22.1 (Ubuntu)"), 1022001);
    assert_int_equal(nginx_version_parse(""), 0);
    assert_int_equal(nginx_version_parse("one"), 0);
    assert_int_equal(nginx_version_parse("1"), 0);
    assert_int_equal(nginx_version_parse("1.22.1.4"), 0);
    assert_string_equal(nginx_default(NGINX_PROTOCOLS, 1022001), "TLSv1 TLSv1.1 TLSv1.2");
    assert_string_equal(nginx_default(NGINX_PROTOCOLS, 1023003), "TLSv1 TLSv1.1 TLSv1.2");
    assert_string_equal(nginx_default(NGINX_PROTOCOLS, 1023004), "TLSv1 TLSv1.1 TLSv1.2 TLSv1.3");
    assert_string_equal(nginx_default(NGINX_PROTOCOLS, 1027003), "TLSv1.2 TLSv1.3");
    assert_string_equal(nginx_default(NGINX_DHPARAM, 1022001), "");
    assert_int_equal(nginx_shared_force(NGINX_CIPHERS), NGINX_FORCE_OWN);
    assert_int_equal(nginx_shared_force(NGINX_PROTOCOLS), NGINX_FORCE_DEFAULT);
    assert_int_equal(nginx_shared_force_command("ciphersuites"), NGINX_FORCE_DEFAULT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),   cmocka_unit_test(test_listens),
        cmocka_unit_test(test_ranges),   cmocka_unit_test(test_sockets),
        cmocka_unit_test(test_problems), cmocka_unit_test(test_dump),
        cmocka_unit_test(test_files),    cmocka_unit_test(test_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
