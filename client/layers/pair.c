#include "client/layers/pair.h"

#include "client/pins.h"
#include "common/tls/io.h"

#include <openssl/bio.h>

static BIO *new_pipe(void)
{
    BIO *pipe = BIO_new(BIO_s_mem());

    if (pipe)
        BIO_set_mem_eof_return(pipe, -1); /* empty means "not yet", as for a socket */
    return pipe;
}

bool pair_init(struct pair *pair)
{
    *pair = (struct pair){.pipes = {new_pipe(), new_pipe()}};
    return pair->pipes[WORK_CLIENT] && pair->pipes[WORK_SERVER];
}

void pair_cleanup(struct pair *pair)
{
    for (int side = 0; side < WORK_SIDES; side++) {
        SSL_free(pair->ssl[side]);
        BIO_free(pair->pipes[side]);
    }
    *pair = (struct pair){.pipes = {NULL}};
}

void pair_reset(struct pair *pair)
{
    for (int side = 0; side < WORK_SIDES; side++) {
        SSL_free(pair->ssl[side]);
        pair->ssl[side] = NULL;
        pair->state[side] = PAIR_NEW;
        (void)BIO_reset(pair->pipes[side]);
    }
}

/* --- one side's states --- */

static bool finish(struct pair *pair, enum work_side side)
{
    SSL_set_shutdown(pair->ssl[side], SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
    SSL_free(pair->ssl[side]);
    pair->ssl[side] = NULL;
    pair->state[side] = PAIR_DONE;
    return true;
}

static bool step_new(struct pair *pair, enum work_side side, const struct pair_settings *settings,
                     struct error *err)
{
    SSL *ssl = SSL_new(settings->contexts[side]);

    if (!ssl)
        return error_set(err, "no memory for a connection");
    pair->ssl[side] = ssl;
    (void)BIO_up_ref(pair->pipes[0]);
    (void)BIO_up_ref(pair->pipes[1]);
    SSL_set_bio(ssl, pair->pipes[side], pair->pipes[!side]);
    if (side == WORK_SERVER) {
        SSL_set_accept_state(ssl);
    } else {
        if (SSL_set_tlsext_host_name(ssl, settings->server_name) != 1)
            return error_set(err, "the server's name cannot be sent");
        SSL_set_connect_state(ssl);
    }
    pair->state[side] = PAIR_HANDSHAKE;
    return true;
}

static bool established(struct pair *pair, enum work_side side,
                        const struct pair_settings *settings, struct error *err)
{
    char what[FAILURE_TEXT];

    if (side == WORK_CLIENT && settings->pins &&
        !pins_hold(pair->ssl[side], settings->pins, NULL, what, sizeof what))
        return error_set(err, "not what the case pins: %s", what);
    pair->state[side] = settings->end == PAIR_KEEP ? PAIR_DONE : PAIR_CLOSING;
    if (side == WORK_CLIENT && settings->end == PAIR_DROP)
        return finish(pair, side);
    if (side == WORK_CLIENT && settings->end == PAIR_CLOSE &&
        tls_send_close(pair->ssl[side], NULL) != IO_OK)
        return error_set(err, "close_notify could not be sent");
    return true;
}

static bool step_handshake(struct pair *pair, enum work_side side,
                           const struct pair_settings *settings, struct error *err)
{
    struct failure failure;

    switch (tls_handshake(pair->ssl[side], &failure)) {
    case IO_OK:
        return established(pair, side, settings, err);
    case IO_WANT_READ:
    case IO_WANT_WRITE:
        return true;
    default:
        return error_set(err, "%s", failure.text);
    }
}

/* The peer's close_notify is all that is expected; tickets come with it unseen. */
static bool step_closing(struct pair *pair, enum work_side side,
                         const struct pair_settings *settings, struct error *err)
{
    unsigned char byte;
    size_t done;
    struct failure failure;

    switch (tls_read(pair->ssl[side], &byte, sizeof byte, &done, &failure)) {
    case IO_CLOSED:
        if (side == WORK_SERVER)
            (void)tls_send_close(pair->ssl[side], NULL);
        return finish(pair, side);
    case IO_WANT_READ:
        if (settings->end == PAIR_DROP && pair->state[!side] == PAIR_DONE)
            return finish(pair, side);
        return true;
    case IO_OK:
        return error_set(err, "application data that nobody sent");
    default:
        return error_set(err, "%s", failure.text);
    }
}

bool pair_step(struct pair *pair, enum work_side side, const struct pair_settings *settings,
               struct error *err)
{
    static bool (*const steps[])(struct pair *, enum work_side, const struct pair_settings *,
                                 struct error *) = {
        [PAIR_NEW] = step_new,
        [PAIR_HANDSHAKE] = step_handshake,
        [PAIR_CLOSING] = step_closing,
    };
    enum pair_state before;

    do {
        before = pair->state[side];
        if (before == PAIR_DONE)
            return true;
        if (!steps[before](pair, side, settings, err))
            return error_prefix(err, side == WORK_CLIENT ? "client" : "server");
    } while (pair->state[side] != before);
    return true;
}
