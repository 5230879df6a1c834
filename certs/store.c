#include "certs/store.h"

#include "certs/store_path.h"
#include "common/tls/reason.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/pem.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MODE_PUBLIC  0644
#define MODE_PRIVATE 0600

bool store_lock(const char *dir, int *fd, struct error *err)
{
    if (mkdir(dir, 0755) != 0 && errno != EEXIST)
        return error_set(err, "cannot make %s: %s", dir, strerror(errno));
    *fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*fd < 0)
        return error_set(err, "cannot open %s: %s", dir, strerror(errno));
    if (flock(*fd, LOCK_EX) == 0)
        return true;
    (void)error_set(err, "cannot lock %s: %s", dir, strerror(errno));
    (void)close(*fd);
    *fd = -1;
    return false;
}

bool store_has_identity(const char *dir, const char *name, char *path, size_t size)
{
    static const char *const suffixes[] = {".crt", ".key", ".pem"};
    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
        struct stat facts;
        if (store_path(path, size, dir, name, suffixes[i], NULL) && lstat(path, &facts) == 0)
            return true;
    }
    return false;
}

static bool add_certificates(BIO *bio, X509 *leaf, STACK_OF(X509) * chain)
{
    bool ok = PEM_write_bio_X509(bio, leaf) == 1;
    for (int i = 0; ok && i < sk_X509_num(chain); i++)
        ok = PEM_write_bio_X509(bio, sk_X509_value(chain, i)) == 1;
    return ok;
}

static bool add_key(BIO *bio, const EVP_PKEY *key)
{
    return PEM_write_bio_PKCS8PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL) == 1;
}

/* One file of certificates (leaf may be NULL), or a key (may be NULL), or both. Private as soon as
 * a key is in it; the buffer's memory is wiped when it is freed. */
static bool write_pem(const char *dir, const char *name, const char *suffix, X509 *leaf,
                      STACK_OF(X509) * chain, const EVP_PKEY *key, enum file_existing existing,
                      struct error *err)
{
    char path[STORE_PATH];
    if (!store_path(path, sizeof(path), dir, name, suffix, err))
        return false;
    BIO *bio = BIO_new(BIO_s_secmem());
    bool ok = bio != NULL && (leaf == NULL || add_certificates(bio, leaf, chain)) &&
              (key == NULL || add_key(bio, key));
    if (ok) {
        char *text;
        long length = BIO_get_mem_data(bio, &text);
        ok = file_write(path, text, (size_t)length, key != NULL ? MODE_PRIVATE : MODE_PUBLIC,
                        existing, err);
    } else {
        (void)reason_error(err, "cannot write %s", path);
    }
    BIO_free(bio);
    return ok;
}

/* The key first: a certificate without its key is of no use to anybody. */
bool store_write_identity(const char *dir, const struct identity *identity,
                          enum file_existing existing, struct error *err)
{
    const char *name = identity->name;
    return write_pem(dir, name, ".key", NULL, NULL, identity->key, existing, err) &&
           write_pem(dir, name, ".crt", identity->leaf, identity->chain, NULL, existing, err) &&
           write_pem(dir, name, ".pem", identity->leaf, identity->chain, identity->key, existing,
                     err);
}

bool store_write_root(const char *dir, X509 *root, enum file_existing existing, struct error *err)
{
    return write_pem(dir, STORE_ROOT, ".crt", root, NULL, NULL, existing, err);
}

static bool write_issuer(const char *dir, const char *name, X509 *certificate, const EVP_PKEY *key,
                         enum file_existing existing, struct error *err)
{
    return write_pem(dir, name, ".key", NULL, NULL, key, existing, err) &&
           write_pem(dir, name, ".crt", certificate, NULL, NULL, existing, err);
}

bool store_write_authority(const char *dir, const struct authority *authority,
                           enum file_existing existing, struct error *err)
{
    return write_issuer(dir, STORE_RSA_ISSUER, authority->rsa_issuer, authority->rsa_issuer_key,
                        existing, err) &&
           write_issuer(dir, STORE_EC_ISSUER, authority->ec_issuer, authority->ec_issuer_key,
                        existing, err) &&
           store_write_root(dir, authority->root, existing, err);
}
