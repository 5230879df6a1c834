#include "common/tls/settings.h"

#include "certs/authority.h"
#include "certs/store.h"
#include "common/base/file.h"
#include "common/base/memory.h"
#include "common/tls/library.h"
#include "common/tls/negotiated.h"
#include "tests/support/memory_pair.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <openssl/pem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct fixture {
    char dir[64];
    struct authority authority;
    struct identity identity;
};

/* DIR/NAME, until the next call. */
static const char *path_of(const struct fixture *fixture, char path[static 128], const char *name)
{
    (void)snprintf(path, 128, "%s/%s", fixture->dir, name);
    return path;
}

static bool write_params(const struct fixture *fixture, const char *name, const char *type,
                         const char *group)
{
    char path[128];
    EVP_PKEY *params = NULL;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    BIO *file = BIO_new_file(path_of(fixture, path, name), "w");
    bool ok = ctx != NULL && file != NULL && EVP_PKEY_paramgen_init(ctx) == 1 &&
              EVP_PKEY_CTX_set_group_name(ctx, group) == 1 &&
              EVP_PKEY_paramgen(ctx, &params) == 1 && PEM_write_bio_Parameters(file, params) == 1;
    BIO_free(file);
    EVP_PKEY_free(params);
    EVP_PKEY_CTX_free(ctx);
    return ok;
}

static bool write_encrypted_key(const struct fixture *fixture, const char *name)
{
    char path[128];
    unsigned char pass[] = "secret";
    FILE *file = fopen(path_of(fixture, path, name), "w");
    if (file == NULL)
        return false;
    bool ok = PEM_write_PKCS8PrivateKey(file, fixture->identity.key, EVP_aes_128_cbc(),
                                        (char *)pass, 6, NULL, NULL) == 1;
    (void)fclose(file);
    return ok;
}

static bool write_text(const struct fixture *fixture, const char *name, const char *text)
{
    char path[128];
    return file_write(path_of(fixture, path, name), text, strlen(text), 0644, FILE_REPLACE, NULL);
}

static int setup(void **state)
{
    struct fixture *fixture = memory_new(1, sizeof(*fixture));
    struct error err;
    *state = fixture;
    (void)snprintf(fixture->dir, sizeof(fixture->dir), "/tmp/suitemark-test-XXXXXX");
    return mkdtemp(fixture->dir) != NULL && library_init(false, &err) &&
                   authority_init(&fixture->authority, &err) &&
                   authority_issue(&fixture->authority, kind_find("rsa-2048"), &fixture->identity,
                                   &err) &&
                   write_params(fixture, "dh.pem", "DH", "ffdhe3072") &&
                   write_params(fixture, "ec.pem", "EC", "P-256") &&
                   write_encrypted_key(fixture, "encrypted.pem") &&
                   write_text(fixture, "text.pem", "no PEM at all\n") &&
                   write_text(fixture, "broken.pem",
                              "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n") &&
                   store_write_root(fixture->dir, fixture->authority.root, FILE_KEEP, &err)
               ? 0
               : -1;
}

static int teardown(void **state)
{
    static const char *const names[] = {"dh.pem",   "ec.pem",     "encrypted.pem",
                                        "text.pem", "broken.pem", "root.crt"};
    struct fixture *fixture = *state;
    char path[128];
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        (void)unlink(path_of(fixture, path, names[i]));
    (void)rmdir(fixture->dir);
    identity_cleanup(&fixture->identity);
    authority_cleanup(&fixture->authority);
    free(fixture);
    return 0;
}

static void takes_diffie_hellman_parameters(void **state)
{
    const struct fixture *fixture = *state;
    const struct identity *identity = &fixture->identity;
    char path[128];
    struct error err = {{0}};
    EVP_PKEY *params = tls_dh_params_load(path_of(fixture, path, "dh.pem"), &err);
    if (params == NULL)
        fail_msg("%s", err.text);
    const struct tls_settings server_settings = {.role = TLS_SERVER, .dh_params = params};
    /* No group of RFC 7919 on offer: what the server was given must be used. */
    const struct tls_settings client_settings = {.role = TLS_CLIENT,
                                                 .max_version = TLS1_2_VERSION,
                                                 .groups = "X25519",
                                                 .ciphers = "DHE-RSA-AES128-GCM-SHA256"};
    SSL_CTX *server = tls_context_new(&server_settings, &identity, 1, &err);
    SSL_CTX *client = tls_context_new(&client_settings, NULL, 0, &err);
    EVP_PKEY_free(params);

    struct memory_pair pair;
    struct negotiated facts;
    assert_true(memory_pair_init(&pair, client, server));
    assert_true(memory_pair_handshake(&pair));
    negotiated_read(pair.client, &facts);
    assert_string_equal(facts.group, "dh-3072");
    memory_pair_cleanup(&pair);
    SSL_CTX_free(client);
    SSL_CTX_free(server);
}

static const struct {
    const char *file, *reason;
} bad_params[] = {
    {"ec.pem", "holds EC parameters"},
    {"encrypted.pem", "holds no Diffie-Hellman parameters"},
    {"text.pem", "holds no Diffie-Hellman parameters"},
    {"missing.pem", "missing.pem"},
};

static void refuses_other_parameters(void **state)
{
    for (size_t i = 0; i < sizeof(bad_params) / sizeof(bad_params[0]); i++) {
        char path[128];
        struct error err = {{0}};
        assert_null(tls_dh_params_load(path_of(*state, path, bad_params[i].file), &err));
        if (strstr(err.text, bad_params[i].reason) == NULL)
            fail_msg("%s: %s", bad_params[i].file, err.text);
    }
}

static const struct {
    const char *file, *reason; /* NULL: taken */
} stores[] = {
    {"root.crt", NULL},
    {"text.pem", "holds no certificate"},
    {"encrypted.pem", "holds no certificate"},
    {"broken.pem", "certificate 1"},
    {"missing.pem", "missing.pem"},
};

static void loads_trusted_certificates(void **state)
{
    for (size_t i = 0; i < sizeof(stores) / sizeof(stores[0]); i++) {
        char path[128];
        struct error err = {{0}};
        X509_STORE *store = tls_trust_load(path_of(*state, path, stores[i].file), &err);
        if (stores[i].reason == NULL)
            assert_non_null(store);
        else if (store != NULL || strstr(err.text, stores[i].reason) == NULL)
            fail_msg("%s: %s", stores[i].file, err.text);
        X509_STORE_free(store);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_diffie_hellman_parameters),
        cmocka_unit_test(refuses_other_parameters),
        cmocka_unit_test(loads_trusted_certificates),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
