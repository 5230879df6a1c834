#include "client/placement.h"

#include <string.h>

#define PINS (sizeof((struct load_settings *)0)->pins / sizeof(int))

static bool contains(const struct cpu_list *list, int cpu)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->cpus[i] == cpu)
            return true;
    }
    return false;
}

static void add(struct cpu_list *list, int cpu)
{
    if (list->count < HOST_CPUS_MAX && !contains(list, cpu))
        list->cpus[list->count++] = cpu;
}

static void pin_client(struct load_settings *load, const struct cpu_list *cpus, size_t first)
{
    for (size_t i = 0; i < PINS; i++)
        load->pins[i] =
            i < load->threads && cpus->count > 0 ? cpus->cpus[(first + i) % cpus->count] : -1;
}

/* One thread a side: two cores. More: the first CPUs for the client, as many behind them for the
 * server. */
static void choose_embedded(const struct cpu_list *allowed, struct load_settings *load,
                            struct placement *placement)
{
    int client, server;
    bool distinct;
    if (load->threads == 1) {
        host_two_cores(allowed, &client, &server, &distinct, &placement->siblings);
        if (!distinct)
            return;
        load->pins[0] = client;
        add(&placement->server, server);
    } else if (allowed->count >= 2 * (size_t)load->threads) {
        pin_client(load, allowed, 0);
        for (unsigned i = 0; i < load->threads; i++)
            add(&placement->server, allowed->cpus[load->threads + i]);
    }
}

static void choose_listed(const struct cpu_list *listed, const struct cpu_list *allowed,
                          bool embedded, struct load_settings *load, struct placement *placement)
{
    pin_client(load, listed, 0);
    for (size_t i = 0; embedded && i < allowed->count; i++) {
        if (!contains(listed, allowed->cpus[i]) && placement->server.count < load->threads)
            add(&placement->server, allowed->cpus[i]);
    }
}

static void judge(const struct load_settings *load, bool embedded, struct placement *placement)
{
    for (size_t i = 0; i < PINS && i < load->threads; i++) {
        if (load->pins[i] >= 0)
            add(&placement->client, load->pins[i]);
    }
    placement->all = placement->client;
    for (size_t i = 0; i < placement->server.count; i++) {
        for (size_t client = 0; client < placement->all.count; client++)
            placement->siblings |=
                host_are_siblings(placement->all.cpus[client], placement->server.cpus[i]);
    }
    placement->shared = embedded && (placement->all.count == 0 || placement->server.count == 0);
    for (size_t i = 0; i < placement->server.count; i++)
        add(&placement->all, placement->server.cpus[i]);
}

bool placement_choose(const char *pin, const struct cpu_list *allowed, bool embedded,
                      struct load_settings *load, struct placement *placement, struct error *err)
{
    static const struct cpu_list none = {.count = 0};
    struct cpu_list listed;
    *placement = (struct placement){.allowed = *allowed};
    pin_client(load, &none, 0);
    if (strcmp(pin, "auto") == 0) {
        if (embedded)
            choose_embedded(allowed, load, placement);
        else if (load->threads <= allowed->count)
            pin_client(load, allowed, 0);
    } else if (strcmp(pin, "none") != 0) {
        if (!host_parse_cpus(pin, &listed, err))
            return error_prefix(err, "--pin");
        choose_listed(&listed, allowed, embedded, load, placement);
    }
    judge(load, embedded, placement);
    return true;
}

bool placement_is_apart(const struct placement *placement, const json_t *configuration)
{
    const json_t *cpus = json_object_get(configuration, "cpus"), *cpu;
    size_t index;
    if (!json_is_true(json_object_get(configuration, "pinned")) || placement->client.count == 0)
        return false;
    json_array_foreach(cpus, index, cpu)
    {
        if (contains(&placement->client, (int)json_integer_value(cpu)))
            return false;
    }
    return true;
}
