#include "client/loopback.h"

#include <arpa/inet.h>
#include <netinet/in.h>

bool loopback_address(const struct sockaddr_storage *address)
{
    if (address->ss_family == AF_INET) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)(const void *)address;
        return ntohl(v4->sin_addr.s_addr) >> 24 == 127;
    }
    if (address->ss_family == AF_INET6) {
        const struct in6_addr *v6 =
            &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
        return IN6_IS_ADDR_LOOPBACK(v6) || (IN6_IS_ADDR_V4MAPPED(v6) && v6->s6_addr[12] == 127);
    }
    return false;
}
