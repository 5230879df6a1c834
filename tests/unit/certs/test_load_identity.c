#include "certs/load.h"

#include "certs/authority.h"
#include "certs/certificate.h"
#include "certs/key.h"
#include "common/base/file.h"
#include "common/base/memory.h"
#include "common/tls/library.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Every test reads files that the set-up has put into a folder, which is the current one. */
struct fixture {
    char dir[64];
    struct authority authority;
    struct identity rsa, ec, ed;
};

/* What stands in one file: any part may be missing. */
struct content {
    const char *text; /* in front */
    X509 *certificates[3];
    const EVP_PKEY *params, *pkcs8, *traditional;
    const char *pass;
};

static void write_content(const char *name, const struct content *content)
{
    BIO *bio = BIO_new_file(name, "w");
    const EVP_CIPHER *cipher = content->pass != NULL ? EVP_aes_128_cbc() : NULL;
    const int pass_length = content->pass != NULL ? (int)strlen(content->pass) : 0;
    void *pass = (void *)(uintptr_t)content->pass;
    assert_non_null(bio);
    if (content->text != NULL)
        assert_true(BIO_puts(bio, content->text) > 0);
    for (size_t i = 0; i < 3 && content->certificates[i] != NULL; i++)
        assert_int_equal(PEM_write_bio_X509(bio, content->certificates[i]), 1);
    if (content->params != NULL)
        assert_int_equal(PEM_write_bio_Parameters(bio, content->params), 1);
    if (content->pkcs8 != NULL)
        assert_int_equal(PEM_write_bio_PKCS8PrivateKey(bio, content->pkcs8, cipher, pass,
                                                       pass_length, NULL, NULL),
                         1);
    if (content->traditional != NULL)
        assert_int_equal(PEM_write_bio_PrivateKey_traditional(bio, content->traditional, cipher,
                                                              pass, pass_length, NULL, NULL),
                         1);
    BIO_free(bio);
}

/* A self-signed pair NAME.crt and NAME.key, valid from `from` seconds from now for `days`. */
static void write_self_signed(const char *name, EVP_PKEY *key, EVP_PKEY *signer, long from,
                              int days)
{
    char path[64];
    struct error err = {{0}};
    const struct certificate_request request = {
        .common_name = name, .key = key, .issuer_key = signer, .days = days};
    X509 *certificate = certificate_new(&request, &err);
    if (certificate == NULL)
        fail_msg("%s", err.text);
    assert_non_null(X509_gmtime_adj(X509_getm_notBefore(certificate), from));
    assert_true(X509_sign(certificate, signer, EVP_sha256()) > 0);
    (void)snprintf(path, sizeof(path), "%s.crt", name);
    write_content(path, &(struct content){.certificates = {certificate}});
    (void)snprintf(path, sizeof(path), "%s.key", name);
    write_content(path, &(struct content){.pkcs8 = key});
    X509_free(certificate);
}

static void write_small_rsa(const char *name, int bits)
{
    EVP_PKEY *key =
        key_new(&(struct certificate_kind){.name = name, .key_type = "RSA", .bits = bits}, NULL);
    assert_non_null(key);
    write_self_signed(name, key, key, -3600, 2);
    EVP_PKEY_free(key);
}

static void write_ec(const char *name, const char *curve, const char *encoding)
{
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    const OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)(uintptr_t)curve, 0),
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_EC_ENCODING, (char *)(uintptr_t)encoding,
                                         0),
        OSSL_PARAM_construct_end(),
    };
    assert_int_equal(EVP_PKEY_keygen_init(ctx), 1);
    assert_int_equal(EVP_PKEY_CTX_set_params(ctx, params), 1);
    assert_int_equal(EVP_PKEY_generate(ctx, &key), 1);
    write_self_signed(name, key, key, -3600, 2);
    EVP_PKEY_free(key);
    EVP_PKEY_CTX_free(ctx);
}

static void write_trusted(const char *name, X509 *leaf)
{
    BIO *bio = BIO_new_file(name, "w");
    assert_non_null(bio);
    assert_int_equal(PEM_write_bio_X509_AUX(bio, leaf), 1);
    BIO_free(bio);
}

static void write_identities(const struct fixture *fixture)
{
    const struct identity *rsa = &fixture->rsa, *ec = &fixture->ec, *ed = &fixture->ed;
    X509 *rsa_issuer = fixture->authority.rsa_issuer, *ec_issuer = fixture->authority.ec_issuer;
    X509 *root = fixture->authority.root;
    const struct {
        const char *name;
        struct content content;
    } files[] = {
        {"rsa.crt", {.certificates = {rsa->leaf, rsa_issuer}}},
        {"rsa.key", {.pkcs8 = rsa->key}},
        {"rsa-old.key", {.traditional = rsa->key}},
        {"rsa.pem", {.certificates = {rsa->leaf, rsa_issuer}, .pkcs8 = rsa->key}},
        {"rsa-root.crt", {.certificates = {rsa->leaf, rsa_issuer, root}}},
        {"rsa-leaf.crt", {.certificates = {rsa->leaf}}},
        {"ec.crt",
         {.text = "subject=/CN=somebody\nsome words\n\n", .certificates = {ec->leaf, ec_issuer}}},
        {"ec.key", {.params = ec->key, .traditional = ec->key}},
        {"ec-text.key", {.text = "Bag Attributes\n  friendlyName: x\n", .pkcs8 = ec->key}},
        {"ed.crt", {.certificates = {ed->leaf, ec_issuer}}},
        {"ed.key", {.pkcs8 = ed->key}},
        {"locked.key", {.pkcs8 = rsa->key, .pass = "open sesame"}},
        {"locked-old.key", {.traditional = rsa->key, .pass = "open sesame"}},
        {"pass", {.text = "open sesame\nsecond line\n"}},
        {"pass-dos", {.text = "open sesame\r\n"}},
        {"pass-wrong", {.text = "open sesam\n"}},
        {"pass-empty", {.text = "\n\r\n"}},
        {"pass-third", {.text = "open sesam\n\nopen sesame"}},
        {"issuer-first.crt", {.certificates = {rsa_issuer, rsa->leaf}}},
        {"gap.crt", {.certificates = {rsa->leaf, root}}},
        {"foreign.crt", {.certificates = {ec->leaf, rsa_issuer}}},
        {"words", {.text = "nothing of the kind\n"}},
        {"broken.crt", {.text = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"}},
        {"broken.key", {.text = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"}},
    };
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        write_content(files[i].name, &files[i].content);
    write_trusted("trusted.crt", rsa->leaf);
}

static int setup(void **state)
{
    struct fixture *fixture = memory_new(1, sizeof(*fixture));
    struct authority *authority = &fixture->authority;
    struct error err;
    *state = fixture;
    (void)snprintf(fixture->dir, sizeof(fixture->dir), "/tmp/suitemark-test-XXXXXX");
    if (mkdtemp(fixture->dir) == NULL || chdir(fixture->dir) != 0 || !library_init(false, &err) ||
        !authority_init(authority, &err) ||
        !authority_issue(authority, kind_find("rsa-2048"), &fixture->rsa, &err) ||
        !authority_issue(authority, kind_find("ecdsa-p256"), &fixture->ec, &err) ||
        !authority_issue(authority, kind_find("ed25519"), &fixture->ed, &err))
        return -1;
    write_identities(fixture);
    write_self_signed("expired", fixture->ec.key, fixture->ec.key, -2 * 86400, 0);
    write_self_signed("early", fixture->ec.key, fixture->ec.key, 86400, 3);
    write_small_rsa("rsa-768", 768);
    write_small_rsa("rsa-1024", 1024);
    write_ec("odd-curve", "prime239v1", "named_curve");
    write_ec("numbers", "P-256", "explicit");
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    DIR *entries = opendir(".");
    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;)
        if (entry->d_name[0] != '.')
            (void)unlink(entry->d_name);
    (void)closedir(entries);
    (void)rmdir(fixture->dir);
    identity_cleanup(&fixture->rsa);
    identity_cleanup(&fixture->ec);
    identity_cleanup(&fixture->ed);
    authority_cleanup(&fixture->authority);
    free(fixture);
    return 0;
}

static const struct {
    const char *certificate, *key, *pass, *kind;
    int chain;
} good[] = {
    {"rsa.crt", "rsa.key", NULL, "rsa-2048", 1},
    {"rsa.crt", "rsa-old.key", NULL, "rsa-2048", 1},
    {"rsa.pem", "rsa.pem", NULL, "rsa-2048", 1},
    {"rsa-root.crt", "rsa.key", NULL, "rsa-2048", 2},
    {"rsa-leaf.crt", "rsa.key", NULL, "rsa-2048", 0},
    {"trusted.crt", "rsa.key", NULL, "rsa-2048", 0},
    {"ec.crt", "ec.key", NULL, "ecdsa-p256", 1},
    {"ec.crt", "ec-text.key", NULL, "ecdsa-p256", 1},
    {"ed.crt", "ed.key", NULL, "ed25519", 1},
    {"rsa.crt", "locked.key", "pass", "rsa-2048", 1},
    {"rsa.crt", "locked.key", "pass-dos", "rsa-2048", 1},
    {"rsa.crt", "locked-old.key", "pass", "rsa-2048", 1},
    {"rsa.crt", "locked.key", "pass-third", "rsa-2048", 1},
    {"rsa.crt", "locked-old.key", "pass-third", "rsa-2048", 1},
    {"rsa.crt", "rsa.key", "pass", "rsa-2048", 1}, /* not needed, not in the way */
    {"rsa.crt", "rsa.key", "pass-empty", "rsa-2048", 1},
    {"rsa-1024.crt", "rsa-1024.key", NULL, NULL, 0},
};

static void takes_what_openssl_reads(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        struct identity identity;
        struct error err = {{0}};
        if (!load_identity(good[i].certificate, good[i].key, good[i].pass, 0, &identity, &err))
            fail_msg("row %zu: %s", i, err.text);
        assert_ptr_equal(identity.kind, good[i].kind != NULL ? kind_find(good[i].kind) : NULL);
        assert_string_equal(identity.name, good[i].certificate);
        assert_int_equal(sk_X509_num(identity.chain), good[i].chain);
        assert_int_equal(X509_check_private_key(identity.leaf, identity.key), 1);
        identity_cleanup(&identity);
    }
}

static const struct {
    const char *certificate, *key, *pass;
    int level;
    const char *reason; /* the whole text up to what differs by run or by OpenSSL's version */
} bad[] = {
    {"missing.crt", "rsa.key", NULL, 0, "missing.crt"},
    {"rsa.crt", "missing.key", NULL, 0, "missing.key"},
    {"words", "rsa.key", NULL, 0, "words holds no certificate in PEM"},
    {"rsa.key", "rsa.key", NULL, 0, "rsa.key holds no certificate in PEM"},
    {"rsa.crt", "rsa.crt", NULL, 0, "rsa.crt holds no private key in PEM that OpenSSL can read"},
    {"rsa.crt", "words", NULL, 0, "words holds no private key in PEM"},
    {"broken.crt", "rsa.key", NULL, 0, "broken.crt: certificate 1 cannot be read: "},
    {"rsa.crt", "broken.key", NULL, 0, "broken.key holds no private key in PEM"},
    {"rsa.crt", "locked.key", NULL, 0,
     "locked.key: the key is encrypted and there is no file with its pass phrase"},
    {"rsa.crt", "locked-old.key", NULL, 0, "locked-old.key: the key is encrypted and there is no"},
    {"rsa.crt", "locked.key", "pass-wrong", 0,
     "locked.key: no pass phrase in pass-wrong opens the key: "},
    {"rsa.crt", "locked.key", "pass-empty", 0,
     "locked.key: the key is encrypted and pass-empty holds no pass phrase"},
    {"rsa.crt", "locked.key", "missing", 0, "missing"},
    {"rsa.crt", "ec.key", NULL, 0, "rsa.crt is for a key of type RSA, ec.key holds one of type EC"},
    {"ed.crt", "ec.key", NULL, 0, "ed.crt is for a key of type ED25519, ec.key holds one of"},
    {"rsa.crt", "rsa-1024.key", NULL, 0,
     "the key in rsa-1024.key does not belong to the certificate in rsa.crt"},
    {"issuer-first.crt", "rsa.key", NULL, 0,
     "issuer-first.crt: the chain is out of order: the key belongs to certificate 2, which must be "
     "the first"},
    {"gap.crt", "rsa.key", NULL, 0,
     "gap.crt: the chain is out of order: certificate 1 (CN = rsa-2048.suitemark.test) is not "
     "issued by certificate 2 (CN = suitemark test root)"},
    {"foreign.crt", "ec.key", NULL, 0,
     "foreign.crt: the chain is out of order: certificate 1 (CN = ecdsa-p256.suitemark.test) is "
     "not issued by certificate 2 (CN = suitemark test RSA issuer)"},
    {"expired.crt", "expired.key", NULL, 0,
     "expired.crt: certificate 1 (CN = expired) expired on 2"},
    {"early.crt", "early.key", NULL, 0,
     "early.crt: certificate 1 (CN = early) is not valid before 2"},
    {"rsa-768.crt", "rsa-768.key", NULL, 0,
     "rsa-768.crt: a key of type RSA with 768 bits is too small, 1024 is the least"},
    {"odd-curve.crt", "odd-curve.key", NULL, 0, "odd-curve.crt: TLS has no curve prime239v1"},
    {"numbers.crt", "numbers.key", NULL, 0,
     "numbers.crt: the curve is written out as numbers, and TLS takes named curves only"},
    {"rsa-1024.crt", "rsa-1024.key", NULL, 2,
     "rsa-1024.crt: OpenSSL refuses it at security level 2: certificate rsa-1024.crt: ee key too "
     "small"},
    {"rsa.crt", "rsa.key", NULL, 3, "rsa.crt: OpenSSL refuses it at security level 3: "},
};

static void says_what_is_wrong(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct identity identity;
        struct error err = {{0}};
        assert_false(load_identity(bad[i].certificate, bad[i].key, bad[i].pass, bad[i].level,
                                   &identity, &err));
        if (strstr(err.text, bad[i].reason) == NULL)
            fail_msg("row %zu: \"%s\" instead of \"%s\"", i, err.text, bad[i].reason);
        assert_null(identity.leaf);
        assert_null(identity.chain);
        assert_null(identity.key);
    }
}

static void locked_keys(void **state)
{
    (void)state;
    assert_true(load_key_is_locked("locked.key"));
    assert_true(load_key_is_locked("locked-old.key"));
    assert_false(load_key_is_locked("rsa.key"));
    assert_false(load_key_is_locked("rsa.crt"));
    assert_false(load_key_is_locked("nowhere.key"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_what_openssl_reads),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(locked_keys),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
