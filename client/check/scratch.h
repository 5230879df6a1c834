#ifndef CLIENT_CHECK_SCRATCH_H
#define CLIENT_CHECK_SCRATCH_H

#include "common/tls/suite.h"

#include <openssl/ssl.h>
#include <stdbool.h>
#include <stddef.h>

/* A context on which cipher strings are tried; nothing else is ever done with it. */

struct scratch {
    SSL_CTX *ctx;
    int default_level;
};

#define SCRATCH_MAX 512

struct scratch_list {
    const struct suite *suites[SCRATCH_MAX];
    int bits[SCRATCH_MAX];
    size_t count;
    int level;   /* security level that the string leaves */
    int suite_b; /* flags of suite_b.h that it sets */
};

enum scratch_answer {
    SCRATCH_SELECTS,
    SCRATCH_NOTHING,     /* "no cipher match" */
    SCRATCH_BAD_COMMAND, /* "invalid command": a character or an @-word that cannot be */
};

bool scratch_init(struct scratch *scratch, int default_level);
void scratch_cleanup(struct scratch *scratch);

/* What SSL_CTX_set_cipher_list makes of a string, TLS 1.3 suites left out. `list` may be NULL. */
enum scratch_answer scratch_expand(struct scratch *scratch, const char *string,
                                   struct scratch_list *list);
/* The same for SSL_CTX_set_ciphersuites, with the TLS 1.3 suites alone; NULL: the default. */
enum scratch_answer scratch_expand_13(struct scratch *scratch, const char *string,
                                      struct scratch_list *list);

/* Whether OpenSSL knows a word of `length` bytes, its sign included: behind a word that it does not
 * know it drops all up to the next separator. */
bool scratch_knows(struct scratch *scratch, const char *word, size_t length);

#endif
