#include "client/worker.h"

#include "client/case_context.h"
#include "common/base/clock.h"
#include "common/base/cpu_clock.h"
#include "common/base/event_loop.h"
#include "common/base/host.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define BUFFER_SIZE       16384 /* one record: read into again and again, so that it stays in cache */
#define TICK_MS           20    /* how often deadlines and retries are looked at */
#define FAILED_IN_ROW_MAX 64
#define BACK_OFF_MAX_MS   200

static enum slot_phase phase_of(const struct worker *worker)
{
    return (enum slot_phase)atomic_load_explicit(&worker->shared->phase, memory_order_relaxed);
}

static void notify(const struct worker *worker)
{
    static const uint64_t one = 1;
    (void)!write(worker->shared->notify, &one, sizeof one);
}

/* Whether connection `index` may begin anew in the current phase. */
static bool may_start(const struct worker *worker, size_t index)
{
    if (worker->tally.gave_up)
        return false;
    switch (phase_of(worker)) {
    case PHASE_UNLOADED:
        return worker->index == 0 && index == 0;
    case PHASE_RAMP:
    case PHASE_WINDOW:
        return true;
    default:
        return false;
    }
}

static bool all_idle(const struct worker *worker)
{
    for (unsigned i = 0; i < worker->connection_count; i++) {
        if (worker->connections[i].state != CONNECTION_IDLE)
            return false;
    }
    return true;
}

static void end_when_done(struct worker *worker)
{
    /* One that has given up still waits for the drain: its CPU clock is read until then. */
    if (phase_of(worker) >= PHASE_DRAIN && all_idle(worker))
        event_base_loopbreak(worker->job.base);
}

static void record_latency(struct worker *worker, const struct connection *connection)
{
    enum slot_phase phase = phase_of(worker);
    struct latency *latency =
        phase == PHASE_UNLOADED ? &worker->tally.unloaded : &worker->tally.loaded;
    if (phase != PHASE_UNLOADED && phase != PHASE_WINDOW)
        return;
    histogram_record(&latency->tcp, connection->tcp_ns);
    histogram_record(&latency->tls, connection->tls_ns);
    if (connection->first_byte_ns)
        histogram_record(&latency->first_byte, connection->first_byte_ns);
    if (connection->last_byte_ns)
        histogram_record(&latency->last_byte, connection->last_byte_ns);
}

static void count_failure(struct worker *worker, struct connection *connection, uint64_t now_ns)
{
    struct tally *tally = &worker->tally;
    failure_table_add(&tally->failures, &connection->failure, 1);
    if (!connection->reached)
        tally->unconnected++;
    unsigned shift = connection->attempts_failed < 8 ? connection->attempts_failed : 8;
    uint64_t back_off_ms = UINT64_C(1) << shift;
    connection->attempts_failed++;
    connection->retry_ns =
        now_ns + (back_off_ms < BACK_OFF_MAX_MS ? back_off_ms : BACK_OFF_MAX_MS) * NS_PER_MS;
    if (++tally->failed_in_row >= FAILED_IN_ROW_MAX && !tally->gave_up) {
        tally->gave_up = true;
        notify(worker);
    }
}

static void count_success(struct worker *worker, struct connection *connection)
{
    worker->tally.failed_in_row = 0;
    connection->attempts_failed = 0;
    connection->retry_ns = 0;
    if (connection->stopped) {
        worker->tally.stopped++;
        return;
    }
    if (!connection->counted)
        counter_add(&worker->tally.completed, 1);
    record_latency(worker, connection);
}

static void count_ramped(struct worker *worker, struct connection *connection)
{
    if (!connection->ramped) {
        connection->ramped = true;
        counter_add(&worker->tally.ramped, 1);
    }
    if (phase_of(worker) == PHASE_RAMP &&
        counter_read(&worker->tally.ramped) == worker->connection_count)
        notify(worker);
}

/* A connection is idle again. A failed one waits for the tick: it never starts from within its own
 * failure. */
static void on_ended(struct connection *connection, void *owner)
{
    struct worker *worker = owner;
    uint64_t now = clock_now_ns();
    if (connection->failure.class != FAILURE_NONE)
        count_failure(worker, connection, now);
    else
        count_success(worker, connection);
    count_ramped(worker, connection);
    size_t index = (size_t)(connection - worker->connections);
    if (connection->failure.class == FAILURE_NONE && may_start(worker, index))
        connection_start(connection, now);
    else
        end_when_done(worker);
}

static void start_what_may(struct worker *worker)
{
    uint64_t now = clock_now_ns();
    for (unsigned i = 0; i < worker->connection_count; i++) {
        struct connection *connection = &worker->connections[i];
        if (connection->state == CONNECTION_IDLE && now >= connection->retry_ns &&
            may_start(worker, i))
            connection_start(connection, now);
    }
}

/* Bulk has no end of its own, and a worker that has given up waits for nothing. */
static void stop_what_must(struct worker *worker)
{
    bool bulk_drains =
        phase_of(worker) == PHASE_DRAIN && worker->shared->test_case->measure == MEASURE_BULK;
    if (!bulk_drains && !worker->tally.gave_up && phase_of(worker) != PHASE_ABORT)
        return;
    for (unsigned i = 0; i < worker->connection_count; i++) {
        if (worker->connections[i].state != CONNECTION_IDLE)
            connection_stop(&worker->connections[i]);
    }
}

static void on_wake(evutil_socket_t fd, short events, void *context)
{
    (void)events;
    struct worker *worker = context;
    uint64_t count;
    (void)!read(fd, &count, sizeof count);
    stop_what_must(worker);
    start_what_may(worker);
    end_when_done(worker);
}

static void on_tick(evutil_socket_t fd, short events, void *context)
{
    (void)fd;
    (void)events;
    struct worker *worker = context;
    uint64_t now = clock_now_ns();
    for (unsigned i = 0; i < worker->connection_count; i++)
        connection_check_deadline(&worker->connections[i], now);
    stop_what_must(worker);
    start_what_may(worker);
    if (phase_of(worker) == PHASE_RAMP &&
        counter_read(&worker->tally.ramped) == worker->connection_count)
        notify(worker);
    end_when_done(worker);
}

static bool set_up_events(struct worker *worker, struct error *err)
{
    static const struct timeval tick = {0, TICK_MS * 1000};
    worker->wake_event =
        event_new(worker->base, worker->wake, EV_READ | EV_PERSIST, on_wake, worker);
    worker->tick_event = event_new(worker->base, -1, EV_PERSIST, on_tick, worker);
    if (!worker->wake_event || !worker->tick_event || event_add(worker->wake_event, NULL) != 0 ||
        event_add(worker->tick_event, &tick) != 0)
        return error_set(err, "cannot make an event");
    return true;
}

static bool set_up(struct worker *worker, struct error *err)
{
    const struct worker_shared *shared = worker->shared;
    if (worker->cpu >= 0 && !host_pin_thread(worker->cpu, err))
        return false;
    worker->job = (struct connection_job){
        .base = worker->base,
        .context = case_context_new(shared->test_case, shared->load->credentials, err),
        .load = shared->load,
        .test_case = shared->test_case,
        .step = shared->test_case->measure == MEASURE_BULK ? load_bulk_step : load_handshake_step,
        .confirm = shared->confirm,
        .server_name = shared->server_name,
        .request = shared->request,
        .request_length = shared->request_length,
        .expected = shared->expected,
        .phase = &shared->phase,
        .buffer = calloc(1, BUFFER_SIZE),
        .buffer_size = BUFFER_SIZE,
        .tally = &worker->tally,
        .ended = on_ended,
        .owner = worker,
    };
    if (!worker->job.context)
        return false;
    worker->connections =
        calloc(worker->connection_count ? worker->connection_count : 1, sizeof(struct connection));
    if (!worker->job.buffer || !worker->connections)
        return error_set(err, "out of memory for %u connections", worker->connection_count);
    for (unsigned i = 0; i < worker->connection_count; i++)
        connection_init(&worker->connections[i], &worker->job);
    return set_up_events(worker, err);
}

static void tear_down(struct worker *worker)
{
    for (unsigned i = 0; worker->connections && i < worker->connection_count; i++)
        connection_cleanup(&worker->connections[i]);
    if (worker->wake_event)
        event_free(worker->wake_event);
    if (worker->tick_event)
        event_free(worker->tick_event);
    SSL_CTX_free(worker->job.context);
    free(worker->job.buffer);
    free(worker->connections);
    worker->connections = NULL;
}

static void *run(void *context)
{
    struct worker *worker = context;
    if (set_up(worker, &worker->error)) {
        start_what_may(worker);
        event_base_dispatch(worker->base);
    }
    tear_down(worker);
    atomic_store(&worker->done, 1);
    notify(worker);
    return NULL;
}

/* Connections are dealt like cards, so that 15 on 8 threads are 15. */
static unsigned share_of(unsigned connections, unsigned threads, unsigned index)
{
    return connections / threads + (index < connections % threads ? 1 : 0);
}

bool worker_init(struct worker *worker, struct worker_shared *shared, unsigned index,
                 struct error *err)
{
    const struct load_settings *load = shared->load;
    size_t pins = sizeof load->pins / sizeof load->pins[0];
    memset(worker, 0, sizeof *worker);
    worker->shared = shared;
    worker->index = index;
    worker->cpu = index < pins ? load->pins[index] : -1;
    worker->connection_count = share_of(shared->connections, load->threads, index);
    worker->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (worker->wake < 0)
        return error_set(err, "%s", error_of_errno(errno));
    worker->base = event_loop_new(err);
    return worker->base != NULL;
}

bool worker_start(struct worker *worker, struct error *err)
{
    int error = pthread_create(&worker->thread, NULL, run, worker);
    if (error != 0)
        return error_set(err, "cannot start a thread: %s", error_of_errno(error));
    worker->started = true;
    return cpu_clock_of_thread(worker->thread, &worker->cpu_clock, err);
}

void worker_wake(const struct worker *worker)
{
    static const uint64_t one = 1;
    (void)!write(worker->wake, &one, sizeof one);
}

void worker_join(struct worker *worker)
{
    if (worker->started)
        pthread_join(worker->thread, NULL);
    worker->started = false;
}

void worker_cleanup(struct worker *worker)
{
    if (worker->base)
        event_base_free(worker->base);
    worker->base = NULL;
    if (worker->wake >= 0)
        close(worker->wake);
    worker->wake = -1;
}
