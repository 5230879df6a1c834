#include "client/case_context.h"

#include "common/tls/settings.h"

#include <stdio.h>

/* Room for four full records: one read(2) brings several (bulk only; a handshake's flights fit
 * libssl's own buffer). */
#define BULK_READ_BUFFER (64 * 1024)

static const char *groups_of(const struct test_case *test_case, char *text, size_t size)
{
    const char *curve = test_case->version <= TLS1_2_VERSION ? test_case->kind->curve : NULL;
    if (!test_case->group)
        return NULL;
    if (!curve || group_find(curve) == test_case->group)
        return test_case->group->openssl;
    (void)snprintf(text, size, "%s:%s", test_case->group->openssl, curve);
    return text;
}

static const char *sigalgs_of(const struct test_case *test_case)
{
    if (test_case->version >= TLS1_3_VERSION)
        return test_case->kind->sigalgs_13;
    return test_case->version == TLS1_2_VERSION ? test_case->kind->sigalgs_12 : NULL;
}

SSL_CTX *case_context_new(const struct test_case *test_case, const struct credentials *credentials,
                          struct error *err)
{
    char groups[96];
    const char *suite = suite_name(test_case->suite);
    bool tls13 = test_case->version >= TLS1_3_VERSION;
    struct tls_settings settings = {
        .role = TLS_CLIENT,
        .min_version = test_case->version,
        .max_version = test_case->version,
        .security_level = 0,
        .ciphers = tls13 ? "" : suite,
        .ciphersuites = tls13 ? suite : "",
        .groups = groups_of(test_case, groups, sizeof groups),
        .sigalgs = sigalgs_of(test_case),
        .read_ahead = true,
        .read_buffer = test_case->measure == MEASURE_BULK ? BULK_READ_BUFFER : 0,
    };
    return credentials_context_new(credentials, &settings, err);
}

void case_server_name(const struct test_case *test_case, char name[static CASE_SERVER_NAME])
{
    (void)snprintf(name, CASE_SERVER_NAME, "%s.suitemark.test", test_case->kind->name);
}
