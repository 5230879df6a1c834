#include "client/connection.h"

#include "client/case.h"
#include "client/open_socket.h"
#include "client/pins.h"
#include "common/base/clock.h"
#include "common/tls/io.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void on_event(evutil_socket_t fd, short events, void *context);

void connection_init(struct connection *connection, const struct connection_job *job)
{
    *connection = (struct connection){.job = job, .fd = -1};
    evtimer_assign(&connection->resume, job->base, on_event, connection);
}

uint64_t connection_lap(struct connection *connection)
{
    uint64_t now = clock_now_ns();
    uint64_t lap = now - connection->mark_ns;
    connection->mark_ns = now;
    return lap > 0 ? lap : 1;
}

static void wait_for(struct connection *connection, short what)
{
    if (connection->waiting_for == what)
        return;
    if (connection->waiting_for)
        event_del(&connection->event);
    event_assign(&connection->event, connection->job->base, connection->fd,
                 (short)(what | EV_PERSIST), on_event, connection);
    event_add(&connection->event, NULL);
    connection->waiting_for = what;
}

static void set_deadline(struct connection *connection, uint64_t timeout_ns)
{
    connection->deadline_ns = connection->mark_ns + timeout_ns;
}

/* Back to idle, whatever happened; the owner reads failure.class and `stopped`. */
static void end(struct connection *connection)
{
    if (connection->waiting_for)
        event_del(&connection->event);
    connection->waiting_for = 0;
    event_del(&connection->resume);
    if (connection->ssl) {
        /* Otherwise SSL_free marks the session as not resumable and libssl may still want to write.
         */
        SSL_set_shutdown(connection->ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
        SSL_free(connection->ssl);
        connection->ssl = NULL;
    }
    if (connection->fd >= 0) {
        bool fails = connection->failure.class != FAILURE_NONE;
        if (fails || connection->stopped || connection->job->load->close != CLOSE_FIN)
            open_socket_linger_none(connection->fd);
        close(connection->fd);
        connection->fd = -1;
    }
    connection->state = CONNECTION_IDLE;
    connection->job->ended(connection, connection->job->owner);
}

static void fail(struct connection *connection)
{
    if (connection->failure.class == FAILURE_DRIFT)
        connection->job->tally->drifts++;
    end(connection);
}

static void fail_as(struct connection *connection, enum failure_class class, const char *detail)
{
    failure_set(&connection->failure, class, detail);
    fail(connection);
}

/* The proof that the server accepted the handshake is all here before the close. */
static bool proved_before_close(const struct connection *connection)
{
    switch (connection->job->confirm) {
    case CONFIRM_FINISHED:
    case CONFIRM_RESPONSE:
        return true;
    case CONFIRM_SERVER:
        return connection->job->load->close == CLOSE_RST; /* by the server's counters alone */
    default:
        return false;
    }
}

/* Waiting for the peer's end of stream. libssl has said all it has to say: the descriptor itself is
 * asked. */
static void step_await_fin(struct connection *connection)
{
    char byte;
    ssize_t got = recv(connection->fd, &byte, 1, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        /* A peer that said close_notify first may wait for ours, as SSL_shutdown(3) does. */
        if (!(SSL_get_shutdown(connection->ssl) & SSL_SENT_SHUTDOWN))
            (void)tls_send_close(connection->ssl, NULL);
        wait_for(connection, EV_READ);
        return;
    }
    end(connection); /* FIN, or a reset by a peer that has already said close_notify */
}

/* Nothing but close_notify is expected here; what else comes says whether the server took the
 * handshake. */
static void step_await_close(struct connection *connection)
{
    const struct connection_job *job = connection->job;
    struct failure failure;
    size_t done;
    enum io_status status;
    do {
        status = tls_read(connection->ssl, job->buffer, job->buffer_size, &done, &failure);
    } while (status ==
             IO_OK); /* an answer that nobody asked for, such as HAProxy's 400 to a bare close */
    if (status == IO_WANT_READ || status == IO_WANT_WRITE) {
        wait_for(connection, status == IO_WANT_READ ? EV_READ : EV_WRITE);
    } else if (status == IO_CLOSED) {
        connection->state = CONNECTION_AWAITING_FIN;
        step_await_fin(connection);
    } else if (proved_before_close(connection)) {
        end(connection);
    } else if (status != IO_EOF) {
        fail_as(connection, FAILURE_REJECTED, failure.text);
    } else if (connection->close_failed) {
        fail_as(connection, FAILURE_REJECTED, failure_class_name(FAILURE_RESET));
    } else {
        fail_as(connection, FAILURE_UNCONFIRMED, "end of stream without close_notify");
    }
}

static void step_send_close(struct connection *connection)
{
    enum io_status status = tls_send_close(connection->ssl, NULL);
    if (status == IO_WANT_WRITE || status == IO_WANT_READ) {
        wait_for(connection, status == IO_WANT_READ ? EV_READ : EV_WRITE);
        return;
    }
    if (connection->job->load->close == CLOSE_FIN)
        (void)shutdown(connection->fd, SHUT_WR);
    /* A failed write is judged by what can be read: the peer's alert may lie there. With nothing to
     * read it was a reset, which the kernel has told by now and will not tell again. */
    connection->close_failed = status == IO_FAILED;
    connection->state = CONNECTION_AWAITING_CLOSE;
    step_await_close(connection);
}

/* suitemark-server answers for sure, but behind the handshakes of all other connections. */
static uint64_t close_patience_ns(const struct connection_job *job)
{
    return job->confirm == CONFIRM_SERVER ? job->load->handshake_timeout_ns
                                          : job->load->close_timeout_ns;
}

static void begin_close(struct connection *connection)
{
    if (connection->job->load->close == CLOSE_RST) {
        if (proved_before_close(connection))
            end(connection);
        else
            fail_as(connection, FAILURE_UNCONFIRMED, "reset by --close rst before any proof");
        return;
    }
    connection->mark_ns = clock_now_ns();
    set_deadline(connection, close_patience_ns(connection->job));
    connection->state = CONNECTION_SENDING_CLOSE;
    step_send_close(connection);
}

/* The peer closed first, as it was asked to: where its FIN is there already, a close_notify would
 * only meet its reset. */
static void finish_closed(struct connection *connection)
{
    connection->mark_ns = clock_now_ns();
    set_deadline(connection, connection->job->load->close_timeout_ns);
    connection->state = CONNECTION_AWAITING_FIN;
    step_await_fin(connection);
}

/* By a timer that is due at once: the loop looks for what else is ready before it fires.
 * event_active(3) from within a callback would come before all that, again and again. */
static void yield_turn(struct connection *connection)
{
    static const struct timeval at_once = {0, 0};
    if (!connection->waiting_for)
        wait_for(connection, EV_READ);
    event_add(&connection->resume, &at_once);
}

static void step_active(struct connection *connection)
{
    switch (connection->job->step(connection)) {
    case STEP_READ:
        wait_for(connection, EV_READ);
        break;
    case STEP_WRITE:
        wait_for(connection, EV_WRITE);
        break;
    case STEP_YIELD:
        yield_turn(connection);
        break;
    case STEP_CLOSE:
        begin_close(connection);
        break;
    case STEP_PEER_CLOSED:
        finish_closed(connection);
        break;
    case STEP_STOP:
        connection_stop(connection);
        break;
    case STEP_FAIL:
        fail(connection);
        break;
    }
}

static void established(struct connection *connection)
{
    const struct connection_job *job = connection->job;
    char what[FAILURE_TEXT];
    connection->tls_ns = connection_lap(connection);
    counter_add(&job->tally->established, 1);
    if (!pins_hold(connection->ssl, job->test_case, job->expected, what, sizeof what)) {
        fail_as(connection, FAILURE_DRIFT, what);
        return;
    }
    set_deadline(connection, job->load->handshake_timeout_ns);
    connection->state = CONNECTION_ACTIVE;
    step_active(connection);
}

static void step_handshake(struct connection *connection)
{
    switch (tls_handshake(connection->ssl, &connection->failure)) {
    case IO_OK:
        established(connection);
        break;
    case IO_WANT_READ:
        wait_for(connection, EV_READ);
        break;
    case IO_WANT_WRITE:
        wait_for(connection, EV_WRITE);
        break;
    default:
        fail(connection);
    }
}

static void begin_handshake(struct connection *connection)
{
    const struct connection_job *job = connection->job;
    connection->tcp_ns = connection_lap(connection);
    connection->reached = true;
    connection->ssl = SSL_new(job->context);
    if (!connection->ssl || !SSL_set_fd(connection->ssl, connection->fd)) {
        fail_as(connection, FAILURE_LOCAL, "out of memory");
        return;
    }
    if (job->server_name[0])
        SSL_set_tlsext_host_name(connection->ssl, job->server_name);
    SSL_set_connect_state(connection->ssl);
    set_deadline(connection, job->load->handshake_timeout_ns);
    connection->state = CONNECTION_HANDSHAKING;
    step_handshake(connection);
}

static void step_connect(struct connection *connection)
{
    if (open_socket_finish(connection->fd, &connection->failure))
        begin_handshake(connection);
    else
        fail(connection);
}

/* Connections take turns over the local addresses, if there are any to choose from. */
static const struct sockaddr *next_source(struct connection *connection)
{
    const struct load_settings *load = connection->job->load;
    if (load->source_count == 0)
        return NULL;
    connection->source = (connection->source + 1) % load->source_count;
    return (const struct sockaddr *)&load->sources[connection->source];
}

void connection_start(struct connection *connection, uint64_t now_ns)
{
    const struct load_settings *load = connection->job->load;
    bool connected;
    exchange_reset(&connection->exchange);
    connection->tcp_ns = connection->tls_ns = connection->first_byte_ns = connection->last_byte_ns =
        0;
    connection->counted = connection->stopped = connection->reached = false;
    connection->failure.class = FAILURE_NONE;
    connection->mark_ns = now_ns;
    set_deadline(connection, load->connect_timeout_ns);
    counter_add(&connection->job->tally->attempted, 1);
    connection->fd =
        open_socket((const struct sockaddr *)&load->address, load->address_length,
                    next_source(connection), load->source_length, &connected, &connection->failure);
    if (connection->fd < 0) {
        fail(connection);
    } else if (connected) {
        begin_handshake(connection);
    } else {
        connection->state = CONNECTION_CONNECTING;
        wait_for(connection, EV_WRITE);
    }
}

static void on_event(evutil_socket_t fd, short events, void *context)
{
    (void)fd;
    (void)events;
    struct connection *connection = context;
    event_del(&connection->resume); /* this is its turn, whichever event came first */
    switch (connection->state) {
    case CONNECTION_IDLE:
        break;
    case CONNECTION_CONNECTING:
        step_connect(connection);
        break;
    case CONNECTION_HANDSHAKING:
        step_handshake(connection);
        break;
    case CONNECTION_ACTIVE:
        step_active(connection);
        break;
    case CONNECTION_SENDING_CLOSE:
        step_send_close(connection);
        break;
    case CONNECTION_AWAITING_CLOSE:
        step_await_close(connection);
        break;
    case CONNECTION_AWAITING_FIN:
        step_await_fin(connection);
        break;
    }
}

void connection_stop(struct connection *connection)
{
    connection->stopped = true;
    end(connection);
}

void connection_check_deadline(struct connection *connection, uint64_t now_ns)
{
    if (connection->state == CONNECTION_IDLE || now_ns < connection->deadline_ns)
        return;
    switch (connection->state) {
    case CONNECTION_CONNECTING:
        fail_as(connection, FAILURE_CONNECT_TIMEOUT, NULL);
        break;
    case CONNECTION_HANDSHAKING:
        fail_as(connection, FAILURE_HANDSHAKE_TIMEOUT, NULL);
        break;
    case CONNECTION_ACTIVE:
        fail_as(connection, FAILURE_UNCONFIRMED, "no answer in time");
        break;
    case CONNECTION_AWAITING_FIN:
        end(connection); /* proved; only the FIN is late */
        break;
    default:
        if (proved_before_close(connection))
            end(connection);
        else
            fail_as(connection, FAILURE_UNCONFIRMED, "no close_notify in time");
    }
}

void connection_cleanup(struct connection *connection)
{
    exchange_cleanup(&connection->exchange);
}
