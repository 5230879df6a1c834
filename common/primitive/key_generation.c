#include "common/primitive/key_generation.h"

#include <openssl/evp.h>

static inline bool make(EVP_PKEY_CTX *maker)
{
    EVP_PKEY *key = NULL;
    bool ok = EVP_PKEY_keygen(maker, &key) == 1;
    EVP_PKEY_free(key);
    return ok;
}

static inline bool message(struct key_generation *generation)
{
    return make(generation->maker);
}

static inline bool oneshot(struct key_generation *generation)
{
    EVP_PKEY *key = key_make(&generation->kind, NULL);
    EVP_PKEY_free(key);
    return key != NULL;
}

PRIMITIVE_RUN(message_run, message)
PRIMITIVE_RUN(oneshot_run, oneshot)

uint64_t key_generation_message(void *state, uint64_t count)
{
    return message_run(state, count);
}

uint64_t key_generation_oneshot(void *state, uint64_t count)
{
    return oneshot_run(state, count);
}

static struct key_kind kind_of(const struct primitive *row)
{
    return (struct key_kind){.type = row->fetched, .group = row->detail};
}

bool key_generation_set_up(struct key_generation *generation, const struct primitive *row,
                           struct error *err)
{
    generation->kind = kind_of(row);
    generation->maker = key_maker(&generation->kind, err);
    return generation->maker != NULL;
}

void key_generation_cleanup(struct key_generation *generation)
{
    EVP_PKEY_CTX_free(generation->maker);
    generation->maker = NULL;
}

bool key_generation_available(const struct primitive *row, struct error *err)
{
    const struct key_kind kind = kind_of(row);

    return key_is_possible(&kind) || error_set(err, "not in this library");
}
