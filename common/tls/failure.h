#ifndef COMMON_TLS_FAILURE_H
#define COMMON_TLS_FAILURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Why a connection was not a success. One class each, with OpenSSL's or the kernel's reason in the
 * text. */
enum failure_class {
    FAILURE_NONE,
    FAILURE_RESOLVE,
    FAILURE_CONNECT_REFUSED,
    FAILURE_CONNECT_TIMEOUT,
    FAILURE_CONNECT, /* any other errno of connect(2) */
    FAILURE_HANDSHAKE_TIMEOUT,
    FAILURE_ALERT,        /* the peer's alert during the handshake */
    FAILURE_NOT_TLS,      /* the peer does not speak TLS */
    FAILURE_CERTIFICATE,  /* chain or name not verified */
    FAILURE_HANDSHAKE,    /* our own library refused what the peer sent, at any time */
    FAILURE_CLOSED_EARLY, /* end of stream before the handshake or the answer was complete */
    FAILURE_RESET,
    FAILURE_REJECTED, /* alert or reset after our Finished: the server did not accept the handshake
                       */
    FAILURE_UNCONFIRMED, /* the proof that was asked for did not come (a bare FIN, a close timeout)
                          */
    FAILURE_DRIFT, /* something else was negotiated than the case pins, or a session was resumed */
    FAILURE_HTTP,  /* no HTTP answer, or not the one that the measure needs */
    FAILURE_LOCAL, /* our own limit: descriptors, ports, memory */
    FAILURE_CLASS_COUNT,
};

#define FAILURE_TEXT 96

struct failure {
    enum failure_class class;
    char text[FAILURE_TEXT]; /* "rejected: alert certificate required": class first; what people
                                read and JSON keys */
};

/* The class's words as they begin every text: "connect refused", "peer does not speak TLS", …; ""
 * for NONE. */
const char *failure_class_name(enum failure_class class);

/* Sets class and text; `detail` may be NULL or "". */
void failure_set(struct failure *failure, enum failure_class class, const char *detail);

/* Gives a failure another class and keeps what it said: an alert becomes "rejected: alert
 * certificate required", a reset "rejected: reset". */
void failure_reclass(struct failure *failure, enum failure_class class);

/* Counts by text. A fixed number of rows: when all but the last FAILURE_ROWS_BARE are taken, new
 * texts count under their class's bare name, and when even that has no room, in the last row.
 * Zeroed is valid. One writer, merged after the threads have ended. */
#define FAILURE_ROWS      24
#define FAILURE_ROWS_BARE 8

struct failure_table {
    struct failure_row {
        struct failure failure;
        uint64_t count;
    } rows[FAILURE_ROWS];
    size_t count;
};

void failure_table_add(struct failure_table *table, const struct failure *failure, uint64_t count);
void failure_table_merge(struct failure_table *into, const struct failure_table *from);
uint64_t failure_table_total(const struct failure_table *table);
/* The most frequent row, NULL when there is none. */
const struct failure_row *failure_table_worst(const struct failure_table *table);

#endif
