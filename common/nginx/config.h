#ifndef COMMON_NGINX_CONFIG_H
#define COMMON_NGINX_CONFIG_H

#include "common/base/error.h"
#include "common/nginx/tree.h"

#include <stdbool.h>
#include <stddef.h>

/* What of a configuration shapes TLS: its server blocks, where they listen, and the values of the
 * ssl_* directives with nginx's inheritance (a level that sets a directive hides all values of the
 * level above, also for those that may be repeated). */

enum nginx_setting {
    NGINX_PROTOCOLS,
    NGINX_CIPHERS,
    NGINX_CONF_COMMAND,
    NGINX_ECDH_CURVE,
    NGINX_PREFER_SERVER,
    NGINX_CERTIFICATE,
    NGINX_CERTIFICATE_KEY,
    NGINX_PASSWORD_FILE, /* of encrypted keys */
    NGINX_DHPARAM,
    NGINX_SESSION_TICKETS,
    NGINX_SESSION_CACHE,
    NGINX_VERIFY_CLIENT,
    NGINX_CLIENT_CERTIFICATE,  /* what clients' certificates are verified with … */
    NGINX_TRUSTED_CERTIFICATE, /* … and this, which is not told to them */
    NGINX_CRL,
    NGINX_TICKET_KEY, /* ssl_session_ticket_key */
    NGINX_REJECT,     /* ssl_reject_handshake */
    NGINX_SSL,        /* "ssl on;" of the time before `listen … ssl` */
    NGINX_SETTINGS,
};

const char *nginx_setting_name(enum nginx_setting setting); /* "ssl_protocols" */

/* The directives that are in force for one setting of one server block, in order. */
struct nginx_values {
    const struct nginx_directive **items;
    size_t count;
    bool inherited; /* from the http level */
};

struct nginx_listen {
    const struct nginx_directive *directive; /* several have the same where it names a range */
    char *socket; /* as nginx tells sockets apart: "0.0.0.0:443", "[::]:443", "unix:/path" */
    bool ssl, default_server, udp;
    bool options; /* of the socket itself, which one block alone may set */
};

struct nginx_server {
    const struct nginx_directive *directive;
    bool stream; /* of the stream module, else of http */
    struct nginx_listen *listens;
    size_t listen_count;
    struct text_list names;
    struct nginx_values values[NGINX_SETTINGS];
};

struct nginx_config {
    struct nginx_tree tree;
    struct nginx_server *servers; /* of http and stream, in the order of the file */
    size_t count;
    bool partial; /* a file for http alone, or one with an include that could not be read: what is
                     not here may be there */
};

/* As nginx_tree_read; free with nginx_config_cleanup in any case. */
bool nginx_config_read(struct nginx_config *config, const char *path, struct error *err) MUST_CHECK;
bool nginx_config_read_text(struct nginx_config *config, const char *name, const char *text,
                            size_t length, struct error *err) MUST_CHECK;
void nginx_config_cleanup(struct nginx_config *config);

/* Whether a socket of TCP speaks TLS: one `ssl` in any block's listen makes it so for all of them.
 */
bool nginx_socket_is_ssl(const struct nginx_config *config, const char *socket);
/* The block whose settings a socket starts with: the one that says default_server, else the
 * first. */
const struct nginx_server *nginx_socket_default(const struct nginx_config *config,
                                                const char *socket);
bool nginx_server_has_certificate(const struct nginx_server *server);
/* Whether the last value of a switch is "on". */
bool nginx_server_is_on(const struct nginx_server *server, enum nginx_setting setting);
/* Whether it turns every handshake away (ssl_reject_handshake). */
bool nginx_server_rejects(const struct nginx_server *server);
/* Whether a server block answers to a name, by one of its words (nginx_name_matches). */
bool nginx_server_has_name(const struct nginx_server *server, const char *name);

#endif
