#ifndef TESTS_FUZZ_SCRIPT_H
#define TESTS_FUZZ_SCRIPT_H

#include "tests/fuzz/live_server.h"
#include "tests/fuzz/seal.h"

/* What genuine clients send to the live server, recorded once record by record: replayed to it, the
 * same handshake completes, since the server's random bytes are the same each time. What follows a
 * TLS 1.3 handshake is kept as plain text and sealed when it is sent, so that records may be left
 * out, doubled or made up and are still genuine to the record layer. */

#define SCRIPT_PIECES 32
#define PIECE_MAX     4096
#define SCRIPT_COUNT  10

struct piece {
    bool sealed;  /* to be sealed: `bytes` is its payload; else the record as it travels */
    uint8_t type; /* of a sealed one */
    bool waits;   /* the server has its turn first */
    size_t length;
    uint8_t bytes[PIECE_MAX];
};

struct script {
    const char *name;
    struct piece pieces[SCRIPT_PIECES];
    size_t count;
    bool has_secret;
    uint8_t secret[SEAL_SECRET];
};

/* Fills all scripts; abort() where a handshake fails. */
void script_record_all(struct live_server *server, struct script scripts[static SCRIPT_COUNT]);

#endif
