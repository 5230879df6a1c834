#include "common/tls/settings_conf.h"

#include "common/tls/reason.h"

#include <openssl/err.h>
#include <stdio.h>
#include <string.h>

/* SSL_CONF_cmd's answers (its manual's section RETURN VALUES). */
enum {
    CONF_UNKNOWN = -2,
    CONF_NO_VALUE = -3,
};

static bool apply_one(SSL_CONF_CTX *conf, const char *word, struct error *err)
{
    char command[64];
    size_t length = strcspn(word, "=");
    if (length == 0 || length >= sizeof(command))
        return error_set(err, "\"%s\" is no COMMAND=VALUE", word);
    (void)snprintf(command, sizeof(command), "%.*s", (int)length, word);
    const char *value = word[length] == '=' ? &word[length + 1] : NULL;

    ERR_clear_error();
    int result = SSL_CONF_cmd(conf, command, value);
    if (result > 0)
        return true;
    if (result == CONF_UNKNOWN)
        return error_set(err, "\"%s\": OpenSSL has no command %s for this side", word, command);
    if (result == CONF_NO_VALUE)
        return error_set(err, "\"%s\": the command needs a value", word);
    return reason_error(err, "\"%s\"", word);
}

bool settings_conf_apply(SSL_CTX *ctx, const struct tls_settings *settings, struct error *err)
{
    if (settings->ssl_conf == NULL || settings->ssl_conf->count == 0)
        return true;
    SSL_CONF_CTX *conf = SSL_CONF_CTX_new();
    if (conf == NULL)
        return reason_error(err, "SSL_CONF_CTX_new");

    unsigned side = settings->role == TLS_SERVER ? SSL_CONF_FLAG_SERVER : SSL_CONF_FLAG_CLIENT;
    (void)SSL_CONF_CTX_set_flags(conf, SSL_CONF_FLAG_FILE | SSL_CONF_FLAG_CERTIFICATE |
                                           SSL_CONF_FLAG_SHOW_ERRORS | side);
    SSL_CONF_CTX_set_ssl_ctx(conf, ctx);

    bool ok = true;
    for (size_t i = 0; ok && i < settings->ssl_conf->count; i++)
        ok = apply_one(conf, settings->ssl_conf->items[i], err);
    if (ok && SSL_CONF_CTX_finish(conf) != 1)
        ok = reason_error(err, "SSL configuration commands");
    SSL_CONF_CTX_free(conf);
    return ok;
}
