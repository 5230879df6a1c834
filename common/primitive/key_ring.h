#ifndef COMMON_PRIMITIVE_KEY_RING_H
#define COMMON_PRIMITIVE_KEY_RING_H

#include "common/base/error.h"

#include <openssl/evp.h>
#include <stdbool.h>
#include <stddef.h>

/* Keys made on demand and kept, since an RSA or DSA key takes up to seconds: sign and verify, and
 * all threads, work with the same one, as a server does. Zeroed is valid and empty. */
struct key_ring {
    struct key_ring_entry *entries; /* owned */
    size_t count;
    /* Asked again and again while a key is made: when it is true, and stays so, that ends soon
     * without a key. NULL: nobody is asked. */
    bool (*give_up)(void *context);
    void *context;
};

/* What to make: a key type, its group or curve (NULL: none), its bits (0: none). */
struct key_kind {
    const char *type, *group;
    unsigned bits;
};

/* The ring's key of this kind; it stays the ring's. NULL after a failure. */
EVP_PKEY *key_ring_get(struct key_ring *ring, const struct key_kind *kind, struct error *err);
/* Gives the ring a key of this kind that there is already: it takes a reference. The texts of
 * `kind` must outlive the ring. */
void key_ring_add(struct key_ring *ring, const struct key_kind *kind, EVP_PKEY *key);
void key_ring_cleanup(struct key_ring *ring);

/* Whether the library has the type, and its group or curve. Fast. */
bool key_is_possible(const struct key_kind *kind);

/* A context that is ready to make keys of this kind, the caller's, and a new key, the caller's.
 * NULL after a failure. DSA, which needs parameters first, only through key_make. */
EVP_PKEY_CTX *key_maker(const struct key_kind *kind, struct error *err);
EVP_PKEY *key_make(const struct key_kind *kind, struct error *err);

#endif
