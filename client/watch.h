#ifndef CLIENT_WATCH_H
#define CLIENT_WATCH_H

#include "client/processes.h"
#include "common/base/host.h"

#include <jansson.h>
#include <stdbool.h>

/* Whose CPUs a run keeps an eye on beside its own clocks: what others take of them, a virtual
 * machine's neighbours (steal time) or other processes, makes a side look idle. */
struct watch {
    struct cpu_list steal; /* the client reads the steal time of these: its own, but for those that
                              the server tells of */
    unsigned server_cpus;  /* the server's steal time is summed over so many; 0: not told */
    struct cpu_list busy;  /* of both sides: who runs here and is neither is another process; empty:
                              the two cannot be told from others */
};

/* `client`: the CPUs that its threads are pinned to, empty: any of `allowed`. `here`: the server
 * runs on this host. `configuration`: what suitemark-server tells of itself in /stats, NULL: a
 * stranger, whose processes may be known (count 0: they are not). */
void watch_choose(const struct cpu_list *client, const struct cpu_list *allowed, bool here,
                  const json_t *configuration, const struct processes *processes,
                  struct watch *watch);

#endif
