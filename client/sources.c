#include "client/sources.h"

#include "common/base/clock.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define LOOPBACK_SOURCES 250
#define TIME_WAIT_S      60   /* Linux: TCP_TIMEWAIT_LEN */
#define RATE_PER_THREAD  5000 /* more new connections a second than one client thread can make */

static bool read_source(const char *word, struct sockaddr_storage *source, socklen_t *length)
{
    struct sockaddr_in *v4 = (struct sockaddr_in *)(void *)source;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)(void *)source;
    memset(source, 0, sizeof *source);
    if (inet_pton(AF_INET, word, &v4->sin_addr) == 1) {
        v4->sin_family = AF_INET;
        *length = sizeof *v4;
        return true;
    }
    if (inet_pton(AF_INET6, word, &v6->sin6_addr) == 1) {
        v6->sin6_family = AF_INET6;
        *length = sizeof *v6;
        return true;
    }
    return false;
}

static bool can_bind(const struct sockaddr_storage *source, socklen_t length)
{
    int fd = socket(source->ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool ok = fd >= 0 && bind(fd, (const struct sockaddr *)source, length) == 0;
    int kept = errno;
    if (fd >= 0)
        close(fd);
    errno = kept;
    return ok;
}

static bool add_source(const char *word, struct load_settings *load, struct error *err)
{
    struct sockaddr_storage *source = &load->sources[load->source_count];
    if (load->source_count == LOAD_SOURCES_MAX)
        return error_set(err, "--source: more than %d addresses", LOAD_SOURCES_MAX);
    if (!read_source(word, source, &load->source_length))
        return error_set(err, "--source: \"%s\" is no IPv4 or IPv6 address", word);
    if (source->ss_family != load->address.ss_family)
        return error_set(err, "--source: %s is not of the target's address family", word);
    if (!can_bind(source, load->source_length))
        return error_set(err, "--source: %s: %s", word, strerror(errno));
    load->source_count++;
    return true;
}

static bool is_loopback_v4(const struct load_settings *load)
{
    const struct sockaddr_in *to = (const struct sockaddr_in *)(const void *)&load->address;
    return to->sin_family == AF_INET && ntohl(to->sin_addr.s_addr) >> 24 == 127;
}

static void add_loopback(struct load_settings *load)
{
    for (uint32_t i = 0; i < LOOPBACK_SOURCES; i++) {
        struct sockaddr_in *source =
            (struct sockaddr_in *)(void *)&load->sources[load->source_count++];
        *source = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = {htonl(0x7f000002 + i)}};
    }
    load->source_length = sizeof(struct sockaddr_in);
}

bool sources_choose(const struct text_list *words, struct load_settings *load, struct error *err)
{
    load->source_count = 0;
    for (size_t i = 0; i < words->count; i++) {
        if (!add_source(words->items[i], load, err))
            return false;
    }
    if (words->count == 0 && load->close == CLOSE_FIN && is_loopback_v4(load))
        add_loopback(load);
    return true;
}

/* Ephemeral ports of one address (ip(7), ip_local_port_range). */
static uint64_t ports_per_source(void)
{
    unsigned low = 32768, high = 60999;
    FILE *file = fopen("/proc/sys/net/ipv4/ip_local_port_range", "re");
    if (file) {
        if (fscanf(file, "%u %u", &low, &high) != 2 || high < low) {
            low = 32768;
            high = 60999;
        }
        fclose(file);
    }
    return high - low + 1;
}

/* Every connection in flight holds a port of its source. */
static bool ports_suffice(const struct load_settings *load, uint64_t ports, struct error *err)
{
    unsigned most =
        load->connections > load->bulk_connections ? load->connections : load->bulk_connections;
    return most < ports || error_set(err,
                                     "--connections: %u connections need more than the %" PRIu64
                                     " local ports that there are; add --source addresses",
                                     most, ports);
}

bool sources_suffice(const struct load_settings *load, uint64_t total_ns, struct error *err)
{
    uint64_t sources = load->source_count ? load->source_count : 1;
    uint64_t ports = sources * ports_per_source();
    if (!ports_suffice(load, ports, err))
        return false;
    uint64_t held_s = (total_ns + NS_PER_S - 1) / NS_PER_S;
    held_s = held_s < TIME_WAIT_S ? held_s : TIME_WAIT_S;
    uint64_t needed = held_s * RATE_PER_THREAD * load->threads;
    if (load->close != CLOSE_FIN || needed <= ports)
        return true;
    return error_set(
        err,
        "--close fin keeps every port in TIME_WAIT for %d s: %" PRIu64
        " source address%s allow%s %" PRIu64
        " connections/s, and this run may make %u; add --source addresses, or take --close server",
        TIME_WAIT_S, sources, sources == 1 ? "" : "es", sources == 1 ? "s" : "",
        ports / TIME_WAIT_S, RATE_PER_THREAD * load->threads);
}
