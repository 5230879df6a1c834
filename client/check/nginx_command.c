#include "client/check/nginx_block.h"

#include "common/base/text.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

/* The commands of a block are given to a context as nginx gives them at its start. */

#define COMMAND_FLAGS                                                                              \
    (SSL_CONF_FLAG_FILE | SSL_CONF_FLAG_SERVER | SSL_CONF_FLAG_CLIENT | SSL_CONF_FLAG_CERTIFICATE)

/* Lists are judged word by word; files may be on another machine. */
static bool is_judged_elsewhere(SSL_CONF_CTX *conf, const char *name)
{
    static const char *const lists[] = {"Ciphersuites", "CipherString", "Groups", "Curves"};
    int type = SSL_CONF_cmd_value_type(conf, name);

    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (text_equal_nocase(lists[i], name))
            return true;
    return type == SSL_CONF_TYPE_FILE || type == SSL_CONF_TYPE_DIR;
}

static void look_at(SSL_CONF_CTX *conf, const struct nginx_directive *line,
                    struct finding_list *findings)
{
    const char *name = nginx_directive_argument(line, 0);
    const char *value = nginx_directive_argument(line, 1);
    char place[BLOCK_PLACE];

    if (is_judged_elsewhere(conf, name) || SSL_CONF_cmd(conf, name, value) > 0)
        return;
    bool known = SSL_CONF_cmd_value_type(conf, name) != SSL_CONF_TYPE_UNKNOWN;
    finding_add(findings, FINDING_ERROR, "ssl_conf_command", known ? value : name,
                block_place(line, place), "see SSL_CONF_cmd(3)",
                known ? "nginx does not start: OpenSSL refuses this value of the command %s"
                      : "nginx does not start: OpenSSL has no command %s",
                name);
}

void block_check_commands(const struct nginx_block *block, struct finding_list *findings)
{
    const struct nginx_values *commands = &block->own->values[NGINX_CONF_COMMAND];
    SSL_CTX *ctx = SSL_CTX_new(TLS_server_method());
    SSL_CONF_CTX *conf = SSL_CONF_CTX_new();

    if (ctx && conf) {
        SSL_CONF_CTX_set_flags(conf, COMMAND_FLAGS);
        SSL_CONF_CTX_set_ssl_ctx(conf, ctx);
        for (size_t i = 0; i < commands->count; i++)
            look_at(conf, commands->items[i], findings);
    }
    ERR_clear_error();
    SSL_CONF_CTX_free(conf);
    SSL_CTX_free(ctx);
}
