#include "server/options.h"

#include "common/base/clock.h"

#define ROW(row_name, row_type, field)                                                             \
    .name = (row_name), .type = (row_type), .offset = offsetof(struct server_options, field)
#define HOUR (UINT64_C(3600) * NS_PER_S)

const struct option_row server_option_rows[] = {
    {.help = "Where and how"},
    {ROW("listen", OPTION_REPEAT, listen), .value = "HOST:PORT",
     .help = "Listen there, [v6]:port for IPv6, port 0 for any free one; may be repeated; "
             "127.0.0.1:4433 when not given"},
    {ROW("threads", OPTION_COUNT, threads), .value = "N", .min = 1, .max = 256,
     .help = "Worker threads; when not given one for each CPU that the process may run on"},
    {ROW("pin", OPTION_TEXT, pin), .value = "CPUS",
     .help = "Bind worker threads to these CPUs in turn, a list such as 0,2-3"},
    {ROW("handshake-timeout", OPTION_DURATION, handshake_timeout_ns), .value = "TIME",
     .fallback = "10s", .min = NS_PER_MS, .max = HOUR,
     .help = "Limit from accept to the end of the handshake"},
    {ROW("idle-timeout", OPTION_DURATION, idle_timeout_ns), .value = "TIME", .fallback = "60s",
     .min = NS_PER_MS, .max = 24 * HOUR,
     .help = "Limit of a connection without progress; a request's head must be whole by then"},
    {ROW("max-connections", OPTION_COUNT, max_connections), .value = "N", .min = 1, .max = 10000000,
     .help = "Close connections beyond this many at once after accepting them"},
    {ROW("exit-with-stdin", OPTION_FLAG, exit_with_stdin),
     .help = "End when standard input closes, as an embedded server does"},

    {.help = "Certificates"},
    {ROW("certs", OPTION_LIST, certs), .value = "KINDS",
     .help = "Kinds to make and serve, as KIND.suitemark.test by SNI (rsa-2048, ecdsa-p256, ...); "
             "when not given every kind that the library has"},
    {ROW("cert-dir", OPTION_TEXT, cert_dir), .value = "DIR",
     .help = "Folder where made certificates are kept and reused"},
    {ROW("cert", OPTION_REPEAT, cert), .value = "FILE",
     .help = "Serve this PEM certificate chain; may be repeated, each with its --key; without "
             "--certs only these are served"},
    {ROW("key", OPTION_REPEAT, key), .value = "FILE", .help = "Private key of the --cert"},
    {ROW("key-pass-file", OPTION_TEXT, key_pass_file), .value = "FILE",
     .help = "File of pass phrases of encrypted keys, each in a line"},

    {.help = "TLS (when not given: everything that the library has)"},
    {ROW("versions", OPTION_LIST, versions), .value = "LIST",
     .help = "Protocol versions without a gap between them (1.2,1.3)"},
    {ROW("ciphers", OPTION_TEXT, ciphers), .value = "STRING",
     .help = "Suites of TLS 1.2 and before, as OpenSSL's cipher string"},
    {ROW("ciphersuites", OPTION_TEXT, ciphersuites), .value = "LIST",
     .help = "Suites of TLS 1.3, colon-separated"},
    {ROW("groups", OPTION_TEXT, groups), .value = "LIST",
     .help = "Key-exchange groups in order of preference (x25519,p-256), or a list as OpenSSL "
             "takes it"},
    {ROW("sigalgs", OPTION_TEXT, sigalgs), .value = "LIST",
     .help = "Signature algorithms, colon-separated"},
    {ROW("prefer-server", OPTION_FLAG, prefer_server),
     .help = "Choose the suite by the server's order, not by the client's"},
    {ROW("security-level", OPTION_COUNT, security_level), .value = "N", .fallback = "0", .max = 5,
     .help = "OpenSSL's security level"},
    {ROW("tickets", OPTION_COUNT, tickets), .value = "N", .fallback = "0", .max = 16,
     .help = "TLS 1.3 session tickets after a full handshake; 0 switches tickets off in TLS 1.2 "
             "too"},
    {ROW("session-cache", OPTION_FLAG, session_cache),
     .help = "Keep sessions for resumption by session id; all threads then share one cache"},
    {ROW("dhparam", OPTION_TEXT, dhparam), .value = "FILE",
     .help = "Diffie-Hellman parameters (PEM), or none to have none; when not given sized by the "
             "certificate"},
    {ROW("client-ca", OPTION_TEXT, client_ca), .value = "FILE",
     .help = "Require a client certificate that one of these certificates (PEM) vouches for"},
    {ROW("ssl-conf", OPTION_REPEAT, ssl_conf), .value = "COMMAND=VALUE",
     .help = "Any command of SSL_CONF_cmd(3), applied last; may be repeated"},
    {ROW("openssl-config", OPTION_FLAG, openssl_config),
     .help = "Load the system's openssl.cnf, which can change what is measured"},

    {.help = "Other"},
    {ROW("help", OPTION_FLAG, help), .letter = 'h', .help = "Print this help, and end"},
    {ROW("version", OPTION_FLAG, version),
     .help = "Print the versions of suitemark and OpenSSL, and end"},
};

const size_t server_option_count = sizeof server_option_rows / sizeof server_option_rows[0];

static bool check_pairs(const struct server_options *options, struct error *err)
{
    if (options->cert.count != options->key.count)
        return error_set(err, "each --cert needs its --key: %zu and %zu are given",
                         options->cert.count, options->key.count);
    if (options->key_pass_file != NULL && options->key.count == 0)
        return error_set(err, "--key-pass-file: there is no --key that it could open");
    return true;
}

bool server_options_parse(int argc, char **argv, struct server_options *options, struct error *err)
{
    struct text_list operands = {0};
    *options = (struct server_options){0};
    bool good =
        option_parse(server_option_rows, server_option_count, options, argc, argv, &operands, err);
    if (good && operands.count > 0)
        good = error_set(err, "%s: suitemark-server takes options only", operands.items[0]);
    if (good && options->listen.count == 0)
        text_list_add(&options->listen, "127.0.0.1:4433");
    good = good && check_pairs(options, err);
    text_list_cleanup(&operands);
    return good;
}

void server_options_cleanup(struct server_options *options)
{
    option_cleanup(server_option_rows, server_option_count, options);
}
