#include "tests/fuzz/script.h"

#include "common/tls/settings.h"
#include "tests/fuzz/fixed_random.h"

#include <openssl/bio.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALERT       21
#define HANDSHAKE   22
#define APPLICATION 23
#define TURNS_MAX   16
#define HOST        "Host: a\r\n"
#define GET         "GET /bytes/5 HTTP/1.1\r\n" HOST "\r\n"

static const char key_update[] = "\x18\0\0\1\1"; /* asks for one in return */
static const char close_notify[] = "\1\0";

/* One client: its handshake, then what it says. */
static const struct script_row {
    const char *name;
    int version;
    const char *suite, *groups, *alpn;
    bool resumes, renegotiates;
    const char *talk[4];
    bool updates_keys; /* before the second talk */
} rows[SCRIPT_COUNT] = {
    {"1.3", TLS1_3_VERSION, NULL, "X25519", .talk = {GET}},
    {"1.3, another group first", TLS1_3_VERSION, NULL, "P-521:X25519", .talk = {GET}},
    {"1.3, upload", TLS1_3_VERSION, NULL, "X25519",
     .talk = {"POST /sink HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n5\r\nhel",
              "lo\r\n3;x=y\r\nabc\r\n0\r\n\r\n" GET,
              "POST /sink HTTP/1.1\r\n" HOST "Content-Length: 5\r\nExpect: 100-continue\r\n\r\n",
              "hello"}},
    {"1.3, new keys", TLS1_3_VERSION, NULL, "X25519", .talk = {GET, GET}, .updates_keys = true},
    {"1.3, resumed", TLS1_3_VERSION, NULL, "X25519", .resumes = true, .talk = {GET}},
    {"1.3, control", TLS1_3_VERSION, NULL, "P-256", .alpn = "\13suitemark/1",
     .talk = {"GET /stats HTTP/1.1\r\n" HOST "\r\n", "GET /metrics HTTP/1.1\r\n" HOST "\r\n",
              "GET / HTTP/1.0\r\n\r\n"}},
    {"1.3, large answer", TLS1_3_VERSION, NULL, "X25519", .alpn = "\10http/1.1",
     .talk = {"GET /bytes/600000?record=9000 HTTP/1.1\r\n" HOST "\r\n" GET, GET,
              "HEAD /bytes/1 HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n"}},
    {"1.2", TLS1_2_VERSION, "ECDHE-ECDSA-AES128-GCM-SHA256", "X25519:P-256", .talk = {GET, GET}},
    {"1.2, CBC", TLS1_2_VERSION, "ECDHE-ECDSA-AES128-SHA", "P-256", .renegotiates = true,
     .talk = {GET, GET}},
    {"1.0", TLS1_VERSION, "ECDHE-ECDSA-AES256-SHA", "P-256", .talk = {GET}},
};

/* A client at work, and what it has sent so far. */
struct recorder {
    struct live_server *server;
    struct script *script;
    SSL *ssl;
};

static void must(bool good, const char *name, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "script \"%s\": %s\n", name, what);
    abort();
}

static void on_key(const SSL *ssl, const char *line)
{
    static const char label[] = "CLIENT_TRAFFIC_SECRET_0 ";
    struct script *script = SSL_get_app_data(ssl);
    const char *hex = strrchr(line, ' ');
    unsigned byte;
    if (strncmp(line, label, sizeof label - 1) != 0)
        return;
    script->has_secret = strlen(hex + 1) == sizeof script->secret * 2;
    for (size_t i = 0; i < sizeof script->secret && script->has_secret; i++) {
        script->has_secret = sscanf(hex + 1 + 2 * i, "%2x", &byte) == 1;
        script->secret[i] = (uint8_t)byte;
    }
}

static struct piece *add_piece(struct script *script, const void *bytes, size_t length)
{
    must(script->count < SCRIPT_PIECES && length <= PIECE_MAX, script->name, "too long");
    struct piece *piece = &script->pieces[script->count++];
    *piece = (struct piece){.length = length};
    memcpy(piece->bytes, bytes, length);
    return piece;
}

/* The client's bytes so far become pieces, a record each, and the server has its turn. */
static void pass_on(struct recorder *recorder)
{
    uint8_t bytes[16384];
    BIO *in = SSL_get_rbio(recorder->ssl), *out = SSL_get_wbio(recorder->ssl);
    const int length = BIO_read(out, bytes, sizeof bytes);
    bool first = true;
    for (size_t at = 0; length > 0 && at < (size_t)length; first = false) {
        const size_t record = 5 + ((size_t)bytes[at + 3] << 8 | bytes[at + 4]);
        add_piece(recorder->script, bytes + at, record)->waits = first;
        live_server_send(recorder->server, bytes + at, record);
        at += record;
    }
    live_server_turn(recorder->server);
    if (recorder->server->answer_length > 0)
        (void)BIO_write(in, recorder->server->answer, (int)recorder->server->answer_length);
}

static void shake_hands(struct recorder *recorder)
{
    int done = 0;
    for (int i = 0; i < TURNS_MAX && done != 1; i++) {
        done = SSL_do_handshake(recorder->ssl);
        pass_on(recorder);
    }
    must(done == 1, recorder->script->name, "the handshake fails");
}

/* TLS 1.2 and before: records as the client makes them. */
static void talk_raw(struct recorder *recorder, const struct script_row *row)
{
    for (size_t i = 0; i < 4 && row->talk[i] != NULL; i++) {
        (void)SSL_write(recorder->ssl, row->talk[i], (int)strlen(row->talk[i]));
        pass_on(recorder);
        if (row->renegotiates && i == 0) {
            (void)SSL_renegotiate(recorder->ssl);
            (void)SSL_do_handshake(recorder->ssl);
            pass_on(recorder);
        }
    }
    (void)SSL_shutdown(recorder->ssl);
    pass_on(recorder);
}

static void add_sealed(struct script *script, uint8_t type, const char *bytes, size_t length)
{
    struct piece *piece = add_piece(script, bytes, length);
    piece->sealed = piece->waits = true;
    piece->type = type;
}

static void talk_sealed(struct script *script, const struct script_row *row)
{
    must(script->has_secret, script->name, "no traffic secret");
    for (size_t i = 0; i < 4 && row->talk[i] != NULL; i++) {
        if (row->updates_keys && i == 1)
            add_sealed(script, HANDSHAKE, key_update, sizeof key_update - 1);
        add_sealed(script, APPLICATION, row->talk[i], strlen(row->talk[i]));
    }
    add_sealed(script, ALERT, close_notify, sizeof close_notify - 1);
}

static SSL_CTX *new_context(const struct script_row *row)
{
    const struct tls_settings settings = {
        .role = TLS_CLIENT,
        .min_version = row->version,
        .max_version = row->version,
        .ciphers = row->suite != NULL ? row->suite : "",
        .ciphersuites = row->suite != NULL ? "" : "TLS_AES_128_GCM_SHA256",
        .groups = row->groups,
    };
    struct error err = {0};
    SSL_CTX *context = tls_context_new(&settings, NULL, 0, &err);
    must(context != NULL, row->name, err.text);
    SSL_CTX_set_keylog_callback(context, on_key);
    if (row->renegotiates)
        (void)SSL_CTX_clear_options(context, SSL_OP_NO_RENEGOTIATION);
    return context;
}

static void begin(struct recorder *recorder, SSL_CTX *context, const struct script_row *row,
                  SSL_SESSION *session)
{
    BIO *in = BIO_new(BIO_s_mem()), *out = BIO_new(BIO_s_mem());
    struct script *script = recorder->script;
    *script = (struct script){.name = row->name};
    live_server_dial(recorder->server);
    recorder->ssl = SSL_new(context);
    must(recorder->ssl != NULL && in != NULL && out != NULL, row->name, "out of memory");
    BIO_set_mem_eof_return(in, -1);
    SSL_set_bio(recorder->ssl, in, out);
    SSL_set_connect_state(recorder->ssl);
    SSL_set_app_data(recorder->ssl, script);
    if (row->alpn != NULL)
        (void)SSL_set_alpn_protos(recorder->ssl, (const unsigned char *)row->alpn,
                                  (unsigned)strlen(row->alpn));
    if (session != NULL)
        must(SSL_set_session(recorder->ssl, session) == 1, row->name, "its session is refused");
    shake_hands(recorder);
}

static void end(struct recorder *recorder)
{
    live_server_hang_up(recorder->server);
    SSL_free(recorder->ssl);
}

/* A session that the server will know again. */
static SSL_SESSION *make_session(struct recorder *recorder, SSL_CTX *context,
                                 const struct script_row *row)
{
    char byte;
    begin(recorder, context, row, NULL);
    (void)SSL_read(recorder->ssl, &byte, 1); /* the ticket */
    SSL_SESSION *session = SSL_get1_session(recorder->ssl);
    SSL_set_shutdown(recorder->ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
    end(recorder);
    must(SSL_SESSION_is_resumable(session), row->name, "no ticket");
    return session;
}

static void record(struct live_server *server, struct script *script, const struct script_row *row)
{
    struct recorder recorder = {.server = server, .script = script};
    SSL_CTX *context = new_context(row);
    SSL_SESSION *session = row->resumes ? make_session(&recorder, context, row) : NULL;
    begin(&recorder, context, row, session);
    must(SSL_session_reused(recorder.ssl) == row->resumes, row->name, "resumption");
    if (row->version >= TLS1_3_VERSION)
        talk_sealed(script, row);
    else
        talk_raw(&recorder, row);
    end(&recorder);
    SSL_SESSION_free(session);
    SSL_CTX_free(context);
}

void script_record_all(struct live_server *server, struct script scripts[static SCRIPT_COUNT])
{
    fixed_random_use(RANDOM_CLIENT);
    for (size_t i = 0; i < SCRIPT_COUNT; i++)
        record(server, &scripts[i], &rows[i]);
}
