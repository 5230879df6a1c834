#include "common/tls/io.h"

#include "common/tls/alert.h"

#include <errno.h>
#include <openssl/err.h>
#include <openssl/sslerr.h>
#include <openssl/x509_vfy.h>
#include <stdio.h>
#include <string.h>

/* What stands on the wire instead of TLS: the record layer's words for a first record whose head is
 * no record's. */
static const int plaintext_reasons[] = {
    SSL_R_WRONG_VERSION_NUMBER,   SSL_R_HTTP_REQUEST,     SSL_R_HTTPS_PROXY_REQUEST,
    SSL_R_PACKET_LENGTH_TOO_LONG, SSL_R_UNKNOWN_PROTOCOL,
};

/* Before the peer's hello its bytes may be anything; after it a broken record is a TLS error. */
static bool awaits_first_record(const SSL *ssl)
{
    OSSL_HANDSHAKE_STATE state = SSL_get_state(ssl);
    return state == TLS_ST_BEFORE || state == TLS_ST_CW_CLNT_HELLO;
}

static bool is_plaintext(const SSL *ssl, int reason)
{
    if (!awaits_first_record(ssl))
        return false;
    for (size_t i = 0; i < sizeof(plaintext_reasons) / sizeof(plaintext_reasons[0]); i++)
        if (plaintext_reasons[i] == reason)
            return true;
    return false;
}

static void set_alert(struct failure *failure, int code)
{
    char number[16];
    const char *name = alert_name(code);
    if (name == NULL) {
        (void)snprintf(number, sizeof(number), "%d", code);
        name = number;
    }
    failure_set(failure, FAILURE_ALERT, name);
}

/* One entry of libssl's error queue; true when its reason says by itself what happened. */
static bool explain_reason(const SSL *ssl, int reason, struct failure *failure)
{
    if (reason >= SSL_AD_REASON_OFFSET && reason <= SSL_AD_REASON_OFFSET + UINT8_MAX) {
        set_alert(failure, reason - SSL_AD_REASON_OFFSET);
    } else if (reason == SSL_R_CERTIFICATE_VERIFY_FAILED) {
        failure_set(failure, FAILURE_CERTIFICATE,
                    X509_verify_cert_error_string(SSL_get_verify_result(ssl)));
    } else if (is_plaintext(ssl, reason)) {
        failure_set(failure, FAILURE_NOT_TLS, NULL);
    } else {
        return false;
    }
    return true;
}

/* Reads the queue from its oldest entry: newer versions put general words behind the true reason.
 * Where no entry explains itself the oldest gives the text. */
static void explain_queue(const SSL *ssl, struct failure *failure)
{
    unsigned long oldest = ERR_peek_error(), code;
    while ((code = ERR_get_error()) != 0) {
        if (ERR_GET_REASON(code) == ERR_R_MALLOC_FAILURE) {
            failure_set(failure, FAILURE_LOCAL, "out of memory");
            return;
        }
        if (ERR_GET_LIB(code) == ERR_LIB_SSL && explain_reason(ssl, ERR_GET_REASON(code), failure))
            return;
    }
    failure_set(failure, FAILURE_HANDSHAKE, ERR_reason_error_string(oldest));
}

static void explain_errno(int error, struct failure *failure)
{
    char buffer[64];
    if (error == ECONNRESET)
        failure_set(failure, FAILURE_RESET, NULL);
    else
        failure_set(failure, error == ENOMEM || error == ENOBUFS ? FAILURE_LOCAL : FAILURE_RESET,
                    strerror_r(error, buffer, sizeof(buffer)));
}

static enum io_status failed(const SSL *ssl, int ssl_error, int error, struct failure *failure)
{
    struct failure ignored;
    if (failure == NULL)
        failure = &ignored;
    if (ssl_error == SSL_ERROR_SSL)
        explain_queue(ssl, failure);
    else if (ssl_error == SSL_ERROR_SYSCALL)
        explain_errno(error, failure);
    else
        failure_set(failure, FAILURE_HANDSHAKE, "OpenSSL waits for what suitemark never gives");
    return IO_FAILED;
}

static bool is_end_of_stream(int ssl_error, int error)
{
    if (ssl_error == SSL_ERROR_SYSCALL)
        return error == 0 && ERR_peek_error() == 0;
    unsigned long code = ERR_peek_error();
    return ssl_error == SSL_ERROR_SSL && ERR_GET_LIB(code) == ERR_LIB_SSL &&
           ERR_GET_REASON(code) == SSL_R_UNEXPECTED_EOF_WHILE_READING;
}

/* After any call that did not succeed; `error` is errno as that call left it. */
static enum io_status translate(const SSL *ssl, int result, int error, struct failure *failure)
{
    int ssl_error = SSL_get_error(ssl, result);
    switch (ssl_error) {
    case SSL_ERROR_WANT_READ:
        return IO_WANT_READ;
    case SSL_ERROR_WANT_WRITE:
        return IO_WANT_WRITE;
    case SSL_ERROR_ZERO_RETURN:
        return IO_CLOSED;
    default:
        if (is_end_of_stream(ssl_error, error))
            return IO_EOF;
        return failed(ssl, ssl_error, error, failure);
    }
}

/* A stale entry in the queue would be taken for this call's (SSL_get_error(3)), a stale errno for
 * the reason of an end of stream. */
static void forget_errors(void)
{
    ERR_clear_error();
    errno = 0;
}

enum io_status tls_handshake(SSL *ssl, struct failure *failure)
{
    forget_errors();
    int result = SSL_do_handshake(ssl);
    if (result == 1)
        return IO_OK;

    enum io_status status = translate(ssl, result, errno, failure);
    if (status != IO_EOF && status != IO_CLOSED)
        return status;
    if (failure != NULL)
        failure_set(failure, FAILURE_CLOSED_EARLY,
                    status == IO_CLOSED ? "close notify during the handshake"
                                        : "end of stream during the handshake");
    return IO_FAILED;
}

enum io_status tls_read(SSL *ssl, void *buffer, size_t length, size_t *done,
                        struct failure *failure)
{
    forget_errors();
    int result = SSL_read_ex(ssl, buffer, length, done);
    if (result == 1)
        return IO_OK;
    *done = 0;
    return translate(ssl, result, errno, failure);
}

enum io_status tls_write(SSL *ssl, const void *data, size_t length, size_t *done,
                         struct failure *failure)
{
    forget_errors();
    int result = SSL_write_ex(ssl, data, length, done);
    if (result == 1)
        return IO_OK;
    *done = 0;
    return translate(ssl, result, errno, failure);
}

enum io_status tls_send_close(SSL *ssl, struct failure *failure)
{
    forget_errors();
    int result = SSL_shutdown(ssl);
    if (result >= 0)
        return IO_OK;
    return translate(ssl, result, errno, failure);
}
