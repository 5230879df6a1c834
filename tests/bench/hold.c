#include "common/base/units.h"
#include "common/tls/library.h"
#include "common/tls/settings.h"

#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/bio.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Clients that do not do what a server would like, many of them:
 *   bench_hold WHAT COUNT PORT
 * opens COUNT connections to 127.0.0.1:PORT, prints "holding COUNT", holds them until its standard
 * input ends, and prints "alive N": how many the server has not closed. */

#define PATIENCE_S 20  /* for one connect, read or write */
#define TRICKLE_MS 100 /* between two bytes of a slow client */
#define HELLO_MAX  4096

struct client {
    int fd;
    SSL *ssl;
    size_t sent; /* bytes of a ClientHello that trickles */
};

struct holder {
    const struct hold_row *row;
    SSL_CTX *context;
    struct sockaddr_in address;
    char hello[HELLO_MAX];
    size_t hello_length;
    struct client *clients;
    uint64_t count;
};

static const struct hold_row {
    const char *name, *help;
    bool handshake;
    bool half_hello;
    const char *request; /* sent after the handshake; no byte of the answer is read */
    bool trickle;        /* while held, a byte now and then: of the body, or of the ClientHello */
} rows[] = {
    {"idle", "a handshake, then nothing", .handshake = true},
    {"silent", "a connection, then nothing", .handshake = false},
    {"half", "half of a ClientHello", .half_hello = true},
    {"hello", "a ClientHello, a byte now and then", .trickle = true},
    {"reader", "a request for a gigabyte that is never read", .handshake = true,
     .request = "GET /bytes/1000000000 HTTP/1.1\r\nHost: a\r\n\r\n"},
    {"writer", "an upload, a byte now and then", .handshake = true,
     .request = "POST /sink HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n",
     .trickle = true},
};

static bool make_hello(struct holder *holder, struct error *err)
{
    BIO *in = BIO_new(BIO_s_mem()), *out = BIO_new(BIO_s_mem());
    SSL *ssl = SSL_new(holder->context);
    if (in == NULL || out == NULL || ssl == NULL)
        return error_set(err, "out of memory");
    SSL_set_bio(ssl, in, out);
    (void)SSL_connect(ssl);
    const int length = BIO_read(out, holder->hello, sizeof holder->hello);
    SSL_free(ssl);
    holder->hello_length = length > 0 ? (size_t)length : 0;
    return length > 0 || error_set(err, "no ClientHello");
}

static bool dial(struct holder *holder, struct client *client)
{
    const struct timeval patience = {.tv_sec = PATIENCE_S};
    const struct sockaddr *address = (const struct sockaddr *)&holder->address;
    const int on = 1;
    client->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return client->fd >= 0 &&
           setsockopt(client->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) == 0 &&
           setsockopt(client->fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) == 0 &&
           setsockopt(client->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0 &&
           connect(client->fd, address, sizeof holder->address) == 0;
}

static bool shake_hands(struct holder *holder, struct client *client)
{
    const char *request = holder->row->request;
    client->ssl = SSL_new(holder->context);
    return client->ssl != NULL && SSL_set_fd(client->ssl, client->fd) == 1 &&
           SSL_connect(client->ssl) == 1 &&
           (request == NULL || SSL_write(client->ssl, request, (int)strlen(request)) > 0);
}

static bool open_client(struct holder *holder, struct client *client, struct error *err)
{
    if (!dial(holder, client))
        return error_set(err, "connect: %s", strerror(errno));
    if (holder->row->handshake && !shake_hands(holder, client))
        return error_set(err, "the handshake fails");
    if (holder->row->half_hello &&
        send(client->fd, holder->hello, holder->hello_length / 2, MSG_NOSIGNAL) <= 0)
        return error_set(err, "send: %s", strerror(errno));
    return true;
}

/* A client whose server has hung up just fails to send. */
static void trickle(const struct holder *holder, struct client *client)
{
    if (client->ssl != NULL)
        (void)SSL_write(client->ssl, "x", 1);
    else if (client->sent + 1 < holder->hello_length)
        (void)send(client->fd, holder->hello + client->sent++, 1, MSG_NOSIGNAL);
}

static void hold(struct holder *holder)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    char byte;
    for (;;) {
        const int ready = poll(&input, 1, holder->row->trickle ? TRICKLE_MS : -1);
        if (ready > 0 && read(STDIN_FILENO, &byte, 1) <= 0)
            return;
        for (uint64_t i = 0; i < holder->count && holder->row->trickle; i++)
            trickle(holder, &holder->clients[i]);
    }
}

/* Until what the server sent has been read, its end of stream is not seen. */
static bool is_alive(const struct client *client)
{
    char buffer[65536];
    ssize_t got;
    size_t total = 0;
    do {
        got = recv(client->fd, buffer, sizeof buffer, MSG_DONTWAIT);
        total += got > 0 ? (size_t)got : 0;
    } while (got > 0 && total < 64 * sizeof buffer);
    return got > 0 || (got < 0 && errno == EAGAIN);
}

static bool run(struct holder *holder, const char *count, const char *port, struct error *err)
{
    const struct tls_settings settings = {.role = TLS_CLIENT};
    uint64_t number, alive = 0, opened = 0;
    if (!units_parse_count(count, &holder->count, err) || !units_parse_count(port, &number, err))
        return false;
    if (holder->count == 0 || holder->count > 100000 || number == 0 || number > 65535)
        return error_set(err, "1 to 100000 connections, ports up to 65535");
    if (!library_init(false, err) ||
        (holder->context = tls_context_new(&settings, NULL, 0, err)) == NULL ||
        !make_hello(holder, err))
        return false;
    (void)SSL_CTX_set_mode(holder->context, SSL_MODE_RELEASE_BUFFERS);
    holder->address = (struct sockaddr_in){.sin_family = AF_INET,
                                           .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                                           .sin_port = htons((uint16_t)number)};
    holder->clients = calloc(holder->count, sizeof *holder->clients);
    if (holder->clients == NULL)
        return error_set(err, "out of memory");
    while (opened < holder->count && open_client(holder, &holder->clients[opened], err))
        opened++;
    if (opened < holder->count)
        return error_prefix(err, "connection %" PRIu64, opened + 1);
    printf("holding %" PRIu64 "\n", holder->count);
    (void)fflush(stdout);
    hold(holder);
    for (uint64_t i = 0; i < holder->count; i++)
        alive += is_alive(&holder->clients[i]);
    printf("alive %" PRIu64 "\n", alive);
    return true;
}

static int usage(void)
{
    fprintf(stderr, "usage: bench_hold WHAT COUNT PORT\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        fprintf(stderr, "  %-8s %s\n", rows[i].name, rows[i].help);
    return 2;
}

int main(int argc, char **argv)
{
    struct holder holder = {0};
    struct error err;
    for (size_t i = 0; argc == 4 && i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].name, argv[1]) == 0)
            holder.row = &rows[i];
    }
    if (holder.row == NULL)
        return usage();
    (void)signal(SIGPIPE, SIG_IGN);
    const bool good = run(&holder, argv[2], argv[3], &err);
    if (!good)
        fprintf(stderr, "bench_hold: %s\n", err.text);
    for (uint64_t i = 0; holder.clients != NULL && i < holder.count; i++) {
        SSL_free(holder.clients[i].ssl);
        if (holder.clients[i].fd > 0)
            (void)close(holder.clients[i].fd);
    }
    free(holder.clients);
    SSL_CTX_free(holder.context);
    return good ? 0 : 1;
}
