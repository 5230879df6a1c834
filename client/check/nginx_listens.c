#include "client/check/nginx_block.h"
#include "client/check/nginx_forms.h"
#include "client/check/nginx_lines.h"
#include "common/base/text.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- addresses --- */

#define PORT_MAX  65535
#define PATH_MOST 107 /* bytes of a socket's path (unix(7)) */

static const char *bad_host(const char *host, size_t length)
{
    char address[64];
    struct in6_addr unused;
    struct in_addr unused_4;

    if (length == 0)
        return "the address has no host";
    (void)snprintf(address, sizeof address, "%.*s", (int)length, host);
    if (host[0] != '[' && strspn(address, "0123456789.") == length)
        return inet_aton(address, &unused_4) != 0 ? NULL : "it is no IPv4 address";
    if (host[0] != '[')
        return memchr(host, '/', length) ? "a host's name has no slash" : NULL;
    if (length >= sizeof address || host[length - 1] != ']')
        return "the address's bracket is not closed";
    address[length - 1] = '\0';
    return inet_pton(AF_INET6, address + 1, &unused) == 1 ? NULL : "it is no IPv6 address";
}

/* "443", or "8000-8003". */
static bool is_port(const char *text)
{
    char *end;
    unsigned long first = strtoul(text, &end, 10), last = first;

    if (text[0] < '0' || text[0] > '9')
        return false;
    if (*end == '-' && end[1] >= '0' && end[1] <= '9')
        last = strtoul(end + 1, &end, 10);
    return *end == '\0' && first >= 1 && first <= last && last <= PORT_MAX;
}

/* What is wrong with an address, NULL when nothing is. */
static const char *bad_address(const char *text)
{
    const char *bracket = text[0] == '[' ? strchr(text, ']') : NULL;
    const char *colon = strchr(bracket ? bracket : text, ':');
    size_t length = colon ? (size_t)(colon - text) : strlen(text);

    if (strncmp(text, "unix:", 5) == 0)
        return text[5] == '\0'                ? "the socket has no path"
               : strlen(text + 5) > PATH_MOST ? "the socket's path is too long"
                                              : NULL;
    if (text[0] == '[' && !bracket)
        return "the address's bracket is not closed";
    if (!colon && text[strspn(text, "0123456789-")] == '\0' && text[0] != '\0')
        return is_port(text) ? NULL : "it is no port";
    if (colon && !is_port(colon + 1))
        return "it is no port";
    return bad_host(text, length);
}

/* --- parameters --- */

#define NEVER ~0U

/* Those that end with "=" have a value. Versions of http and of stream by the manuals of their
 * listen directives and CHANGES; 1.22.1 as tried. */
static const struct parameter {
    const char *name;
    bool (*takes)(const char *value); /* NULL: any */
    unsigned since, until;            /* in http: [since, until) */
    unsigned stream_since;
} parameters[] = {
    {"default_server", NULL, 0, NEVER, 1025005},
    {"default", NULL, 0, NEVER, NEVER},
    {"ssl", NULL, 0, NEVER, 0},
    {"http2", NULL, 1009005, NEVER, NEVER},
    {"spdy", NULL, 0, 1022001, NEVER},
    {"quic", NULL, 1025000, NEVER, NEVER},
    {"proxy_protocol", NULL, 0, NEVER, 0},
    {"deferred", NULL, 0, NEVER, 1025005},
    {"bind", NULL, 0, NEVER, 0},
    {"reuseport", NULL, 1009001, NEVER, 0},
    {"udp", NULL, NEVER, NEVER, 1009013},
    {"multipath", NULL, 1022002, NEVER, 1022002}, /* not yet in the last that was tried */
    {"setfib=", form_is_number, 0, NEVER, 1025005},
    {"fastopen=", form_is_number, 0, NEVER, 1021000},
    {"backlog=", form_is_positive, 0, NEVER, 0},
    {"rcvbuf=", form_is_size, 0, NEVER, 0},
    {"sndbuf=", form_is_size, 0, NEVER, 0},
    {"ipv6only=", form_is_switch, 0, NEVER, 0},
    {"accept_filter=", NULL, 0, NEVER, 1025005},
    {"so_keepalive=", form_is_keepalive, 0, NEVER, 0},
};
#define PARAMETERS (sizeof parameters / sizeof parameters[0])

static const char *next_parameter(size_t index, const void *context)
{
    (void)context;
    return index < PARAMETERS ? parameters[index].name : NULL;
}

static const struct parameter *find_parameter(const char *word)
{
    for (size_t i = 0; i < PARAMETERS; i++) {
        const char *name = parameters[i].name;
        size_t length = strlen(name);
        bool has_value = name[length - 1] == '=';
        if (has_value ? strncmp(name, word, length) == 0 : strcmp(name, word) == 0)
            return &parameters[i];
    }
    return NULL;
}

/* What is wrong with a parameter, NULL when nothing is. Blocks whose module is not known may be of
 * either. */
static const char *bad_parameter(const struct parameter *parameter, const char *word, bool http,
                                 bool stream, unsigned version)
{
    bool in_http = version >= parameter->since && version < parameter->until;
    bool in_stream = version >= parameter->stream_since;

    if (!((http && in_http) || (stream && in_stream)))
        return "this version of nginx does not have the parameter here";
    if (parameter->takes && !parameter->takes(strchr(word, '=') + 1))
        return "the parameter has no such value";
    return NULL;
}

static void look_at_line(const struct nginx_config *config, const struct nginx_server *server,
                         const struct nginx_listen *listen, unsigned version,
                         struct finding_list *findings)
{
    const struct nginx_directive *line = listen->directive;
    const char *address = nginx_directive_argument(line, 0), *bad = bad_address(address);

    if (bad)
        lines_refuse(line, address, "such as 443, 10.0.0.1:443, [::]:443 or unix:/path", bad,
                     findings);
    if (listen->ssl && listen->udp && server->stream)
        lines_refuse(line, "udp", "remove one of them", "udp and ssl exclude each other", findings);
    for (size_t i = 2; i < line->words.count; i++) {
        const char *word = line->words.items[i];
        const struct parameter *parameter = find_parameter(word);
        const char *nearest = parameter ? NULL : text_nearest(word, next_parameter, NULL);
        char remedy[64] = "remove it";
        if (nearest)
            snprintf(remedy, sizeof remedy, "did you mean %s?", nearest);
        bad = parameter ? bad_parameter(parameter, word, !server->stream || config->partial,
                                        server->stream || config->partial, version)
                        : "a listen line has no such parameter";
        if (bad)
            lines_refuse(line, word, remedy, bad, findings);
    }
}

/* A line that names a range of ports stands there once for each of them. */
void listens_check(const struct nginx_config *config, unsigned version,
                   struct finding_list *findings)
{
    const struct nginx_directive *before = NULL;

    for (size_t i = 0; i < config->count; i++) {
        const struct nginx_server *server = &config->servers[i];
        for (size_t j = 0; j < server->listen_count; j++) {
            if (server->listens[j].directive != before)
                look_at_line(config, server, &server->listens[j], version, findings);
            before = server->listens[j].directive;
        }
    }
}
