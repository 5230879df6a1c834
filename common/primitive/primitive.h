#ifndef COMMON_PRIMITIVE_PRIMITIVE_H
#define COMMON_PRIMITIVE_PRIMITIVE_H

#include "common/base/error.h"
#include "common/primitive/key_ring.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What libcrypto computes, outside any connection. A primitive is a row of a const table, its class
 * says how its family works, and a task is one of its cases set up, verified and ready to be timed
 * (METHOD 11, 12 and 15). */

enum primitive_family {
    FAMILY_CIPHER,
    FAMILY_DIGEST,
    FAMILY_MAC,
    FAMILY_SIGNATURE,
    FAMILY_EXCHANGE,
    FAMILY_KEM,
    FAMILY_YARDSTICK, /* no cryptography: what the loop itself and a memory copy cost */
};
#define FAMILY_COUNT 7

enum primitive_operation {
    OPERATION_ENCRYPT,
    OPERATION_DECRYPT,
    OPERATION_DIGEST,
    OPERATION_MAC,
    OPERATION_SIGN,
    OPERATION_VERIFY,
    OPERATION_KEYGEN,
    OPERATION_DERIVE,
    OPERATION_EXCHANGE, /* a new key and the derivation with it: one side of a handshake */
    OPERATION_ENCAPSULATE,
    OPERATION_DECAPSULATE,
    OPERATION_COPY,
    OPERATION_NOTHING,
};
#define OPERATION_COUNT 13

/* What a caller does around the computation. */
enum primitive_shape {
    SHAPE_STREAM,  /* one context, one long message that each operation goes on with */
    SHAPE_MESSAGE, /* the context is kept; each operation is a whole message, with a new IV */
    SHAPE_RECORD,  /* as libssl protects a record: a nonce each, its header as additional data, the
                      tag made or checked */
    SHAPE_ONESHOT, /* fetch, context and key schedule all anew for each message */
};
#define SHAPE_COUNT 4

#define PRIMITIVE_BIT(value) (1U << (unsigned)(value))

struct primitive {
    const char *name; /* "aes-128-gcm"; a row with `bits_open` is named with its bits: "rsa-2048" */
    const struct primitive_class *class;
    const char *fetched; /* OpenSSL's name of the algorithm, or of the key's type */
    const char *detail;  /* what the class further needs: a curve, a group, a MAC's digest */
    unsigned block;      /* bytes of a cipher's block where it is not 16 */
    unsigned key_bits;   /* of a key whose size the row fixes, where its type has several */
    bool in_default;     /* of the default table */
    bool legacy;         /* only OpenSSL's legacy provider has it */
    bool bits_open;      /* any size of key */
    const char *since;   /* "3.2" for what the first OpenSSL 3 had not; NULL: 3.0 */
};

/* One thing to time. */
struct primitive_case {
    const struct primitive *primitive;
    enum primitive_operation operation;
    enum primitive_shape shape;
    size_t size;   /* bytes an operation works on; 0 where the class is not sized */
    unsigned bits; /* of a key whose row leaves them open; else 0 */
};

struct primitive_task;

/* Runs `count` operations and checks every return value: the number that succeeded. Less than
 * `count` is a failure, and OpenSSL's error queue has its reason. */
typedef uint64_t primitive_run(void *state, uint64_t count);

/* How the rows of a family work; one real implementation each. */
struct primitive_class {
    enum primitive_family family;
    unsigned operations, shapes; /* sets of PRIMITIVE_BIT() */
    enum primitive_shape usual;  /* the shape when none is asked for */
    bool sized;                  /* works on messages of a size; else counts operations */
    const char *backend;         /* "evp", or another library that computes the same */
    /* Whether the loaded library has the row; the reason names what is missing. */
    bool (*available)(const struct primitive *primitive, struct error *err);
    /* Whether such a case makes sense (a size that a mode takes, …); NULL: every one does. */
    bool (*check)(const struct primitive_case *what, struct error *err);
    /* Makes task->state and sets task->run. May leave a partly made state for `release`. */
    bool (*set_up)(struct primitive_task *task, struct error *err);
    /* Proves the state right before it is timed, and notes in task->verified what it proved. */
    bool (*verify)(struct primitive_task *task, struct error *err);
    void (*release)(void *state); /* takes NULL */
};

/* A case that is ready. Zeroed is valid. One thread at a time uses it. */
struct primitive_task {
    struct primitive_case what;
    struct key_ring *keys; /* not owned */
    void *state;
    primitive_run *run;
    char verified[160]; /* "round trip, flipped bit refused, FIPS 197 vector" */
};

/* Sets up and verifies. `keys` may be shared by tasks that are set up one after the other; it must
 * outlive them. After a failure there is nothing to close. */
bool primitive_open(struct primitive_task *task, const struct primitive_case *what,
                    struct key_ring *keys, struct error *err) MUST_CHECK;
void primitive_close(struct primitive_task *task);

/* Whether the library can do the case, shape and size included; the reason fits into one line. */
bool primitive_possible(const struct primitive_case *what, struct error *err) MUST_CHECK;
/* The row alone: "needs the legacy provider", "needs OpenSSL 3.2", "not in this library". */
bool primitive_available(const struct primitive *primitive, struct error *err) MUST_CHECK;

/* All rows, family by family; NULL ends. The yardsticks are the last ones. */
const struct primitive *primitive_at(size_t index);
/* By name in any case, or by a name that OpenSSL has for it (primitive_alias.h); bits behind a row
 * that leaves them open ("rsa-3072") are put into *bits, else that is 0. `backend` "evp" or
 * another. NULL: none. */
const struct primitive *primitive_find(const char *name, const char *backend, unsigned *bits);

/* "rsa-2048": the row's name with the case's bits. Returns `text`. */
#define PRIMITIVE_NAME 48
char *primitive_name(const struct primitive_case *what, char text[static PRIMITIVE_NAME]);

const char *primitive_family_name(enum primitive_family family); /* "cipher" */
const char *primitive_operation_name(enum primitive_operation operation);
const char *primitive_shape_name(enum primitive_shape shape);
bool primitive_shape_parse(const char *text, enum primitive_shape *shape,
                           struct error *err) MUST_CHECK;

/* Adds a part to task->verified. */
void primitive_note(struct primitive_task *task, const char *proof);

/* A primitive_run from a function that does one operation and is inlined into it. */
#define PRIMITIVE_RUN(name, once)                                                                  \
    static uint64_t name(void *state, uint64_t count)                                              \
    {                                                                                              \
        uint64_t done = 0;                                                                         \
        while (done < count && once(state))                                                        \
            done++;                                                                                \
        return done;                                                                               \
    }

#endif
