#ifndef COMMON_TLS_SETTINGS_H
#define COMMON_TLS_SETTINGS_H

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/tls/identity.h"

#include <openssl/ssl.h>
#include <stdbool.h>
#include <stddef.h>

enum tls_role {
    TLS_CLIENT,
    TLS_SERVER,
};

/* Everything that shapes an SSL_CTX. One function makes every context of both programs from it, so
 * that contexts of one server differ in nothing but their certificates (SSL_set_SSL_CTX would not
 * carry the rest). Strings are OpenSSL's syntax; NULL means the laboratory default: everything that
 * the loaded library has. */
struct tls_settings {
    enum tls_role role;
    OSSL_LIB_CTX *library;        /* NULL: the default one */
    int min_version, max_version; /* 0: TLS 1.0, TLS 1.3 */
    int security_level;           /* set before any certificate is loaded */
    const char *ciphers;          /* TLS <= 1.2 (SSL_CTX_set_cipher_list); "" : none at all */
    const char *ciphersuites;     /* TLS 1.3; "": none at all */
    const char *groups;
    const char *sigalgs; /* NULL: not set, OpenSSL's own default list */
    bool prefer_server;
    /* TLS 1.3 tickets per full handshake; in TLS 1.2 0 switches session tickets off */
    unsigned tickets;
    bool session_cache;               /* server-side session cache (resumption by session id) */
    const unsigned char *ticket_keys; /* server: shared by all its contexts,
                                         tls_ticket_keys_length() random bytes; NULL: own */
    size_t ticket_keys_length;
    EVP_PKEY *dh_params; /* NULL: automatic, sized by the certificate (SSL_CTX_set_dh_auto) */
    bool no_dh;          /* neither: no DHE suite up to OpenSSL 3, as in a server that was given no
                            parameters */
    X509_STORE *client_ca; /* server: require and verify a client certificate by this; NULL: not
                              asked for */
    X509_STORE *trust;     /* client: verify the peer's chain by this; NULL: not verified */
    const char *alpn; /* client: offered, server: accepted by its own order; "suitemark/1,http/1.1";
                         NULL: none. A server's context keeps the pointer: the text must outlive it
                       */
    bool read_ahead;
    size_t read_buffer; /* bytes; 0: OpenSSL's own */
    /* COMMAND=VALUE, applied last (SSL_CONF_cmd(3)); NULL: none */
    const struct text_list *ssl_conf;
};

/* Makes a context that serves (or presents) these identities; none is valid for a client.
 * Everything is set explicitly, nothing is left to a system-wide openssl.cnf. Each list is read
 * back after setting it: a word that OpenSSL would drop silently is a failure that names it. The
 * context comes without session cache on the client side, with SSL_MODE_ENABLE_PARTIAL_WRITE and
 * SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER, and without renegotiation. Free with SSL_CTX_free. NULL:
 * failed. */
SSL_CTX *tls_context_new(const struct tls_settings *settings,
                         const struct identity *const *identities, size_t count,
                         struct error *err) MUST_CHECK;

/* What the loaded OpenSSL takes as ticket_keys, in bytes; 0: failed. */
size_t tls_ticket_keys_length(void);

/* Diffie-Hellman parameters from a PEM file; the caller frees. NULL: failed. */
EVP_PKEY *tls_dh_params_load(const char *path, struct error *err) MUST_CHECK;

/* A store with the certificates of a PEM file; the caller frees. NULL: failed. */
X509_STORE *tls_trust_load(const char *path, struct error *err) MUST_CHECK;

/* The ALPN protocol that suitemark's own control connection selects; other servers never do. */
#define TLS_ALPN_CONTROL "suitemark/1"
#define TLS_ALPN_HTTP    "http/1.1"

#endif
