#include "client/reach.h"

#include "client/link.h"
#include "common/base/clock.h"

#include <unistd.h>

#define PAUSE_NS (100 * NS_PER_MS)

static bool takes_connections(const struct load_settings *load, struct interrupt *interrupt,
                              uint64_t timeout_ns)
{
    struct failure ignored;
    const struct sockaddr *address = (const struct sockaddr *)&load->address;
    int fd = link_connect(address, load->address_length, timeout_ns, interrupt, &ignored);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

bool reach_wait(const struct load_settings *load, struct interrupt *interrupt, uint64_t patience_ns)
{
    uint64_t until = clock_now_ns() + patience_ns;
    for (uint64_t now; interrupt->count == 0 && (now = clock_now_ns()) < until;) {
        if (takes_connections(load, interrupt, until - now))
            return true;
        (void)interrupt_wait(interrupt, -1, clock_now_ns() + PAUSE_NS);
    }
    return false;
}
