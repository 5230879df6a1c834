#include "client/resolve.h"

#include "client/link.h"

#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void address_text(const struct addrinfo *info, uint16_t port, char text[static ADDRESS_TEXT])
{
    char host[ADDRESS_TEXT - 16] = "?";
    (void)getnameinfo(info->ai_addr, info->ai_addrlen, host, sizeof host, NULL, 0, NI_NUMERICHOST);
    bool v6 = info->ai_family == AF_INET6;
    (void)snprintf(text, ADDRESS_TEXT, v6 ? "[%s]:%u" : "%s:%u", host, (unsigned)port);
}

bool resolve_target(const struct target *target, struct load_settings *load,
                    char text[static ADDRESS_TEXT], struct error *err)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_family = AF_UNSPEC}, *list;
    struct failure failure = {0};
    char port[8];
    (void)snprintf(port, sizeof port, "%u", (unsigned)target->port);
    int status = getaddrinfo(target->host, port, &hints, &list);
    if (status != 0)
        return error_set(err, "resolve: %s: %s", target->host, gai_strerror(status));
    int fd = -1;
    for (const struct addrinfo *info = list; info && fd < 0; info = info->ai_next) {
        address_text(info, target->port, text);
        fd = link_connect(info->ai_addr, info->ai_addrlen, load->connect_timeout_ns, &failure);
        if (fd < 0)
            continue;
        memcpy(&load->address, info->ai_addr, info->ai_addrlen);
        load->address_length = info->ai_addrlen;
        close(fd);
    }
    freeaddrinfo(list);
    return fd >= 0 || error_set(err, "%s: %s", text, failure.text);
}
