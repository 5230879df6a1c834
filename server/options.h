#ifndef SERVER_OPTIONS_H
#define SERVER_OPTIONS_H

#include "common/base/error.h"
#include "common/base/option.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The command line as typed. Ends at the config: nothing behind it reads an option. */
struct server_options {
    bool help, version;

    struct text_list listen;
    uint64_t threads; /* 0: not given */
    const char *pin;
    uint64_t handshake_timeout_ns, idle_timeout_ns;
    uint64_t max_connections; /* 0: no limit of ours */
    bool exit_with_stdin;

    struct text_list certs;
    const char *cert_dir;
    struct text_list cert, key; /* pairs, in order */
    const char *key_pass_file;

    struct text_list versions;
    const char *ciphers, *ciphersuites, *groups, *sigalgs;
    bool prefer_server;
    uint64_t security_level;
    uint64_t tickets;
    bool session_cache;
    const char *dhparam, *client_ca;
    struct text_list ssl_conf;
    bool openssl_config;
};

extern const struct option_row server_option_rows[];
extern const size_t server_option_count;

/* Parses argv and checks what needs neither the library nor the network. */
bool server_options_parse(int argc, char **argv, struct server_options *options,
                          struct error *err) MUST_CHECK;
void server_options_cleanup(struct server_options *options);

#endif
