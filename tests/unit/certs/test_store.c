#include "certs/store.h"

#include "certs/certificate.h"
#include "certs/key.h"
#include "common/base/memory.h"
#include "common/tls/library.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct fixture {
    char dir[64];
    struct authority authority;
    struct identity identity;
};

static int setup(void **state)
{
    struct fixture *fixture = memory_new(1, sizeof(*fixture));
    struct error err;
    *state = fixture;
    (void)snprintf(fixture->dir, sizeof(fixture->dir), "/tmp/suitemark-test-XXXXXX");
    return mkdtemp(fixture->dir) != NULL && library_init(false, &err) &&
                   authority_init(&fixture->authority, &err) &&
                   authority_issue(&fixture->authority, kind_find("ecdsa-p256"), &fixture->identity,
                                   &err)
               ? 0
               : -1;
}

static int empty_dir(void **state)
{
    const struct fixture *fixture = *state;
    DIR *entries = opendir(fixture->dir);
    if (entries == NULL)
        return -1;
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;)
        if (entry->d_name[0] != '.')
            (void)unlinkat(dirfd(entries), entry->d_name, 0);
    return closedir(entries);
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    (void)rmdir(fixture->dir);
    identity_cleanup(&fixture->identity);
    authority_cleanup(&fixture->authority);
    free(fixture);
    return 0;
}

static mode_t mode_of(const struct fixture *fixture, const char *name)
{
    char path[128];
    struct stat facts;
    (void)snprintf(path, sizeof(path), "%s/%s", fixture->dir, name);
    return stat(path, &facts) == 0 ? facts.st_mode & 07777 : 0;
}

/* Whatever the umask: nobody else reads a key, and everybody reads certificates. */
static void keys_are_private(void **state)
{
    const struct fixture *fixture = *state;
    struct error err = {{0}};
    mode_t before = umask(0);
    assert_true(store_write_identity(fixture->dir, &fixture->identity, FILE_KEEP, &err));
    (void)umask(077);
    assert_true(store_write_authority(fixture->dir, &fixture->authority, FILE_KEEP, &err));
    (void)umask(before);
    assert_int_equal(mode_of(fixture, "ecdsa-p256.key"), 0600);
    assert_int_equal(mode_of(fixture, "ecdsa-p256.pem"), 0600);
    assert_int_equal(mode_of(fixture, "ecdsa-p256.crt"), 0644);
    assert_int_equal(mode_of(fixture, "issuer-rsa.key"), 0600);
    assert_int_equal(mode_of(fixture, "issuer-ec.key"), 0600);
    assert_int_equal(mode_of(fixture, "root.crt"), 0644);
    assert_int_equal(mode_of(fixture, "root.key"), 0); /* never there */
}

static void keeps_what_is_there(void **state)
{
    const struct fixture *fixture = *state;
    struct error err = {{0}};
    char path[128];
    assert_false(store_has_identity(fixture->dir, "ecdsa-p256", path, sizeof(path)));
    assert_true(store_write_identity(fixture->dir, &fixture->identity, FILE_KEEP, &err));
    assert_true(store_has_identity(fixture->dir, "ecdsa-p256", path, sizeof(path)));
    assert_non_null(strstr(path, "ecdsa-p256."));
    assert_false(store_write_identity(fixture->dir, &fixture->identity, FILE_KEEP, &err));
    assert_non_null(strstr(err.text, "ecdsa-p256.key"));
    assert_true(store_write_identity(fixture->dir, &fixture->identity, FILE_REPLACE, &err));
}

static void reads_back_what_it_wrote(void **state)
{
    const struct fixture *fixture = *state;
    struct authority authority;
    struct identity identity;
    struct error err = {{0}};
    bool found = true;
    assert_true(store_read_authority(fixture->dir, &authority, &found, &err));
    assert_false(found);

    assert_true(store_write_identity(fixture->dir, &fixture->identity, FILE_KEEP, &err));
    assert_true(store_write_authority(fixture->dir, &fixture->authority, FILE_KEEP, &err));
    assert_true(store_read_authority(fixture->dir, &authority, &found, &err));
    assert_true(found);
    assert_null(authority.root_key);
    assert_int_equal(X509_cmp(authority.root, fixture->authority.root), 0);
    assert_int_equal(EVP_PKEY_eq(authority.rsa_issuer_key, fixture->authority.rsa_issuer_key), 1);

    assert_true(store_read_identity(fixture->dir, &authority, kind_find("ecdsa-p256"), &identity));
    assert_int_equal(X509_cmp(identity.leaf, fixture->identity.leaf), 0);
    assert_int_equal(sk_X509_num(identity.chain), 1);
    identity_cleanup(&identity);
    assert_false(store_read_identity(fixture->dir, &authority, kind_find("ed25519"), &identity));
    assert_null(identity.leaf);
    assert_null(identity.chain);
    authority_cleanup(&authority);
}

/* A leaf that would run out under way is not reused. */
static void a_leaf_that_ends_within_a_day_is_not_read(void **state)
{
    static const struct {
        int days;
        bool reused;
    } rows[] = {{1, false}, {2, true}};
    const struct fixture *fixture = *state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct identity identity, stored = fixture->identity;
        struct error err = {{0}};
        const struct certificate_request request = {.common_name = "test",
                                                    .key = stored.key,
                                                    .issuer = fixture->authority.ec_issuer,
                                                    .issuer_key = fixture->authority.ec_issuer_key,
                                                    .days = rows[i].days};
        stored.leaf = certificate_new(&request, &err);
        assert_non_null(stored.leaf);
        assert_true(store_write_identity(fixture->dir, &stored, FILE_REPLACE, &err));
        assert_int_equal(store_read_identity(fixture->dir, &fixture->authority,
                                             kind_find("ecdsa-p256"), &identity),
                         rows[i].reused);
        if (rows[i].reused)
            identity_cleanup(&identity);
        X509_free(stored.leaf);
    }
}

static void another_authoritys_leaf_is_not_read(void **state)
{
    const struct fixture *fixture = *state;
    struct authority other;
    struct identity identity;
    struct error err = {{0}};
    assert_true(authority_init(&other, &err));
    assert_true(store_write_identity(fixture->dir, &fixture->identity, FILE_KEEP, &err));
    assert_false(store_read_identity(fixture->dir, &other, kind_find("ecdsa-p256"), &identity));
    authority_cleanup(&other);
}

static void an_authority_without_its_parts_is_a_failure(void **state)
{
    static const char *const parts[] = {"issuer-rsa.crt", "issuer-rsa.key", "issuer-ec.crt",
                                        "issuer-ec.key"};
    const struct fixture *fixture = *state;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        struct authority authority;
        struct error err = {{0}};
        char path[128];
        bool found;
        assert_true(store_write_authority(fixture->dir, &fixture->authority, FILE_REPLACE, &err));
        (void)snprintf(path, sizeof(path), "%s/%s", fixture->dir, parts[i]);
        assert_int_equal(unlink(path), 0);
        assert_false(store_read_authority(fixture->dir, &authority, &found, &err));
        assert_non_null(strstr(err.text, parts[i]));
        assert_null(authority.root);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(keys_are_private, empty_dir),
        cmocka_unit_test_teardown(keeps_what_is_there, empty_dir),
        cmocka_unit_test_teardown(reads_back_what_it_wrote, empty_dir),
        cmocka_unit_test_teardown(a_leaf_that_ends_within_a_day_is_not_read, empty_dir),
        cmocka_unit_test_teardown(another_authoritys_leaf_is_not_read, empty_dir),
        cmocka_unit_test_teardown(an_authority_without_its_parts_is_a_failure, empty_dir),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
