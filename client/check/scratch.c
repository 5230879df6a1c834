#include "client/check/scratch.h"

#include "common/base/memory.h"

#include <openssl/err.h>
#include <stdlib.h>
#include <string.h>

/* All flags of suite_b.h. */
#define SUITE_B SSL_CERT_FLAG_SUITEB_128_LOS

bool scratch_init(struct scratch *scratch, int default_level)
{
    *scratch =
        (struct scratch){.ctx = SSL_CTX_new(TLS_server_method()), .default_level = default_level};
    return scratch->ctx != NULL;
}

void scratch_cleanup(struct scratch *scratch)
{
    SSL_CTX_free(scratch->ctx);
    *scratch = (struct scratch){0};
}

static void collect(const struct scratch *scratch, bool tls13, struct scratch_list *list)
{
    const STACK_OF(SSL_CIPHER) *ciphers = SSL_CTX_get_ciphers(scratch->ctx);

    list->count = 0;
    list->level = SSL_CTX_get_security_level(scratch->ctx);
    list->suite_b = (int)SSL_CTX_set_cert_flags(scratch->ctx, 0) & SUITE_B;
    for (int i = 0; i < sk_SSL_CIPHER_num(ciphers) && list->count < SCRATCH_MAX; i++) {
        const SSL_CIPHER *cipher = sk_SSL_CIPHER_value(ciphers, i);
        const struct suite *suite = suite_by_code(SSL_CIPHER_get_protocol_id(cipher));
        if (!suite || tls13 != (strcmp(SSL_CIPHER_get_version(cipher), "TLSv1.3") == 0))
            continue;
        list->suites[list->count] = suite;
        list->bits[list->count++] = SSL_CIPHER_get_bits(cipher, NULL);
    }
}

static enum scratch_answer answer_of(int set)
{
    unsigned long error = ERR_peek_error();
    bool bad = ERR_GET_LIB(error) == ERR_LIB_SSL && ERR_GET_REASON(error) == SSL_R_INVALID_COMMAND;

    ERR_clear_error();
    if (set == 1)
        return SCRATCH_SELECTS;
    return bad ? SCRATCH_BAD_COMMAND : SCRATCH_NOTHING;
}

enum scratch_answer scratch_expand(struct scratch *scratch, const char *string,
                                   struct scratch_list *list)
{
    ERR_clear_error();
    SSL_CTX_set_security_level(scratch->ctx, scratch->default_level);
    (void)SSL_CTX_clear_cert_flags(scratch->ctx, SUITE_B); /* else it stays for later strings */
    enum scratch_answer answer = answer_of(SSL_CTX_set_cipher_list(scratch->ctx, string));
    if (list) {
        list->count = 0;
        if (answer == SCRATCH_SELECTS)
            collect(scratch, false, list);
        /* What is left may be TLS 1.3 suites alone. */
        if (answer == SCRATCH_SELECTS && list->count == 0)
            answer = SCRATCH_NOTHING;
    }
    return answer;
}

/* A level behind the word is set where the word is known, also when nothing is left of the list. */
bool scratch_knows(struct scratch *scratch, const char *word, size_t length)
{
    int level = scratch->default_level == 3 ? 4 : 3;
    char *string = memory_format("ALL:%.*s@SECLEVEL=%d", (int)length, word, level);

    (void)scratch_expand(scratch, string, NULL);
    free(string);
    return SSL_CTX_get_security_level(scratch->ctx) == level;
}

enum scratch_answer scratch_expand_13(struct scratch *scratch, const char *string,
                                      struct scratch_list *list)
{
    ERR_clear_error();
    enum scratch_answer answer = SCRATCH_SELECTS;
    if (string)
        answer = answer_of(SSL_CTX_set_ciphersuites(scratch->ctx, string));
    list->count = 0;
    if (answer == SCRATCH_SELECTS)
        collect(scratch, true, list);
    return answer;
}
