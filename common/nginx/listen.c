#include "common/nginx/listen.h"

#include "common/base/memory.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANGE_MAX 64
#define PORT_TEXT 16

/* "443", or "8000-8003"; false: neither. */
static bool listen_range(const char *text, unsigned long *first, unsigned long *last)
{
    static const char digits[] = "0123456789";
    size_t length = strspn(text, digits), rest = 0;

    if (length == 0)
        return false;
    *first = *last = strtoul(text, NULL, 10);
    if (text[length] == '\0')
        return true;
    rest = strspn(text + length + 1, digits);
    if (text[length] != '-' || rest == 0 || text[length + 1 + rest] != '\0')
        return false;
    *last = strtoul(text + length + 1, NULL, 10);
    return *first <= *last;
}

/* nginx reads a number: 0443 is 443. What is none stays as it is. */
static const char *listen_port(const char *text, unsigned port, char out[static PORT_TEXT])
{
    unsigned long first, last;

    if (!listen_range(text, &first, &last))
        return text;
    (void)snprintf(out, PORT_TEXT, "%lu", (first + port) % 100000);
    return out;
}

/* Where an address ends and its port begins; NULL: it has none. */
static const char *listen_colon(const char *text)
{
    const char *bracket = strrchr(text, ']');

    if (text[0] == '[')
        return bracket && bracket[1] == ':' ? bracket + 1 : NULL;
    return strrchr(text, ':');
}

unsigned nginx_listen_ports(const struct nginx_directive *directive)
{
    const char *text = nginx_directive_argument(directive, 0), *colon = listen_colon(text);
    unsigned long first, last;

    if (strncmp(text, "unix:", 5) == 0 || !listen_range(colon ? colon + 1 : text, &first, &last))
        return 1;
    return last - first < RANGE_MAX ? (unsigned)(last - first) + 1 : RANGE_MAX;
}

/* An IPv6 address in its shortest form, which it has in many. */
static char *listen_host(const char *text, size_t length)
{
    char host[INET6_ADDRSTRLEN + 1];
    struct in6_addr address;

    if (length == 1 && text[0] == '*')
        return memory_copy_text("0.0.0.0");
    if (length == strlen("localhost") && strncmp(text, "localhost", length) == 0)
        return memory_copy_text("127.0.0.1");
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
static char *listen_socket(const char *text, unsigned port)
{
    const char *colon = listen_colon(text);
    unsigned long first, last;
    char out[PORT_TEXT];

    if (strncmp(text, "unix:", 5) == 0)
        return memory_copy_text(text);
    if (listen_range(text, &first, &last))
        return memory_format("0.0.0.0:%s", listen_port(text, port, out));
    char *host = listen_host(text, colon ? (size_t)(colon - text) : strlen(text));
    char *socket = memory_format("%s:%s", host, colon ? listen_port(colon + 1, port, out) : "80");
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

void nginx_listen_read(const struct nginx_directive *directive, unsigned port,
                       struct nginx_listen *listen)
{
    *listen = (struct nginx_listen){
        .directive = directive,
        .socket = listen_socket(nginx_directive_argument(directive, 0), port),
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
