#include "client/edge.h"

#include "common/base/clock.h"

#define TICK_NS (10 * NS_PER_MS) /* what the kernel counts steal time in */

/* A clock that could not be read (no descriptor for /proc) says 0. */
static uint64_t since(uint64_t from, uint64_t to)
{
    return to > from ? to - from : 0;
}

/* Not more than the CPUs had: otherwise the clock could not be read at the first edge. */
static uint64_t steal_between(uint64_t from, uint64_t to, uint64_t wall_ns, unsigned cpus)
{
    uint64_t steal = since(from, to);
    return steal <= (wall_ns + TICK_NS) * cpus ? steal : 0;
}

struct edge edge_read(const struct worker *workers, unsigned count,
                      const struct processes *processes, const struct watch *watch)
{
    struct edge edge = {.ns = clock_now_ns()};
    for (unsigned i = 0; i < count; i++) {
        const struct tally *tally = &workers[i].tally;
        edge.attempted += counter_read(&tally->attempted);
        edge.completed += counter_read(&tally->completed);
        edge.bytes += counter_read(&tally->bytes);
    }
    for (unsigned i = 0; i < count; i++)
        edge.cpu_ns += cpu_clock_read_ns(workers[i].cpu_clock);
    edge.split = cpu_clock_process_split();
    processes_read(processes, &edge.server);
    edge.steal_ns = host_steal_ns(&watch->steal);
    edge.process_ns = cpu_clock_process_ns();
    edge.free_known = host_free_ns(&watch->busy, &edge.free_ns);
    return edge;
}

/* Such a server has no counters: its CPU is held against what we completed, in our window. */
static void fill_processes(struct round *round, const struct edge *from, const struct edge *to,
                           const struct processes *processes)
{
    round->server_known = true;
    round->server_cpu_ns =
        processes_used_ns(processes, &from->server, &to->server, &round->server_busiest_ns);
    round->server_wall_ns = round->wall_ns;
    round->server_count = round->completed;
    round->server_bytes = round->bytes;
    round->server_threads = (unsigned)processes_threads(processes, &to->server);
}

void edge_round(struct round *round, const struct edge *from, const struct edge *to,
                const struct processes *processes, const struct watch *watch)
{
    uint64_t wall_ns = to->ns - from->ns;
    unsigned cpus = (unsigned)watch->steal.count;
    *round = (struct round){
        .wall_ns = wall_ns,
        .attempted = to->attempted - from->attempted,
        .completed = to->completed - from->completed,
        .confirmed = to->completed - from->completed,
        .bytes = to->bytes - from->bytes,
        .client_cpu_ns = to->cpu_ns - from->cpu_ns,
        .steal_ns = steal_between(from->steal_ns, to->steal_ns, wall_ns, cpus),
        .steal_cpus = cpus,
        .speed = 1,
    };
    if (processes->count > 0)
        fill_processes(round, from, to, processes);
}

static uint64_t busiest_thread(const struct server_snapshot *from, const struct server_snapshot *to)
{
    uint64_t busiest = 0;
    for (size_t i = 0; i < to->threads && i < from->threads; i++) {
        uint64_t used = since(from->thread_cpu_ns[i], to->thread_cpu_ns[i]);
        busiest = used > busiest ? used : busiest;
    }
    return busiest;
}

void edge_round_server(struct round *round, const struct server_snapshot *from,
                       const struct server_snapshot *to, bool upload, const struct watch *watch)
{
    round->server_known = true;
    round->server_cpu_ns = to->cpu_ns - from->cpu_ns;
    round->server_wall_ns = to->clock_ns - from->clock_ns;
    round->server_busiest_ns = busiest_thread(from, to);
    round->server_count = to->finished - from->finished;
    round->server_bytes =
        upload ? to->payload_in - from->payload_in : to->payload_out - from->payload_out;
    round->server_threads = (unsigned)to->threads;
    round->steal_ns +=
        steal_between(from->steal_ns, to->steal_ns, round->server_wall_ns, watch->server_cpus);
    round->steal_cpus += watch->server_cpus;
    if (upload)
        round->bytes = round->server_bytes;
}

void edge_round_others(struct round *round, const struct edge *from, const struct edge *to,
                       const struct watch *watch)
{
    if (!round->server_known || round->server_wall_ns == 0 || !from->free_known || !to->free_known)
        return;
    double server_ns = (double)round->server_cpu_ns * (double)round->wall_ns /
                       (double)round->server_wall_ns; /* its window is not quite ours */
    double busy_ns = (double)round->wall_ns * (double)watch->busy.count -
                     ((double)to->free_ns - (double)from->free_ns);
    round->others_ns = (int64_t)(busy_ns - (double)(to->process_ns - from->process_ns) - server_ns);
    round->others_cpus = (unsigned)watch->busy.count;
}
