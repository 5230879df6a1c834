/* A threaded test: slow keys are made in parallel. */

#include "certs/issue.h"

#include "certs/store.h"
#include "common/base/memory.h"
#include "common/tls/library.h"
#include "common/tls/negotiated.h"
#include "common/tls/settings.h"
#include "tests/support/memory_pair.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define KINDS_MAX 32

/* Every kind that the library has, made once for all tests. */
struct fixture {
    const struct certificate_kind *kinds[KINDS_MAX];
    struct identity identities[KINDS_MAX];
    size_t count, slow_count;
    X509 *root;
    size_t making, made;
    pthread_t caller;
};

static void count_progress(void *context, const char *text)
{
    struct fixture *fixture = context;
    assert_true(pthread_equal(fixture->caller, pthread_self()));
    fixture->making += strncmp(text, "making the ", 11) == 0;
    fixture->made += strncmp(text, "made the ", 9) == 0;
    assert_true(fixture->made <= fixture->making);
}

static int setup(void **state)
{
    struct fixture *fixture = memory_new(1, sizeof(*fixture));
    struct library_facts library;
    struct error err = {{0}};
    *state = fixture;
    if (!library_init(false, &err) || !library_facts_read(&library, &err))
        return -1;
    for (size_t i = 0; i < kind_count; i++) {
        if (!library_has_kind(&library, &kind_table[i]))
            continue;
        fixture->kinds[fixture->count++] = &kind_table[i];
        fixture->slow_count += kind_table[i].slow_key;
    }
    fixture->caller = pthread_self();
    if (issue_identities(NULL, fixture->kinds, fixture->count, fixture->identities, &fixture->root,
                         count_progress, fixture, &err))
        return 0;
    (void)fprintf(stderr, "%s\n", err.text);
    return -1;
}

static void free_identities(struct identity *identities, size_t count)
{
    for (size_t i = 0; i < count; i++)
        identity_cleanup(&identities[i]);
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    free_identities(fixture->identities, fixture->count);
    X509_free(fixture->root);
    free(fixture);
    return 0;
}

static void makes_one_identity_of_each_kind(void **state)
{
    const struct fixture *fixture = *state;
    assert_in_range(fixture->count, 10, KINDS_MAX);
    assert_in_range(fixture->slow_count, 2, KINDS_MAX);
    assert_int_equal(fixture->making, fixture->slow_count);
    assert_int_equal(fixture->made, fixture->slow_count);
    for (size_t i = 0; i < fixture->count; i++) {
        const struct identity *identity = &fixture->identities[i];
        assert_ptr_equal(identity->kind, fixture->kinds[i]);
        assert_ptr_equal(identity_kind_of(identity->key), fixture->kinds[i]);
        assert_int_equal(
            X509_verify(sk_X509_value(identity->chain, 0), X509_get0_pubkey(fixture->root)), 1);
    }
}

/* A suite of each version that some kind serves. */
static const struct {
    int version;
    const char *suite;
} suites[] = {
    {TLS1_3_VERSION, "TLS_AES_128_GCM_SHA256"},
    {TLS1_2_VERSION, "ECDHE-RSA-AES128-GCM-SHA256"},
    {TLS1_2_VERSION, "ECDHE-ECDSA-AES128-GCM-SHA256"},
    {TLS1_2_VERSION, "DHE-RSA-AES128-GCM-SHA256"},
    {TLS1_2_VERSION, "AES128-GCM-SHA256"},
    {TLS1_2_VERSION, "DHE-DSS-AES128-GCM-SHA256"},
    {TLS1_VERSION, "ECDHE-RSA-AES128-SHA"},
    {TLS1_VERSION, "ECDHE-ECDSA-AES128-SHA"},
    {TLS1_VERSION, "DHE-DSS-AES128-SHA"},
};

/* The handshake that the pair of contexts makes, with the chain verified by the root. */
static void shake_hands(const struct identity *identity, X509 *root, int version, const char *suite)
{
    const bool is_13 = version == TLS1_3_VERSION;
    const struct certificate_kind *kind = identity->kind;
    struct error err = {{0}};
    X509_STORE *store = X509_STORE_new();
    assert_int_equal(X509_STORE_add_cert(store, root), 1);
    const struct tls_settings client_settings = {
        .role = TLS_CLIENT,
        .min_version = version,
        .max_version = version,
        .ciphers = is_13 ? "" : suite,
        .ciphersuites = is_13 ? suite : "",
        .sigalgs = is_13 ? kind->sigalgs_13 : kind->sigalgs_12,
        .trust = store,
    };
    SSL_CTX *client = tls_context_new(&client_settings, NULL, 0, &err);
    SSL_CTX *server =
        tls_context_new(&(struct tls_settings){.role = TLS_SERVER}, &identity, 1, &err);
    if (client == NULL || server == NULL)
        fail_msg("%s", err.text);

    struct memory_pair pair;
    struct negotiated facts;
    assert_true(memory_pair_init(&pair, client, server));
    if (!memory_pair_handshake(&pair))
        fail_msg("%s %s: client %s, server %s", kind->name, suite, pair.client_failure.text,
                 pair.server_failure.text);
    negotiated_read(pair.client, &facts);
    assert_int_equal(facts.version, version);
    assert_int_equal(facts.suite, suite_find(suite)->code);
    assert_string_equal(facts.certificate_type, kind->key_type);
    if (kind->bits != 0)
        assert_int_equal(facts.certificate_bits, kind->bits);
    assert_true(memory_pair_transfer(pair.client, pair.server, "ping", 4));
    assert_true(memory_pair_transfer(pair.server, pair.client, "pong", 4));
    memory_pair_cleanup(&pair);
    SSL_CTX_free(client);
    SSL_CTX_free(server);
    X509_STORE_free(store);
}

static void every_kind_serves_every_version_that_fits(void **state)
{
    const struct fixture *fixture = *state;
    for (size_t i = 0; i < fixture->count; i++) {
        size_t served = 0;
        for (size_t j = 0; j < sizeof(suites) / sizeof(suites[0]); j++) {
            const char *reason;
            if (!kind_serves(fixture->kinds[i], suite_find(suites[j].suite), suites[j].version,
                             &reason))
                continue;
            shake_hands(&fixture->identities[i], fixture->root, suites[j].version, suites[j].suite);
            served++;
        }
        if (served == 0)
            fail_msg("%s serves nothing", fixture->kinds[i]->name);
    }
}

static void make_dir(char dir[static 64])
{
    (void)snprintf(dir, 64, "/tmp/suitemark-test-XXXXXX");
    assert_non_null(mkdtemp(dir));
}

static void remove_dir(const char *dir)
{
    DIR *entries = opendir(dir);
    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;)
        if (entry->d_name[0] != '.')
            assert_int_equal(unlinkat(dirfd(entries), entry->d_name, 0), 0);
    (void)closedir(entries);
    assert_int_equal(rmdir(dir), 0);
}

static void issue_into(const char *dir, const char *first, const char *second,
                       struct identity identities[static 2], X509 **root)
{
    const struct certificate_kind *kinds[] = {kind_find(first), kind_find(second)};
    struct error err = {{0}};
    if (!issue_identities(dir, kinds, 2, identities, root, NULL, NULL, &err))
        fail_msg("%s", err.text);
}

/* What is there is used again, what is not is made, and all of it ends in one root. */
static void a_folder_is_kept_and_reused(void **state)
{
    (void)state;
    char dir[64], sub[96];
    struct identity before[2], after[2];
    X509 *root_before, *root_after;
    make_dir(dir);
    (void)snprintf(sub, sizeof(sub), "%s/made-when-missing", dir);
    issue_into(sub, "ecdsa-p256", "rsa-2048", before, &root_before);
    issue_into(sub, "ecdsa-p256", "ed25519", after, &root_after);
    assert_int_equal(X509_cmp(root_before, root_after), 0);
    assert_int_equal(X509_cmp(before[0].leaf, after[0].leaf), 0);
    assert_int_equal(EVP_PKEY_eq(before[0].key, after[0].key), 1);
    assert_int_equal(X509_cmp(sk_X509_value(before[0].chain, 0), sk_X509_value(after[1].chain, 0)),
                     0);
    shake_hands(&after[0], root_before, TLS1_3_VERSION, "TLS_AES_128_GCM_SHA256");
    shake_hands(&after[1], root_before, TLS1_3_VERSION, "TLS_AES_128_GCM_SHA256");
    free_identities(before, 2);
    free_identities(after, 2);
    X509_free(root_before);
    X509_free(root_after);
    remove_dir(sub);
    remove_dir(dir);
}

/* A key that is another's, or no key at all, is made anew with its certificate. */
static void what_does_not_fit_is_made_anew(void **state)
{
    (void)state;
    static const char *const damages[] = {"ed25519.key", "ed25519.crt"};
    for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
        char dir[64], path[96];
        struct identity before[2], after[2];
        make_dir(dir);
        issue_into(dir, "ed25519", "ecdsa-p256", before, NULL);
        (void)snprintf(path, sizeof(path), "%s/%s", dir, damages[i]);
        assert_true(file_write(path, "damaged", 7, 0600, FILE_REPLACE, NULL));
        issue_into(dir, "ed25519", "ecdsa-p256", after, NULL);
        assert_int_not_equal(X509_cmp(before[0].leaf, after[0].leaf), 0);
        assert_int_equal(X509_cmp(before[1].leaf, after[1].leaf), 0);
        free_identities(before, 2);
        free_identities(after, 2);
        remove_dir(dir);
    }
}

/* A root that somebody else put there is never replaced. */
static void a_foreign_root_is_left_alone(void **state)
{
    const struct fixture *fixture = *state;
    char dir[64];
    struct error err = {{0}};
    struct identity identity;
    const struct certificate_kind *kind = kind_find("ed25519");
    make_dir(dir);
    assert_true(store_write_root(dir, fixture->root, FILE_KEEP, &err));
    assert_false(issue_identities(dir, &kind, 1, &identity, NULL, NULL, NULL, &err));
    assert_non_null(strstr(err.text, "root.crt"));
    assert_null(identity.leaf);
    remove_dir(dir);
}

/* One kind that cannot be made, among slow ones that can: nothing is left over, no thread either.
 */
static void a_failure_leaves_nothing(void **state)
{
    (void)state;
    const struct certificate_kind impossible = {.name = "made-up", .key_type = "NO-SUCH-TYPE"};
    const struct certificate_kind slow = {
        .name = "made-up-slow", .key_type = "NO-SUCH-TYPE", .slow_key = true};
    const struct certificate_kind *const kinds[] = {kind_find("ed25519"), &slow, &impossible,
                                                    &slow};
    struct identity identities[4];
    struct error err = {{0}};
    assert_false(issue_identities(NULL, kinds, 4, identities, NULL, NULL, NULL, &err));
    assert_non_null(strstr(err.text, "made-up"));
    for (size_t i = 0; i < 4; i++)
        assert_null(identities[i].key);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makes_one_identity_of_each_kind),
        cmocka_unit_test(every_kind_serves_every_version_that_fits),
        cmocka_unit_test(a_folder_is_kept_and_reused),
        cmocka_unit_test(what_does_not_fit_is_made_anew),
        cmocka_unit_test(a_foreign_root_is_left_alone),
        cmocka_unit_test(a_failure_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
