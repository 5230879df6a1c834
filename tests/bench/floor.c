#include "certs/issue.h"
#include "common/base/cpu_clock.h"
#include "common/base/host.h"
#include "common/base/units.h"
#include "common/tls/io.h"
#include "common/tls/library.h"
#include "common/tls/settings.h"
#include "tests/bench/floor_tcp.h"

#include <openssl/bio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The floor of a bare handshake, for tests/bench/peers: the same handshake over memory BIOs with
 * our own contexts, each side's half timed apart over a batch, and the same flights' byte counts
 * over plain TCP. What a real pair costs beyond the sum of both is its event loop and bookkeeping.
 *   bench_floor KIND GROUP CLIENT_CPU SERVER_CPU BATCHES CONNECTIONS
 * prints: memory client, memory server, TCP client, TCP server, in microseconds of CPU each. */

#define BATCH 64

struct pair {
    SSL *client, *server;
};

struct floor {
    struct identity identity;
    SSL_CTX *client, *server;
    struct pair pairs[BATCH];
    uint64_t client_ns, server_ns; /* in memory, of all batches */
    struct flights flights;
};

static bool new_contexts(struct floor *floor, const struct certificate_kind *kind,
                         const char *group, struct error *err)
{
    const struct identity *identity = &floor->identity;
    const struct tls_settings server = {
        .role = TLS_SERVER, .alpn = TLS_ALPN_CONTROL "," TLS_ALPN_HTTP, .read_ahead = true};
    const struct tls_settings client = {.role = TLS_CLIENT,
                                        .min_version = TLS1_3_VERSION,
                                        .max_version = TLS1_3_VERSION,
                                        .ciphers = "",
                                        .ciphersuites = "TLS_AES_128_GCM_SHA256",
                                        .groups = group,
                                        .sigalgs = kind->sigalgs_13,
                                        .read_ahead = true};
    if (!issue_identities(NULL, &kind, 1, &floor->identity, NULL, NULL, NULL, err))
        return false;
    floor->server = tls_context_new(&server, &identity, 1, err);
    floor->client = floor->server ? tls_context_new(&client, NULL, 0, err) : NULL;
    return floor->client != NULL;
}

static BIO *new_pipe(void)
{
    BIO *pipe = BIO_new(BIO_s_mem());
    if (pipe != NULL)
        BIO_set_mem_eof_return(pipe, -1); /* empty means "not yet" */
    return pipe;
}

/* The client makes its half of the pipes, as it makes its socket; the server's take a reference. */
static bool open_client(struct pair *pair, SSL_CTX *context)
{
    BIO *in = new_pipe(), *out = new_pipe();
    pair->client = SSL_new(context);
    if (in == NULL || out == NULL || pair->client == NULL)
        return false;
    SSL_set_bio(pair->client, in, out);
    SSL_set_connect_state(pair->client);
    return tls_handshake(pair->client, NULL) == IO_WANT_READ;
}

static bool open_server(struct pair *pair, SSL_CTX *context)
{
    BIO *in = SSL_get_wbio(pair->client), *out = SSL_get_rbio(pair->client);
    pair->server = SSL_new(context);
    if (pair->server == NULL || !BIO_up_ref(in) || !BIO_up_ref(out))
        return false;
    SSL_set_bio(pair->server, in, out);
    SSL_set_accept_state(pair->server);
    return tls_handshake(pair->server, NULL) == IO_WANT_READ;
}

static bool finish_client(struct pair *pair)
{
    return tls_handshake(pair->client, NULL) == IO_OK &&
           tls_send_close(pair->client, NULL) == IO_OK;
}

static bool finish_server(struct pair *pair)
{
    char byte;
    size_t done;
    return tls_handshake(pair->server, NULL) == IO_OK &&
           tls_read(pair->server, &byte, 1, &done, NULL) == IO_CLOSED &&
           tls_send_close(pair->server, NULL) == IO_OK;
}

static bool close_client(struct pair *pair)
{
    char byte;
    size_t done;
    return tls_read(pair->client, &byte, 1, &done, NULL) == IO_CLOSED;
}

static size_t pending(BIO *pipe)
{
    return (size_t)BIO_ctrl_pending(pipe);
}

/* The byte counts of one handshake's flights, in the order in which they travel. */
static bool measure_flights(struct floor *floor)
{
    struct pair *pair = &floor->pairs[0];
    struct flights *flights = &floor->flights;
    bool good = open_client(pair, floor->client);
    BIO *to_server = good ? SSL_get_wbio(pair->client) : NULL;
    BIO *to_client = good ? SSL_get_rbio(pair->client) : NULL;
    flights->hello = good ? pending(to_server) : 0;
    good = good && open_server(pair, floor->server);
    flights->answer = good ? pending(to_client) : 0;
    good = good && tls_handshake(pair->client, NULL) == IO_OK;
    flights->finished = good ? pending(to_server) : 0;
    good = good && tls_send_close(pair->client, NULL) == IO_OK;
    flights->close = good ? pending(to_server) - flights->finished : 0;
    SSL_free(pair->client);
    SSL_free(pair->server);
    *pair = (struct pair){0};
    return good;
}

static uint64_t lap(uint64_t *since_ns)
{
    const uint64_t now = cpu_clock_process_ns(), used = now - *since_ns;
    *since_ns = now;
    return used;
}

static bool run_batch(struct floor *floor)
{
    uint64_t since = cpu_clock_process_ns();
    bool good = true;
    for (int i = 0; i < BATCH; i++)
        good = open_client(&floor->pairs[i], floor->client) && good;
    floor->client_ns += lap(&since);
    for (int i = 0; i < BATCH && good; i++)
        good = open_server(&floor->pairs[i], floor->server);
    floor->server_ns += lap(&since);
    for (int i = 0; i < BATCH && good; i++)
        good = finish_client(&floor->pairs[i]);
    floor->client_ns += lap(&since);
    for (int i = 0; i < BATCH && good; i++)
        good = finish_server(&floor->pairs[i]);
    for (int i = 0; i < BATCH; i++)
        SSL_free(floor->pairs[i].server);
    floor->server_ns += lap(&since);
    for (int i = 0; i < BATCH && good; i++)
        good = close_client(&floor->pairs[i]);
    for (int i = 0; i < BATCH; i++)
        SSL_free(floor->pairs[i].client);
    floor->client_ns += lap(&since);
    memset(floor->pairs, 0, sizeof floor->pairs);
    return good;
}

static bool run_memory(struct floor *floor, uint64_t batches, struct error *err)
{
    if (!measure_flights(floor) || !run_batch(floor)) /* the first warms up */
        return error_set(err, "the handshake fails in memory");
    floor->client_ns = floor->server_ns = 0;
    for (uint64_t i = 0; i < batches; i++) {
        if (!run_batch(floor))
            return error_set(err, "a handshake fails in memory");
    }
    return true;
}

static double us_each(uint64_t ns, uint64_t count)
{
    return (double)ns / 1e3 / (double)count;
}

static bool run(struct floor *floor, char **arguments, struct error *err)
{
    const struct certificate_kind *kind = kind_find(arguments[0]);
    struct cpu_list client_cpu, server_cpu;
    uint64_t batches, connections;
    struct tcp_cost cost;
    if (kind == NULL)
        return error_set(err, "%s: no such kind of certificate", arguments[0]);
    if (!host_parse_cpus(arguments[2], &client_cpu, err) ||
        !host_parse_cpus(arguments[3], &server_cpu, err) ||
        !units_parse_count(arguments[4], &batches, err) ||
        !units_parse_count(arguments[5], &connections, err))
        return false;
    if (batches < 1 || batches > 100000 || connections < 1 || connections > 10000000)
        return error_set(err, "1 to 100000 batches, 1 to 10 million connections");
    if (!library_init(false, err) || !new_contexts(floor, kind, arguments[1], err) ||
        !host_pin_thread(client_cpu.cpus[0], err) || !run_memory(floor, batches, err) ||
        !floor_tcp_run(&floor->flights, client_cpu.cpus[0], server_cpu.cpus[0], connections, &cost,
                       err))
        return false;
    printf("%.2f %.2f %.2f %.2f\n", us_each(floor->client_ns, batches * BATCH),
           us_each(floor->server_ns, batches * BATCH), us_each(cost.client_ns, connections),
           us_each(cost.server_ns, connections));
    return true;
}

int main(int argc, char **argv)
{
    struct floor floor = {0};
    struct error err;
    if (argc != 7) {
        fprintf(stderr,
                "usage: bench_floor KIND GROUP CLIENT_CPU SERVER_CPU BATCHES CONNECTIONS\n");
        return 2;
    }
    const bool good = run(&floor, argv + 1, &err);
    if (!good)
        fprintf(stderr, "bench_floor: %s\n", err.text);
    SSL_CTX_free(floor.client);
    SSL_CTX_free(floor.server);
    identity_cleanup(&floor.identity);
    return good ? 0 : 1;
}
