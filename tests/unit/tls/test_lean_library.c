#include "common/tls/lean_library.h"

#include "certs/authority.h"
#include "common/tls/library.h"
#include "common/tls/settings.h"
#include "common/tls/suite.h"
#include "tests/support/memory_pair.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A client made in the lean library context verifies the chain of every kind of certificate that
 * the stock one does, and finishes the handshake. */
static void handshake(const struct authority *authority, const struct certificate_kind *kind)
{
    struct identity identity = {.kind = NULL};
    const struct identity *served = &identity;
    struct memory_pair pair;
    struct error err;
    X509_STORE *trust = X509_STORE_new();
    print_message("%s\n", kind->name);
    assert_true(authority_issue(authority, kind, &identity, &err));
    assert_int_equal(X509_STORE_add_cert(trust, authority->root), 1);
    struct tls_settings client = {
        .role = TLS_CLIENT, .library = lean_library(&err), .trust = trust};
    struct tls_settings server = {.role = TLS_SERVER};
    assert_non_null(client.library);
    SSL_CTX *client_context = tls_context_new(&client, NULL, 0, &err);
    SSL_CTX *server_context = tls_context_new(&server, &served, 1, &err);
    assert_non_null(client_context);
    assert_non_null(server_context);
    assert_true(memory_pair_init(&pair, client_context, server_context));
    assert_true(memory_pair_handshake(&pair));
    assert_int_equal(SSL_get_verify_result(pair.client), X509_V_OK);
    assert_true(memory_pair_transfer(pair.client, pair.server, "hello", 5));
    memory_pair_cleanup(&pair);
    SSL_CTX_free(client_context);
    SSL_CTX_free(server_context);
    X509_STORE_free(trust);
    identity_cleanup(&identity);
}

static void test_every_kind(void **state)
{
    (void)state;
    struct library_facts facts;
    struct authority authority;
    struct error err;
    assert_true(library_init(false, &err) && library_facts_read(&facts, &err));
    assert_true(authority_init(&authority, &err));
    for (size_t i = 0; i < kind_count; i++) {
        if (!kind_table[i].slow_key && library_has_kind(&facts, &kind_table[i]))
            handshake(&authority, &kind_table[i]);
    }
    authority_cleanup(&authority);
}

/* Made once. */
static void test_same(void **state)
{
    (void)state;
    struct error err;
    OSSL_LIB_CTX *first = lean_library(&err);
    assert_non_null(first);
    assert_ptr_equal(first, lean_library(&err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind),
        cmocka_unit_test(test_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
