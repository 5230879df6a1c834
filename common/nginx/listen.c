#include "common/nginx/listen.h"

#include "common/base/memory.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool listen_is_port(const char *text)
{
    return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
}

/* nginx reads a number: 0443 is 443. */
static const char *listen_port(const char *port)
{
    size_t zeros = strspn(port, "0");

    return port[zeros] == '\0' && zeros > 0 ? port + zeros - 1 : port + zeros;
}

/* An IPv6 address in its shortest form, which it has in many. */
static char *listen_host(const char *text, size_t length)
{
    char host[INET6_ADDRSTRLEN + 1];
    struct in6_addr address;

    if (length == 1 && text[0] == '*')
        return memory_copy_text("0.0.0.0");
    if (length < 3 || text[0] != '[' || length - 2 >= sizeof host)
        return memory_format("%.*s", (int)length, text);
    snprintf(host, sizeof host, "%.*s", (int)(length - 2), text + 1);
    if (inet_pton(AF_INET6, host, &address) != 1 ||
        !inet_ntop(AF_INET6, &address, host, sizeof host))
        return memory_format("%.*s", (int)length, text);
    return memory_format("[%s]", host);
}

/* The forms of nginx's manual: "443", "*:443", "10.0.0.1:443", "10.0.0.1", "[::]:443", "[::]",
 * "localhost:443", "unix:/path". */
static char *listen_socket(const char *text)
{
    const char *colon = strrchr(text, ':'), *bracket = strrchr(text, ']');

    if (strncmp(text, "unix:", 5) == 0)
        return memory_copy_text(text);
    if (listen_is_port(text))
        return memory_format("0.0.0.0:%s", listen_port(text));
    if (text[0] == '[')
        colon = bracket && bracket[1] == ':' ? bracket + 1 : NULL;
    char *host = listen_host(text, colon ? (size_t)(colon - text) : strlen(text));
    char *socket = memory_format("%s:%s", host, colon ? listen_port(colon + 1) : "80");
    free(host);
    return socket;
}

/* What nginx sets on a socket, by the start of the parameter. */
static bool listen_is_option(const char *word)
{
    static const char *const starts[] = {
        "setfib=",   "fastopen=", "backlog=",      "rcvbuf=",   "sndbuf=", "accept_filter=",
        "ipv6only=", "deferred",  "so_keepalive=", "reuseport", "bind",
    };

    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        if (strncmp(word, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

void nginx_listen_read(const struct nginx_directive *directive, struct nginx_listen *listen)
{
    *listen = (struct nginx_listen){
        .directive = directive,
        .socket = listen_socket(nginx_directive_argument(directive, 0)),
    };
    for (size_t i = 2; i < directive->words.count; i++) {
        const char *word = directive->words.items[i];
        listen->ssl |= strcmp(word, "ssl") == 0;
        listen->default_server |=
            strcmp(word, "default_server") == 0 || strcmp(word, "default") == 0;
        listen->options |= listen_is_option(word);
        listen->udp |= strcmp(word, "udp") == 0 || strcmp(word, "quic") == 0;
    }
}
