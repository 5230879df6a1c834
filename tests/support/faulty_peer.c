/* A server that misbehaves in one chosen way, for end-to-end tests.
 *
 *   faulty_peer MODE [NUMBER [CERT KEY [CERT KEY]]]
 *
 * Listens on a free port of 127.0.0.1, prints "ready PORT" and ends when its standard input closes.
 * Handshakes are served one after the other; NUMBER counts those that were finished. A mode that
 * needs no certificate and is given one serves NUMBER handshakes well before it misbehaves. */

#include <errno.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define KEPT_MAX  1000
#define PATIENCE  5 /* seconds without a byte before a client is given up */
#define QUEUE_MAX 8 /* more than a backlog of 0 holds */

struct peer {
    const struct mode *mode;
    unsigned long number, finished;
    SSL_CTX *contexts[2];
    int kept[KEPT_MAX]; /* connections that are neither served nor closed */
    size_t kept_count;
};

typedef void serve_function(struct peer *peer, int fd);

static void keep(struct peer *peer, int fd)
{
    if (peer->kept_count < KEPT_MAX)
        peer->kept[peer->kept_count++] = fd;
    else
        close(fd);
}

static void reset(int fd)
{
    static const struct linger none = {.l_onoff = 1, .l_linger = 0};
    (void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    close(fd);
}

/* --- without TLS --- */

static bool await_hello(int fd)
{
    char hello[4096];
    return recv(fd, hello, sizeof hello, 0) > 0;
}

static void say(int fd, const char *text)
{
    (void)!send(fd, text, strlen(text), MSG_NOSIGNAL);
}

static void serve_http(struct peer *peer, int fd)
{
    (void)peer;
    if (await_hello(fd))
        say(fd, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    close(fd);
}

static void serve_smtp(struct peer *peer, int fd)
{
    (void)peer;
    say(fd, "220 mail.example ESMTP\r\n");
    (void)await_hello(fd);
    close(fd);
}

static void serve_close(struct peer *peer, int fd)
{
    (void)peer;
    (void)await_hello(fd);
    close(fd);
}

static void serve_reset(struct peer *peer, int fd)
{
    (void)peer;
    (void)await_hello(fd);
    reset(fd);
}

/* The head of a handshake record now, then a byte of it every second. */
static void serve_slowly(struct peer *peer, int fd)
{
    static const unsigned char head[] = {22, 3, 3, 16, 0, 2, 0, 15, 252, 3, 3};
    (void)!send(fd, head, sizeof head, MSG_NOSIGNAL);
    keep(peer, fd);
}

static void trickle(const struct peer *peer)
{
    for (size_t i = 0; i < peer->kept_count; i++)
        (void)!send(peer->kept[i], "x", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* --- with TLS --- */

static SSL *handshake(struct peer *peer, SSL_CTX *context, int fd)
{
    SSL *ssl = SSL_new(context);
    if (ssl && SSL_set_fd(ssl, fd) == 1 && SSL_accept(ssl) == 1) {
        peer->finished++;
        return ssl;
    }
    SSL_free(ssl);
    close(fd);
    return NULL;
}

/* Waits for the client's close_notify (or request) and answers with ours. */
static void serve_well(SSL *ssl, int fd)
{
    char buffer[4096];
    (void)SSL_read(ssl, buffer, sizeof buffer);
    (void)SSL_shutdown(ssl);
    SSL_free(ssl);
    close(fd);
}

static void serve_tls(struct peer *peer, int fd)
{
    SSL *ssl = handshake(peer, peer->contexts[0], fd);
    if (ssl)
        serve_well(ssl, fd);
}

/* Each NUMBERth connection is reset behind its handshake. */
static void serve_some(struct peer *peer, int fd)
{
    SSL *ssl = handshake(peer, peer->contexts[0], fd);
    if (ssl && peer->finished % peer->number == 0) {
        SSL_free(ssl);
        reset(fd);
    } else if (ssl) {
        serve_well(ssl, fd);
    }
}

/* The second certificate from the NUMBERth connection on. */
static void serve_drifting(struct peer *peer, int fd)
{
    SSL *ssl = handshake(peer, peer->contexts[peer->finished >= peer->number], fd);
    if (ssl)
        serve_well(ssl, fd);
}

/* The end of stream instead of close_notify. */
static void serve_bare_fin(struct peer *peer, int fd)
{
    char buffer[4096];
    SSL *ssl = handshake(peer, peer->contexts[0], fd);
    if (!ssl)
        return;
    (void)SSL_read(ssl, buffer, sizeof buffer);
    SSL_free(ssl);
    close(fd);
}

static void serve_mutely(struct peer *peer, int fd)
{
    SSL *ssl = handshake(peer, peer->contexts[0], fd);
    SSL_free(ssl);
    if (ssl)
        keep(peer, fd);
}

static const struct mode {
    const char *name;
    serve_function *serve; /* NULL: connections are never accepted, and no more fit in the queue */
    int certificates;
} modes[] = {
    {"full-queue", NULL, 0},         {"silent", keep, 0},       {"slow", serve_slowly, 0},
    {"http", serve_http, 0},         {"smtp", serve_smtp, 0},   {"close", serve_close, 0},
    {"reset", serve_reset, 0},       {"tls", serve_tls, 1},     {"reset-some", serve_some, 1},
    {"bare-fin", serve_bare_fin, 1}, {"mute", serve_mutely, 1}, {"drift", serve_drifting, 2},
};

/* --- around --- */

static int listen_somewhere(unsigned short *port, int backlog)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, length) != 0 || listen(fd, backlog) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &length) != 0)
        return -1;
    *port = ntohs(address.sin_port);
    return fd;
}

/* From here on the kernel drops whoever knocks. */
static void fill_queue(struct peer *peer, unsigned short port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    for (int i = 0; i < QUEUE_MAX; i++) {
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        (void)connect(fd, (struct sockaddr *)&address, sizeof address);
        keep(peer, fd);
    }
}

static void accept_one(struct peer *peer, int listener)
{
    static const struct timeval patience = {.tv_sec = PATIENCE};
    int fd = accept(listener, NULL, NULL);
    if (fd < 0)
        return;
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    (void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    bool well = peer->mode->certificates == 0 && peer->contexts[0] && peer->finished < peer->number;
    (well ? serve_tls : peer->mode->serve)(peer, fd);
}

static void serve_until_input_ends(struct peer *peer, int listener)
{
    struct pollfd fds[] = {{STDIN_FILENO, POLLIN, 0},
                           {peer->mode->serve ? listener : -1, POLLIN, 0}};
    bool slow = peer->mode->serve == serve_slowly;
    char ignored[64];
    for (;;) {
        int ready = poll(fds, 2, slow ? 1000 : -1);
        if (ready < 0 && errno != EINTR)
            return;
        if (ready == 0)
            trickle(peer);
        if (ready > 0 && fds[0].revents && read(STDIN_FILENO, ignored, sizeof ignored) <= 0)
            return;
        if (ready > 0 && fds[1].revents)
            accept_one(peer, listener);
    }
}

static SSL_CTX *context_new(const char *certificate, const char *key)
{
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    if (context && SSL_CTX_use_certificate_chain_file(context, certificate) == 1 &&
        SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1 &&
        SSL_CTX_set_num_tickets(context, 0) == 1)
        return context;
    SSL_CTX_free(context);
    return NULL;
}

static bool set_up(struct peer *peer, int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof modes / sizeof modes[0]; i++) {
        if (strcmp(argv[1], modes[i].name) == 0)
            peer->mode = &modes[i];
    }
    peer->number = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    if (!peer->mode || peer->number == 0)
        return false;
    int given = argc > 3 ? (argc - 3) / 2 : 0;
    if (given > 2 || given < peer->mode->certificates)
        return false;
    for (int i = 0; i < given; i++) {
        peer->contexts[i] = context_new(argv[3 + 2 * i], argv[4 + 2 * i]);
        if (!peer->contexts[i])
            return false;
    }
    return true;
}

static void clean_up(struct peer *peer)
{
    for (size_t i = 0; i < peer->kept_count; i++)
        close(peer->kept[i]);
    for (size_t i = 0; i < 2; i++)
        SSL_CTX_free(peer->contexts[i]);
}

int main(int argc, char **argv)
{
    struct peer peer = {.mode = NULL};
    unsigned short port;
    int listener = -1;
    (void)signal(SIGPIPE, SIG_IGN);
    if (!set_up(&peer, argc, argv)) {
        (void)fprintf(stderr, "usage: faulty_peer MODE [NUMBER [CERT KEY [CERT KEY]]]\n");
    } else if ((listener = listen_somewhere(&port, peer.mode->serve ? 512 : 0)) < 0) {
        perror("faulty_peer");
    } else {
        if (!peer.mode->serve)
            fill_queue(&peer, port);
        (void)printf("ready %u\n", (unsigned)port);
        (void)fflush(stdout);
        serve_until_input_ends(&peer, listener);
        close(listener);
    }
    clean_up(&peer);
    return listener < 0;
}
