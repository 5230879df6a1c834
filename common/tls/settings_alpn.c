#include "common/tls/settings_alpn.h"

#include "common/tls/reason.h"

#include <string.h>

/* The length of the name that `list` begins with; names never hold a comma. */
static size_t name_length(const char *list)
{
    return strcspn(list, ",");
}

static const char *next_name(const char *list)
{
    list += name_length(list);
    return *list == ',' ? list + 1 : list;
}

/* Finds a name among the length-prefixed ones that a client sent; libssl has checked their form. */
static const unsigned char *find_offered(const unsigned char *offered, unsigned length,
                                         const char *name, size_t name_size)
{
    for (unsigned at = 0; at < length; at += 1U + offered[at])
        if (offered[at] == name_size && memcmp(&offered[at + 1], name, name_size) == 0)
            return &offered[at + 1];
    return NULL;
}

static int choose(SSL *ssl, const unsigned char **chosen, unsigned char *chosen_length,
                  const unsigned char *offered, unsigned length, void *list)
{
    (void)ssl;
    for (const char *name = list; *name != '\0'; name = next_name(name)) {
        const unsigned char *found = find_offered(offered, length, name, name_length(name));
        if (found != NULL) {
            *chosen = found;
            *chosen_length = found[-1];
            return SSL_TLSEXT_ERR_OK;
        }
    }
    return SSL_TLSEXT_ERR_NOACK;
}

static bool offer(SSL_CTX *ctx, const char *list, struct error *err)
{
    unsigned char wire[256];
    unsigned used = 0;
    for (const char *name = list; *name != '\0'; name = next_name(name)) {
        size_t length = name_length(name);
        if (length == 0 || length > UINT8_MAX || used + 1 + length > sizeof(wire))
            return error_set(err, "ALPN list \"%s\": an empty or too long name", list);
        wire[used++] = (unsigned char)length;
        memcpy(&wire[used], name, length);
        used += (unsigned)length;
    }
    if (SSL_CTX_set_alpn_protos(ctx, wire, used) != 0) /* 0 is success here */
        return reason_error(err, "ALPN list \"%s\"", list);
    return true;
}

bool settings_alpn_apply(SSL_CTX *ctx, const struct tls_settings *settings, struct error *err)
{
    if (settings->alpn == NULL)
        return true;
    if (settings->role == TLS_CLIENT)
        return offer(ctx, settings->alpn, err);
    /* The callback takes a plain pointer, and only reads behind it. */
    SSL_CTX_set_alpn_select_cb(ctx, choose, (void *)(uintptr_t)settings->alpn);
    return true;
}
