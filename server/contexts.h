#ifndef SERVER_CONTEXTS_H
#define SERVER_CONTEXTS_H

#include "common/base/error.h"
#include "common/tls/identity.h"
#include "common/tls/settings.h"
#include "server/sni.h"

#include <openssl/ssl.h>
#include <stddef.h>

/* One SSL_CTX for each set of identities that the plan names, all with the same settings, since
 * SSL_set_SSL_CTX switches nothing but the certificate. Connections start from the base context;
 * the name that the client sends switches them. The struct must not move once it is initialised:
 * the base context's callback points to it. Read-only afterwards, so threads may share one. */
struct contexts {
    const struct sni_plan *plan;
    const struct identity *identities;
    size_t identity_count;
    SSL_CTX *base;
    SSL_CTX **named; /* by index into plan->names; each holds a reference */
};

/* Identities and plan must outlive it. */
bool contexts_init(struct contexts *contexts, const struct tls_settings *settings,
                   const struct identity *identities, size_t count, const struct sni_plan *plan,
                   struct error *err) MUST_CHECK;
void contexts_cleanup(struct contexts *contexts);

/* The index of the identity that a finished full handshake was served with; identity_count where it
 * is none of them. */
size_t contexts_served(const struct contexts *contexts, const SSL *ssl);

#endif
