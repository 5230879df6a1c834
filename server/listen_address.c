#include "server/listen_address.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

static bool parse_port(const char *text, uint16_t *port)
{
    unsigned value = 0;
    const size_t length = strlen(text);
    if (length < 1 || length > 5 || strspn(text, "0123456789") != length)
        return false;
    for (const char *at = text; *at != '\0'; at++)
        value = value * 10 + (unsigned)(*at - '0');
    *port = (uint16_t)value;
    return value <= UINT16_MAX;
}

/* Finds where the host stands and where its port begins (NULL: there is none). */
static bool split(const char *text, const char **host, size_t *host_length, const char **port)
{
    const char *colon;
    if (text[0] == '[') {
        const char *bracket = strchr(text, ']');
        if (bracket == NULL || (bracket[1] != ':' && bracket[1] != '\0'))
            return false;
        *host = text + 1;
        *host_length = (size_t)(bracket - text - 1);
        *port = bracket[1] == ':' ? bracket + 2 : NULL;
        return memchr(*host, ':', *host_length) != NULL;
    }
    colon = strchr(text, ':');
    if (colon != NULL && strchr(colon + 1, ':') != NULL)
        return false;
    *host = text;
    *host_length = colon != NULL ? (size_t)(colon - text) : strlen(text);
    *port = colon != NULL ? colon + 1 : NULL;
    return true;
}

bool listen_address_parse(const char *text, struct listen_address *address, struct error *err)
{
    const char *host, *port;
    size_t length;
    if (!split(text, &host, &length, &port))
        return error_set(err, "\"%s\" is no address: an IPv6 address is written [v6]:port", text);
    if (length == 0)
        return error_set(err, "\"%s\" names no host: 0.0.0.0:4433 listens on every address", text);
    if (length >= sizeof address->host)
        return error_set(err, "the host name is longer than %zu characters",
                         sizeof address->host - 1);
    if (port == NULL)
        return error_set(err, "\"%s\" has no port: write host:port, port 0 lets the kernel choose",
                         text);
    if (!parse_port(port, &address->port))
        return error_set(err, "\"%s\" has no port between 0 and 65535", text);
    memcpy(address->host, host, length);
    address->host[length] = '\0';
    return true;
}

bool listen_address_resolve(const struct listen_address *address, struct sockaddr_storage *socket,
                            socklen_t *length, struct error *err)
{
    char port[8];
    struct addrinfo *found = NULL;
    const struct addrinfo hints = {
        .ai_socktype = SOCK_STREAM,
        .ai_flags = AI_PASSIVE | AI_NUMERICSERV,
    };
    (void)snprintf(port, sizeof port, "%u", address->port);
    const int status = getaddrinfo(address->host, port, &hints, &found);
    if (status != 0)
        return error_set(err, "%s: %s", address->host, gai_strerror(status));
    memset(socket, 0, sizeof *socket);
    memcpy(socket, found->ai_addr, found->ai_addrlen);
    *length = found->ai_addrlen;
    freeaddrinfo(found);
    return true;
}

char *listen_address_format(char text[static LISTEN_ADDRESS_TEXT],
                            const struct sockaddr_storage *socket)
{
    char host[INET6_ADDRSTRLEN] = "?";
    if (socket->ss_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)socket;
        (void)inet_ntop(AF_INET6, &v6->sin6_addr, host, sizeof host);
        (void)snprintf(text, LISTEN_ADDRESS_TEXT, "[%s]:%u", host, ntohs(v6->sin6_port));
    } else {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)socket;
        (void)inet_ntop(AF_INET, &v4->sin_addr, host, sizeof host);
        (void)snprintf(text, LISTEN_ADDRESS_TEXT, "%s:%u", host, ntohs(v4->sin_port));
    }
    return text;
}
