#ifndef CLIENT_EVP_EVP_SELECTION_H
#define CLIENT_EVP_EVP_SELECTION_H

#include "client/evp/evp_options.h"

/* The algorithms that words name. */
struct evp_choice {
    const struct primitive *primitive;
    unsigned bits;
};

struct evp_selection {
    struct evp_choice *choices; /* owned; each once, in the order of the words */
    size_t count;
};

/* After a failure there is nothing to clean up. */
bool evp_selection_read(const struct evp_options *options, struct evp_selection *selection,
                        struct error *err) MUST_CHECK;
void evp_selection_cleanup(struct evp_selection *selection);

/* The word for all usual rows of a family: "ciphers". */
const char *evp_selection_family_word(enum primitive_family family);

#endif
