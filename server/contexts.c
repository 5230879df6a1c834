#include "server/contexts.h"

#include "common/base/memory.h"

#include <stdlib.h>

static int on_server_name(SSL *ssl, int *alert, void *argument)
{
    const struct contexts *contexts = argument;
    const char *host = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
    const struct sni_name *name = host != NULL ? sni_plan_find(contexts->plan, host) : NULL;
    (void)alert;
    if (name == NULL)
        return SSL_TLSEXT_ERR_NOACK;
    SSL_CTX *ctx = contexts->named[name - contexts->plan->names];
    return SSL_set_SSL_CTX(ssl, ctx) == ctx ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

static SSL_CTX *new_context(const struct contexts *contexts, const struct tls_settings *settings,
                            uint64_t set, struct error *err)
{
    const struct identity *chosen[SNI_IDENTITIES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < contexts->identity_count; i++) {
        if ((set >> i & 1) != 0)
            chosen[count++] = &contexts->identities[i];
    }
    return tls_context_new(settings, chosen, count, err);
}

/* Names with the same set share a context. */
static SSL_CTX *find_context(const struct contexts *contexts, size_t known, uint64_t set)
{
    if (contexts->plan->base == set)
        return contexts->base;
    for (size_t i = 0; i < known; i++) {
        if (contexts->plan->names[i].identities == set)
            return contexts->named[i];
    }
    return NULL;
}

static bool add_named(struct contexts *contexts, const struct tls_settings *settings, size_t index,
                      struct error *err)
{
    const uint64_t set = contexts->plan->names[index].identities;
    SSL_CTX *ctx = find_context(contexts, index, set);
    if (ctx == NULL)
        ctx = new_context(contexts, settings, set, err);
    else if (SSL_CTX_up_ref(ctx) != 1)
        return error_set(err, "out of memory");
    contexts->named[index] = ctx;
    return ctx != NULL;
}

bool contexts_init(struct contexts *contexts, const struct tls_settings *settings,
                   const struct identity *identities, size_t count, const struct sni_plan *plan,
                   struct error *err)
{
    *contexts = (struct contexts){
        .plan = plan,
        .identities = identities,
        .identity_count = count,
        .named = memory_new(plan->count + 1, sizeof *contexts->named),
    };
    contexts->base = new_context(contexts, settings, plan->base, err);
    bool good = contexts->base != NULL;
    for (size_t i = 0; good && i < plan->count; i++)
        good = add_named(contexts, settings, i, err);
    if (!good) {
        contexts_cleanup(contexts);
        return false;
    }
    (void)SSL_CTX_set_tlsext_servername_callback(contexts->base, on_server_name);
    (void)SSL_CTX_set_tlsext_servername_arg(contexts->base, contexts);
    return true;
}

void contexts_cleanup(struct contexts *contexts)
{
    for (size_t i = 0; contexts->named != NULL && i < contexts->plan->count; i++)
        SSL_CTX_free(contexts->named[i]);
    free(contexts->named);
    SSL_CTX_free(contexts->base);
    *contexts = (struct contexts){0};
}

size_t contexts_served(const struct contexts *contexts, const SSL *ssl)
{
    const X509 *leaf = SSL_get_certificate(ssl);
    size_t index = 0;
    while (index < contexts->identity_count && contexts->identities[index].leaf != leaf)
        index++;
    return index;
}
