#ifndef CLIENT_CHECK_CIPHERS_H
#define CLIENT_CHECK_CIPHERS_H

#include "client/check/finding.h"
#include "common/tls/library.h"

#include <stdbool.h>
#include <stddef.h>

/* What a cipher string, or a list of TLS 1.3 suites, does in the loaded library. */

#define CIPHERS_MAX 512

struct cipher_choice {
    const struct suite *suite;
    int bits;        /* as the security level counts them (SSL_CIPHER_get_bits(3)) */
    size_t position; /* of the word that brings it in, from 1 */
};

struct cipher_list {
    struct cipher_choice items[CIPHERS_MAX]; /* TLS 1.2 and before, in order */
    size_t count;
    int level;     /* security level after it */
    int suite_b;   /* flags of suite_b.h */
    bool refused;  /* OpenSSL refuses the string: a server with it does not start */
    char *simpler; /* the same list in fewer words; NULL: there is nothing to leave out */
};

/* Where a string stands, for the places of findings. */
struct cipher_place {
    const char *file_line; /* "nginx.conf:12"; "" for one of the command line */
    bool nginx;            /* remedies name nginx's directives */
};

/* Reads a string of the kind that SSL_CTX_set_cipher_list(3) takes, at the library's default
 * security level. Adds what there is to say about its words; what it gives in the end is in *list.
 * Free with cipher_list_cleanup. */
void ciphers_read(const char *string, const struct cipher_place *place, int default_level,
                  struct cipher_list *list, struct finding_list *findings);
void cipher_list_cleanup(struct cipher_list *list);

/* The same for TLS 1.3 suites (SSL_CTX_set_ciphersuites(3)); NULL is the library's default. */
void ciphers_read_13(const char *string, const struct cipher_place *place, struct cipher_list *list,
                     struct finding_list *findings);

/* The security level that the library starts with. */
int ciphers_default_level(void);

/* "nginx.conf:12, character 5". */
#define CIPHER_PLACE_TEXT 4200
void cipher_place_text(const struct cipher_place *place, size_t position,
                       char text[static CIPHER_PLACE_TEXT]);

#endif
