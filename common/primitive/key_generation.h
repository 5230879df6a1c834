#ifndef COMMON_PRIMITIVE_KEY_GENERATION_H
#define COMMON_PRIMITIVE_KEY_GENERATION_H

#include "common/primitive/primitive.h"

/* Making a key for one handshake, which groups and KEMs do alike. The first member of the states
 * that use it, so that its runs take them. Zeroed is valid. */
struct key_generation {
    struct key_kind kind;
    EVP_PKEY_CTX *maker; /* owned */
};

primitive_run key_generation_message; /* the context is kept */
primitive_run key_generation_oneshot; /* a context for each key, as libssl does it */

bool key_generation_set_up(struct key_generation *generation, const struct primitive *row,
                           struct error *err) MUST_CHECK;
void key_generation_cleanup(struct key_generation *generation);

/* `available` of the classes whose rows are key types with `detail` as their group. */
bool key_generation_available(const struct primitive *row, struct error *err);

#endif
