#include "common/primitive/key_ring.h"

#include "common/base/memory.h"
#include "common/tls/reason.h"

#include <openssl/dsa.h>
#include <openssl/rsa.h>
#include <stdlib.h>
#include <string.h>

#define DSA_ORDER_BITS 256

struct key_ring_entry {
    struct key_kind kind;
    EVP_PKEY *key;
};

static int goes_on(EVP_PKEY_CTX *maker)
{
    const struct key_ring *ring = EVP_PKEY_CTX_get_app_data(maker);

    return !ring->give_up(ring->context);
}

/* `ring` may be NULL. */
static void ask_while_making(EVP_PKEY_CTX *maker, struct key_ring *ring)
{
    if (!ring || !ring->give_up)
        return;
    EVP_PKEY_CTX_set_app_data(maker, ring);
    EVP_PKEY_CTX_set_cb(maker, goes_on);
}

static EVP_PKEY *make_dsa_parameters(const struct key_kind *kind, struct key_ring *ring)
{
    EVP_PKEY_CTX *maker = EVP_PKEY_CTX_new_from_name(NULL, kind->type, NULL);
    EVP_PKEY *parameters = NULL;

    if (maker && EVP_PKEY_paramgen_init(maker) == 1 &&
        EVP_PKEY_CTX_set_dsa_paramgen_bits(maker, (int)kind->bits) == 1 &&
        EVP_PKEY_CTX_set_dsa_paramgen_q_bits(maker, DSA_ORDER_BITS) == 1) {
        ask_while_making(maker, ring);
        (void)EVP_PKEY_paramgen(maker, &parameters);
    }
    EVP_PKEY_CTX_free(maker);
    return parameters;
}

static EVP_PKEY_CTX *open_maker(const struct key_kind *kind, struct key_ring *ring)
{
    if (strcmp(kind->type, "DSA") != 0)
        return EVP_PKEY_CTX_new_from_name(NULL, kind->type, NULL);
    EVP_PKEY *parameters = make_dsa_parameters(kind, ring);
    EVP_PKEY_CTX *maker = parameters ? EVP_PKEY_CTX_new_from_pkey(NULL, parameters, NULL) : NULL;
    EVP_PKEY_free(parameters); /* the context has its own reference */
    return maker;
}

static bool is_rsa(const struct key_kind *kind)
{
    return strncmp(kind->type, "RSA", 3) == 0;
}

static EVP_PKEY_CTX *maker_of(const struct key_kind *kind, struct key_ring *ring, struct error *err)
{
    EVP_PKEY_CTX *maker = open_maker(kind, ring);

    if (maker && EVP_PKEY_keygen_init(maker) == 1 &&
        (!kind->group || EVP_PKEY_CTX_set_group_name(maker, kind->group) == 1) &&
        (!is_rsa(kind) || EVP_PKEY_CTX_set_rsa_keygen_bits(maker, (int)kind->bits) == 1)) {
        ask_while_making(maker, ring);
        return maker;
    }
    EVP_PKEY_CTX_free(maker);
    (void)reason_error(err, "no %s key can be made", kind->group ? kind->group : kind->type);
    return NULL;
}

static EVP_PKEY *make(const struct key_kind *kind, struct key_ring *ring, struct error *err)
{
    EVP_PKEY_CTX *maker = maker_of(kind, ring, err);
    EVP_PKEY *key = NULL;

    if (!maker)
        return NULL;
    if (EVP_PKEY_keygen(maker, &key) != 1)
        (void)reason_error(err, "no %s key could be made", kind->type);
    EVP_PKEY_CTX_free(maker);
    return key;
}

EVP_PKEY_CTX *key_maker(const struct key_kind *kind, struct error *err)
{
    return maker_of(kind, NULL, err);
}

EVP_PKEY *key_make(const struct key_kind *kind, struct error *err)
{
    return make(kind, NULL, err);
}

/* A maker takes the name of a group that there is not; parameters of it cannot be made. */
static bool has_group(const struct key_kind *kind)
{
    EVP_PKEY_CTX *maker = EVP_PKEY_CTX_new_from_name(NULL, kind->type, NULL);
    EVP_PKEY *parameters = NULL;
    bool has = maker && EVP_PKEY_paramgen_init(maker) == 1 &&
               EVP_PKEY_CTX_set_group_name(maker, kind->group) == 1 &&
               EVP_PKEY_paramgen(maker, &parameters) == 1;

    EVP_PKEY_free(parameters);
    EVP_PKEY_CTX_free(maker);
    return has;
}

bool key_is_possible(const struct key_kind *kind)
{
    if (kind->group)
        return has_group(kind);
    EVP_PKEY_CTX *maker = EVP_PKEY_CTX_new_from_name(NULL, kind->type, NULL);
    bool has = maker && EVP_PKEY_keygen_init(maker) == 1;
    EVP_PKEY_CTX_free(maker);
    return has;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static void append(struct key_ring *ring, const struct key_kind *kind, EVP_PKEY *key)
{
    ring->entries = memory_grow(ring->entries, ring->count + 1, sizeof *ring->entries);
    ring->entries[ring->count++] = (struct key_ring_entry){*kind, key};
}

EVP_PKEY *key_ring_get(struct key_ring *ring, const struct key_kind *kind, struct error *err)
{
    for (size_t i = 0; i < ring->count; i++) {
        const struct key_kind *have = &ring->entries[i].kind;
        if (same_text(have->type, kind->type) && same_text(have->group, kind->group) &&
            have->bits == kind->bits)
            return ring->entries[i].key;
    }
    EVP_PKEY *key = make(kind, ring, err);
    if (!key)
        return NULL;
    append(ring, kind, key);
    return key;
}

void key_ring_add(struct key_ring *ring, const struct key_kind *kind, EVP_PKEY *key)
{
    (void)EVP_PKEY_up_ref(key);
    append(ring, kind, key);
}

void key_ring_cleanup(struct key_ring *ring)
{
    for (size_t i = 0; i < ring->count; i++)
        EVP_PKEY_free(ring->entries[i].key);
    free(ring->entries);
    *ring = (struct key_ring){0};
}
