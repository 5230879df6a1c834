#include "client/case_context.h"

#include "common/tls/settings.h"

#include <stdio.h>
#include <string.h>

/* Room for four full records: one read(2) brings several (bulk only; a handshake's flights fit
 * libssl's own buffer). */
#define BULK_READ_BUFFER (64 * 1024)

static void add_curve(const struct certificate_kind *kind, const struct tls_group *group,
                      char *list, size_t size)
{
    size_t length = strlen(list);
    if (kind && kind->curve && group_find(kind->curve) != group && !strstr(list, kind->curve))
        (void)snprintf(list + length, size - length, ":%s", kind->curve);
}

/* In TLS <= 1.2 the curves of ECDSA certificates, the server's and ours, are asked for in the same
 * list. */
static const char *groups_of(const struct test_case *test_case,
                             const struct credentials *credentials, char *list, size_t size)
{
    if (!test_case->group || test_case->version >= TLS1_3_VERSION)
        return test_case->group ? test_case->group->openssl : NULL;
    (void)snprintf(list, size, "%s", test_case->group->openssl);
    add_curve(test_case->kind, test_case->group, list, size);
    if (credentials && credentials->have_identity)
        add_curve(credentials->identity.kind, test_case->group, list, size);
    return list;
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
        .groups = groups_of(test_case, credentials, groups, sizeof groups),
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
