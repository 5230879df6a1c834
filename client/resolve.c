#include "client/resolve.h"

#include "client/link.h"
#include "client/look_up.h"

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

static bool is_over(const struct interrupt *interrupt)
{
    return interrupt && interrupt->count > 0;
}

bool resolve_target(const struct target *target, struct load_settings *load,
                    char text[static ADDRESS_TEXT], struct error *err)
{
    struct addrinfo *list;
    struct failure failure = {0};
    if (!look_up(target->host, target->port, load->interrupt, &list, err))
        return false;
    int fd = -1;
    for (const struct addrinfo *info = list; info && fd < 0 && !is_over(load->interrupt);
         info = info->ai_next) {
        address_text(info, target->port, text);
        fd = link_connect(info->ai_addr, info->ai_addrlen, load->connect_timeout_ns,
                          load->interrupt, &failure);
        if (fd < 0)
            continue;
        memcpy(&load->address, info->ai_addr, info->ai_addrlen);
        load->address_length = info->ai_addrlen;
        close(fd);
    }
    freeaddrinfo(list);
    if (is_over(load->interrupt) && fd < 0)
        return error_set(err, "interrupted");
    return fd >= 0 || error_set(err, "%s: %s", text, failure.text);
}
