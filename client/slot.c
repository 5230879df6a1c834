#include "client/slot_parts.h"

#include "common/base/clock.h"
#include "common/base/cpu_clock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

static void set_phase(struct slot *slot, enum slot_phase phase)
{
    atomic_store(&slot->shared.phase, phase);
    for (unsigned i = 0; i < slot->started; i++)
        worker_wake(&slot->workers[i]);
}

static void lose_server(struct slot *slot, const struct error *err)
{
    slot->server_known = false;
    (void)snprintf(slot->server_lost, sizeof slot->server_lost, "server counters lost: %.100s",
                   err->text);
}

/* Servers end idle connections. */
static void ask_later(struct slot *slot)
{
    slot->ask_ns =
        slot->server_known ? clock_now_ns() + slot->settings->control->quiet_ns : UINT64_MAX;
}

void slot_snapshot(struct slot *slot, struct server_snapshot *into)
{
    struct error err;
    if (slot->server_known && !control_snapshot(slot->settings->control, into, &err))
        lose_server(slot, &err);
    ask_later(slot);
}

static void keep_control(struct slot *slot)
{
    if (clock_now_ns() < slot->ask_ns)
        return;
    slot_snapshot(slot, slot->after);
    pulse_skip(&slot->pulse, clock_now_ns());
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* A server may have been started anew since the last slot. Within a slot nothing is opened again:
 * its counters would be those of another process. */
static void first_snapshot(struct slot *slot)
{
    struct error err;
    struct control *control = slot->settings->control;
    slot->server_known = control != NULL;
    if (control && !control_snapshot(control, slot->before, &err) &&
        !(control_reopen(control, &err) && control_snapshot(control, slot->before, &err)))
        lose_server(slot, &err);
    ask_later(slot);
}

static void drop_notifications(struct slot *slot)
{
    uint64_t count;
    (void)!read(slot->shared.notify, &count, sizeof count);
}

static bool all_done(const struct slot *slot)
{
    for (unsigned i = 0; i < slot->started; i++) {
        if (!atomic_load(&slot->workers[i].done))
            return false;
    }
    return true;
}

static bool all_ramped(const struct slot *slot)
{
    for (unsigned i = 0; i < slot->started; i++) {
        if (counter_read(&slot->workers[i].tally.ramped) < slot->workers[i].connection_count)
            return false;
    }
    return true;
}

static bool any_gave_up(const struct slot *slot)
{
    for (unsigned i = 0; i < slot->started; i++) {
        if (atomic_load(&slot->workers[i].tally.gave_up) || atomic_load(&slot->workers[i].done))
            return true;
    }
    return false;
}

static bool must_end(const struct slot *slot)
{
    return slot->settings->interrupt->count > 0 || any_gave_up(slot);
}

static void wait_until(struct slot *slot, uint64_t until_ns)
{
    uint64_t now = clock_now_ns();
    pulse_skip(&slot->pulse, now);
    while (now < until_ns && !must_end(slot)) {
        uint64_t due = sooner(pulse_due(&slot->pulse, until_ns), slot->ask_ns);
        if (interrupt_wait(slot->settings->interrupt, slot->shared.notify, due))
            drop_notifications(slot);
        pulse_beat(&slot->pulse, now = clock_now_ns());
        slot_show(slot, now);
        keep_control(slot);
    }
}

/* Ramp: at least warmup_ns, and until every connection has finished once. Its end is bounded by the
 * timeouts of connecting and handshaking. */
static void wait_ramp(struct slot *slot)
{
    const struct load_settings *load = slot->settings->load;
    uint64_t now = clock_now_ns();
    uint64_t limit =
        now + load->connect_timeout_ns + 2 * load->handshake_timeout_ns + load->close_timeout_ns;
    wait_until(slot, now + slot->settings->warmup_ns);
    while (!all_ramped(slot) && !must_end(slot) && clock_now_ns() < limit) {
        if (interrupt_wait(slot->settings->interrupt, slot->shared.notify,
                           sooner(limit, slot->ask_ns)))
            drop_notifications(slot);
        keep_control(slot);
    }
}

static void wait_drain(struct slot *slot)
{
    bool aborted = false;
    while (!all_done(slot)) {
        if (slot->settings->interrupt->count > 1 && !aborted) {
            aborted = true;
            set_phase(slot, PHASE_ABORT);
        }
        if (interrupt_wait(slot->settings->interrupt, slot->shared.notify,
                           clock_now_ns() + 100 * NS_PER_MS))
            drop_notifications(slot);
        keep_control(slot);
    }
    for (unsigned i = 0; i < slot->started; i++)
        worker_join(&slot->workers[i]);
}

static struct edge edge_now(const struct slot *slot)
{
    const struct slot_settings *settings = slot->settings;
    return edge_read(slot->workers, slot->started, settings->processes, settings->watch);
}

static void remember_cpu(struct slot *slot)
{
    for (unsigned i = 0; i < slot->started; i++)
        slot->workers[i].cpu_ns = cpu_clock_read_ns(slot->workers[i].cpu_clock);
}

static uint64_t busiest_since(const struct slot *slot)
{
    uint64_t busiest = 0;
    for (unsigned i = 0; i < slot->started; i++) {
        uint64_t used = cpu_clock_read_ns(slot->workers[i].cpu_clock) - slot->workers[i].cpu_ns;
        busiest = used > busiest ? used : busiest;
    }
    return busiest;
}

/* S0, the window, S1. No round without a whole window. */
static void run_window(struct slot *slot, struct case_measurement *into)
{
    slot_snapshot(slot, slot->at_s0);
    remember_cpu(slot);
    struct edge from = edge_now(slot);
    pulse_start(&slot->pulse, from.ns);
    slot_show_begin(slot, from.ns);
    set_phase(slot, PHASE_WINDOW);
    wait_until(slot, from.ns + slot->settings->window_ns);
    slot->show_ns = 0;
    bool whole = !must_end(slot);
    struct edge to = edge_now(slot);
    uint64_t busiest = busiest_since(slot);
    pulse_beat(&slot->pulse, to.ns);
    slot_snapshot(slot, slot->at_s1);
    if (whole)
        slot_add_round(slot, &from, &to, busiest, into);
}

static void run_phases(struct slot *slot, struct case_measurement *into)
{
    const struct slot_settings *settings = slot->settings;
    struct measurement_mark before = measurement_mark(into);
    if (settings->unloaded_ns > 0 && settings->test_case->measure == MEASURE_HANDSHAKE)
        wait_until(slot, clock_now_ns() + settings->unloaded_ns);
    set_phase(slot, PHASE_RAMP);
    wait_ramp(slot);
    if (!must_end(slot))
        run_window(slot, into);
    set_phase(slot, PHASE_DRAIN);
    wait_drain(slot);
    slot_settle(slot, &before, into);
}

static bool init_workers(struct slot *slot, struct error *err)
{
    bool ok = true;
    while (ok && slot->initialized < slot->settings->load->threads) {
        unsigned i = slot->initialized++;
        ok = worker_init(&slot->workers[i], &slot->shared, i, err);
    }
    return ok;
}

static bool start_workers(struct slot *slot, struct error *err)
{
    for (unsigned i = 0; i < slot->initialized; i++) {
        bool ok = worker_start(&slot->workers[i], err);
        if (slot->workers[i].started)
            slot->started++;
        if (!ok)
            return false;
    }
    return true;
}

static bool worker_errors(const struct slot *slot, struct error *err)
{
    for (unsigned i = 0; i < slot->started; i++) {
        if (slot->workers[i].error.text[0])
            return error_set(err, "%s", slot->workers[i].error.text);
    }
    return true;
}

static bool set_up(struct slot *slot, struct error *err)
{
    const struct slot_settings *settings = slot->settings;
    const struct load_settings *load = settings->load;
    bool bulk = settings->test_case->measure == MEASURE_BULK;
    if (load->suitemark_names)
        case_server_name(settings->test_case, slot->server_name);
    else
        (void)snprintf(slot->server_name, sizeof slot->server_name, "%s", load->server_name);
    size_t length = request_write(slot->request, settings->test_case, load, settings->confirm);
    slot->shared = (struct worker_shared){
        .load = load,
        .test_case = settings->test_case,
        .confirm = settings->confirm,
        .expected = settings->expected,
        .server_name = slot->server_name,
        .request = length ? slot->request : NULL,
        .request_length = length,
        .connections = bulk ? load->bulk_connections : load->connections,
        .phase = settings->unloaded_ns > 0 && !bulk ? PHASE_UNLOADED : PHASE_RAMP,
        .notify = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC),
    };
    slot->before = calloc(4, sizeof *slot->before);
    slot->workers = calloc(load->threads, sizeof *slot->workers);
    if (slot->shared.notify < 0)
        return error_set(err, "%s", error_of_errno(errno));
    if (!slot->before || !slot->workers)
        return error_set(err, "out of memory for %u threads", load->threads);
    slot->at_s0 = slot->before + 1;
    slot->at_s1 = slot->before + 2;
    slot->after = slot->before + 3;
    return init_workers(slot, err);
}

static void tear_down(struct slot *slot)
{
    for (unsigned i = 0; i < slot->initialized; i++)
        worker_cleanup(&slot->workers[i]);
    if (slot->shared.notify >= 0)
        close(slot->shared.notify);
    free(slot->workers);
    free(slot->before);
}

void slot_run(const struct slot_settings *settings, struct case_measurement *into)
{
    struct slot slot = {.settings = settings};
    struct error err;
    struct measurement_mark before = measurement_mark(into);
    bool ok = set_up(&slot, &err);
    into->confirmed_by = settings->confirm;
    into->connections_used = slot.shared.connections;
    if (ok)
        first_snapshot(&slot);
    if (ok && start_workers(&slot, &err)) {
        run_phases(&slot, into);
        ok = worker_errors(&slot, &err);
    } else if (ok) {
        ok = false;
        set_phase(&slot, PHASE_ABORT);
        wait_drain(&slot);
    }
    if (!ok)
        slot_add_limit(&before, &err, into);
    tear_down(&slot);
}
