#include "tests/support/memory_pair.h"

#include <openssl/bio.h>
#include <string.h>

/* More turns than any handshake needs, HelloRetryRequest included. */
#define TURNS_MAX 16

static BIO *new_pipe(void)
{
    BIO *pipe = BIO_new(BIO_s_mem());
    /* Empty means "not yet", as it does for a non-blocking socket. */
    if (pipe != NULL)
        BIO_set_mem_eof_return(pipe, -1);
    return pipe;
}

bool memory_pair_init(struct memory_pair *pair, SSL_CTX *client, SSL_CTX *server)
{
    BIO *to_server = new_pipe(), *to_client = new_pipe();
    *pair = (struct memory_pair){.client = SSL_new(client), .server = SSL_new(server)};
    if (to_server == NULL || to_client == NULL || pair->client == NULL || pair->server == NULL) {
        BIO_free(to_server);
        BIO_free(to_client);
        memory_pair_cleanup(pair);
        return false;
    }
    (void)BIO_up_ref(to_server);
    (void)BIO_up_ref(to_client);
    SSL_set_bio(pair->client, to_client, to_server);
    SSL_set_bio(pair->server, to_server, to_client);
    SSL_set_connect_state(pair->client);
    SSL_set_accept_state(pair->server);
    return true;
}

void memory_pair_cleanup(struct memory_pair *pair)
{
    SSL_free(pair->client);
    SSL_free(pair->server);
    *pair = (struct memory_pair){0};
}

static bool is_waiting(enum io_status status)
{
    return status == IO_WANT_READ || status == IO_WANT_WRITE;
}

bool memory_pair_handshake(struct memory_pair *pair)
{
    enum io_status client = IO_WANT_READ, server = IO_WANT_READ;
    for (int turn = 0; turn < TURNS_MAX && (is_waiting(client) || is_waiting(server)); turn++) {
        if (is_waiting(client))
            client = tls_handshake(pair->client, &pair->client_failure);
        if (is_waiting(server))
            server = tls_handshake(pair->server, &pair->server_failure);
    }
    return client == IO_OK && server == IO_OK;
}

bool memory_pair_transfer(SSL *from, SSL *to, const void *data, size_t length)
{
    unsigned char buffer[4096];
    const unsigned char *bytes = data;
    size_t sent = 0, received = 0;
    while (received < length) {
        size_t done = 0;
        if (sent < length) {
            if (tls_write(from, bytes + sent, length - sent, &done, NULL) != IO_OK)
                return false;
            sent += done;
        }
        if (tls_read(to, buffer, sizeof(buffer), &done, NULL) != IO_OK ||
            done > length - received || memcmp(buffer, bytes + received, done) != 0)
            return false;
        received += done;
    }
    return true;
}
