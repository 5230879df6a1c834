#ifndef CLIENT_CREDENTIALS_H
#define CLIENT_CREDENTIALS_H

#include "common/base/error.h"
#include "common/tls/identity.h"
#include "common/tls/settings.h"

#include <openssl/ssl.h>
#include <stdbool.h>

/* What the client knows of its peer and shows of itself, the same for every connection of a run.
 * Zeroed is valid: nothing is verified, nothing is shown. */
struct credentials {
    X509_STORE *trust;     /* the chain must end here; NULL: not verified */
    char verify_name[256]; /* with trust: the name, or the address, that the leaf must be for */
    bool verify_address;
    struct identity identity; /* for servers that ask for a client certificate */
    bool have_identity;
    OSSL_LIB_CTX *library; /* NULL: the default one; lives as long as the process */
};

/* Each file may be NULL. `cert_file` without `key_file` takes the key from the same file. */
bool credentials_init(struct credentials *credentials, const char *ca_file, const char *cert_file,
                      const char *key_file, struct error *err) MUST_CHECK;
void credentials_cleanup(struct credentials *credentials);

/* A client context of these settings that verifies and shows what the credentials (NULL: none) say.
 * Free with SSL_CTX_free. NULL: failed. */
SSL_CTX *credentials_context_new(const struct credentials *credentials,
                                 const struct tls_settings *settings, struct error *err) MUST_CHECK;

#endif
