#include "common/nginx/config.h"

#include "common/base/memory.h"
#include "common/nginx/listen.h"
#include "common/nginx/name.h"

#include <stdlib.h>
#include <string.h>

static const char *const setting_names[NGINX_SETTINGS] = {
    [NGINX_PROTOCOLS] = "ssl_protocols",
    [NGINX_CIPHERS] = "ssl_ciphers",
    [NGINX_CONF_COMMAND] = "ssl_conf_command",
    [NGINX_ECDH_CURVE] = "ssl_ecdh_curve",
    [NGINX_PREFER_SERVER] = "ssl_prefer_server_ciphers",
    [NGINX_CERTIFICATE] = "ssl_certificate",
    [NGINX_CERTIFICATE_KEY] = "ssl_certificate_key",
    [NGINX_PASSWORD_FILE] = "ssl_password_file",
    [NGINX_DHPARAM] = "ssl_dhparam",
    [NGINX_SESSION_TICKETS] = "ssl_session_tickets",
    [NGINX_SESSION_CACHE] = "ssl_session_cache",
    [NGINX_VERIFY_CLIENT] = "ssl_verify_client",
    [NGINX_CLIENT_CERTIFICATE] = "ssl_client_certificate",
    [NGINX_TRUSTED_CERTIFICATE] = "ssl_trusted_certificate",
    [NGINX_CRL] = "ssl_crl",
    [NGINX_TICKET_KEY] = "ssl_session_ticket_key",
    [NGINX_REJECT] = "ssl_reject_handshake",
    [NGINX_SSL] = "ssl",
};

#define SERVERS_MAX 10000

const char *nginx_setting_name(enum nginx_setting setting)
{
    return setting_names[setting];
}

static bool config_is(const struct nginx_directive *directive, const char *name)
{
    return strcmp(nginx_directive_name(directive), name) == 0;
}

/* --- values --- */

static void config_add_value(struct nginx_values *values, const struct nginx_directive *directive)
{
    values->items = memory_grow(values->items, values->count + 1, sizeof *values->items);
    values->items[values->count++] = directive;
}

/* The values that one level sets. */
static void config_read_level(const struct nginx_directive *children,
                              struct nginx_values values[NGINX_SETTINGS])
{
    for (const struct nginx_directive *child = children; child; child = child->next)
        for (int i = 0; i < NGINX_SETTINGS; i++)
            if (!child->block && child->words.count > 1 && config_is(child, setting_names[i]))
                config_add_value(&values[i], child);
}

static void config_inherit(const struct nginx_values *above, struct nginx_values *values)
{
    if (values->count > 0)
        return;
    for (size_t i = 0; i < above->count; i++)
        config_add_value(values, above->items[i]);
    values->inherited = above->count > 0;
}

static void config_free_values(struct nginx_values values[NGINX_SETTINGS])
{
    for (int i = 0; i < NGINX_SETTINGS; i++)
        free(values[i].items);
}

/* --- servers --- */

static void config_add_listen(struct nginx_server *server, const struct nginx_directive *directive)
{
    for (unsigned port = 0; port < nginx_listen_ports(directive); port++) {
        server->listens =
            memory_grow(server->listens, server->listen_count + 1, sizeof *server->listens);
        nginx_listen_read(directive, port, &server->listens[server->listen_count++]);
    }
}

/* A block without listen listens on port 80 (8000 when nginx does not run as root). */
static void config_read_server(const struct nginx_directive *directive, bool stream,
                               const struct nginx_values above[NGINX_SETTINGS],
                               struct nginx_server *server)
{
    *server = (struct nginx_server){.directive = directive, .stream = stream};
    config_read_level(directive->children, server->values);
    for (int i = 0; i < NGINX_SETTINGS; i++)
        config_inherit(&above[i], &server->values[i]);
    for (const struct nginx_directive *child = directive->children; child; child = child->next) {
        if (config_is(child, "listen") && child->words.count > 1)
            config_add_listen(server, child);
        if (!config_is(child, "server_name"))
            continue;
        for (size_t i = 1; i < child->words.count; i++)
            text_list_add(&server->names, child->words.items[i]);
    }
}

static void config_read_servers(struct nginx_config *config, const struct nginx_directive *level)
{
    struct nginx_values above[NGINX_SETTINGS] = {{0}};
    bool stream = level->words.count > 0 && config_is(level, "stream");

    config_read_level(level->children, above);
    for (const struct nginx_directive *child = level->children; child; child = child->next) {
        if (!child->block || !config_is(child, "server") || config->count == SERVERS_MAX)
            continue;
        /* Doubles, so that growing stays linear. */
        if ((config->count & (config->count - 1)) == 0)
            config->servers = memory_grow(config->servers, config->count ? 2 * config->count : 1,
                                          sizeof *config->servers);
        config_read_server(child, stream, above, &config->servers[config->count++]);
    }
    config_free_values(above);
}

/* Files that are to be included into http, such as those of sites-enabled, can be read alone: their
 * server blocks stand at the top. */
static void config_build(struct nginx_config *config)
{
    struct nginx_directive top = {.children = config->tree.first};

    for (const struct nginx_directive *child = config->tree.first; child; child = child->next)
        if (child->block && (config_is(child, "http") || config_is(child, "stream")))
            config_read_servers(config, child);
    config->partial = config->tree.problem_count > 0;
    if (config->count > 0)
        return;
    config_read_servers(config, &top);
    config->partial |= config->count > 0;
}

bool nginx_config_read(struct nginx_config *config, const char *path, struct error *err)
{
    *config = (struct nginx_config){.count = 0};
    if (!nginx_tree_read(&config->tree, path, err))
        return false;
    config_build(config);
    return true;
}

bool nginx_config_read_text(struct nginx_config *config, const char *name, const char *text,
                            size_t length, struct error *err)
{
    *config = (struct nginx_config){.count = 0};
    if (!nginx_tree_read_text(&config->tree, name, text, length, err))
        return false;
    config_build(config);
    return true;
}

void nginx_config_cleanup(struct nginx_config *config)
{
    for (size_t i = 0; i < config->count; i++) {
        struct nginx_server *server = &config->servers[i];
        for (size_t j = 0; j < server->listen_count; j++)
            free(server->listens[j].socket);
        free(server->listens);
        text_list_cleanup(&server->names);
        config_free_values(server->values);
    }
    free(config->servers);
    nginx_tree_cleanup(&config->tree);
    *config = (struct nginx_config){.count = 0};
}

/* --- sockets --- */

/* Of TCP: those of QUIC and UDP have the same names. */
static const struct nginx_listen *config_find_listen(const struct nginx_server *server,
                                                     const char *socket)
{
    for (size_t i = 0; i < server->listen_count; i++)
        if (!server->listens[i].udp && strcmp(server->listens[i].socket, socket) == 0)
            return &server->listens[i];
    return NULL;
}

bool nginx_server_is_on(const struct nginx_server *server, enum nginx_setting setting)
{
    const struct nginx_values *values = &server->values[setting];

    return values->count > 0 &&
           text_equal_nocase(nginx_directive_argument(values->items[values->count - 1], 0), "on");
}

bool nginx_server_has_certificate(const struct nginx_server *server)
{
    return server->values[NGINX_CERTIFICATE].count > 0;
}

bool nginx_server_rejects(const struct nginx_server *server)
{
    return nginx_server_is_on(server, NGINX_REJECT);
}

bool nginx_socket_is_ssl(const struct nginx_config *config, const char *socket)
{
    for (size_t i = 0; i < config->count; i++) {
        const struct nginx_listen *listen = config_find_listen(&config->servers[i], socket);
        if (listen && (listen->ssl || nginx_server_is_on(&config->servers[i], NGINX_SSL)))
            return true;
    }
    return false;
}

const struct nginx_server *nginx_socket_default(const struct nginx_config *config,
                                                const char *socket)
{
    const struct nginx_server *first = NULL;

    for (size_t i = 0; i < config->count; i++) {
        const struct nginx_listen *listen = config_find_listen(&config->servers[i], socket);
        if (listen && listen->default_server)
            return &config->servers[i];
        if (listen && !first)
            first = &config->servers[i];
    }
    return first;
}

bool nginx_server_has_name(const struct nginx_server *server, const char *name)
{
    for (size_t i = 0; i < server->names.count; i++)
        if (nginx_name_matches(server->names.items[i], name))
            return true;
    return server->names.count == 0 && name[0] == '\0';
}
