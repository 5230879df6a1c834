#include "common/tls/hold.h"

#include <stdlib.h>
#include <string.h>

#define CAPACITY 4096

struct hold {
    bool on;
    size_t start, end;    /* of what is kept */
    unsigned char *bytes; /* CAPACITY; NULL while nothing is kept, as most connections are idle */
};

static int on_create(BIO *bio)
{
    struct hold *hold = calloc(1, sizeof *hold);
    if (hold == NULL)
        return 0;
    hold->on = true;
    BIO_set_data(bio, hold);
    BIO_set_init(bio, 1);
    return 1;
}

static void empty(struct hold *hold)
{
    free(hold->bytes);
    hold->bytes = NULL;
    hold->start = hold->end = 0;
}

static int on_destroy(BIO *bio)
{
    struct hold *hold = BIO_get_data(bio);
    if (hold != NULL)
        empty(hold);
    free(hold);
    BIO_set_data(bio, NULL);
    return 1;
}

static int write_through(BIO *bio, const void *data, size_t length, size_t *written)
{
    BIO *next = BIO_next(bio);
    const int result = BIO_write_ex(next, data, length, written);
    BIO_clear_retry_flags(bio);
    BIO_copy_next_retry(bio);
    return result;
}

enum hold_status hold_flush(BIO *bio)
{
    struct hold *hold = BIO_get_data(bio);
    size_t written;
    while (hold->start < hold->end) {
        if (write_through(bio, hold->bytes + hold->start, hold->end - hold->start, &written) == 1) {
            hold->start += written;
        } else if (BIO_should_retry(bio)) {
            return HOLD_BLOCKED;
        } else {
            empty(hold);
            return HOLD_LOST;
        }
    }
    if (hold->bytes != NULL)
        empty(hold);
    return HOLD_EMPTY;
}

static bool keep(struct hold *hold, const void *data, size_t length)
{
    if (hold->bytes == NULL && (hold->bytes = malloc(CAPACITY)) == NULL)
        return false;
    memcpy(hold->bytes + hold->end, data, length);
    hold->end += length;
    return true;
}

static int on_write(BIO *bio, const char *data, size_t length, size_t *written)
{
    struct hold *hold = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    if (hold->on && length <= CAPACITY - hold->end && keep(hold, data, length)) {
        *written = length;
        return 1;
    }
    /* What is kept and has to wait also stops what comes behind it, as a full socket would. */
    if (hold->end > 0 && hold_flush(bio) != HOLD_EMPTY)
        return 0;
    return write_through(bio, data, length, written);
}

static int on_read(BIO *bio, char *buffer, size_t length, size_t *got)
{
    const int result = BIO_read_ex(BIO_next(bio), buffer, length, got);
    BIO_clear_retry_flags(bio);
    BIO_copy_next_retry(bio);
    return result;
}

static long on_control(BIO *bio, int command, long number, void *pointer)
{
    if (command == BIO_CTRL_FLUSH)
        return 1;
    return BIO_ctrl(BIO_next(bio), command, number, pointer);
}

BIO_METHOD *hold_method_new(void)
{
    BIO_METHOD *method = BIO_meth_new(BIO_TYPE_FILTER, "hold");
    if (method != NULL && BIO_meth_set_create(method, on_create) &&
        BIO_meth_set_destroy(method, on_destroy) && BIO_meth_set_write_ex(method, on_write) &&
        BIO_meth_set_read_ex(method, on_read) && BIO_meth_set_ctrl(method, on_control))
        return method;
    BIO_meth_free(method);
    return NULL;
}

BIO *hold_attach(SSL *ssl, const BIO_METHOD *method)
{
    BIO *socket = SSL_get_wbio(ssl), *bio = BIO_new(method);
    if (bio == NULL || BIO_up_ref(socket) != 1) {
        BIO_free(bio);
        return NULL;
    }
    SSL_set0_wbio(ssl, BIO_push(bio, socket));
    return bio;
}

void hold_set(BIO *bio, bool on)
{
    struct hold *hold = BIO_get_data(bio);
    hold->on = on;
}
