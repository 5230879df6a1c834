#include "client/check/certificate.h"

#include "certs/load.h"
#include "certs/load_pem.h"
#include "client/check/suite_b.h"
#include "common/base/file.h"
#include "common/base/memory.h"
#include "common/tls/identity.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* RFC 5480 and NIST SP 800-57 part 1, as EVP_PKEY_get_security_bits has them. */
static int security_bits(const struct certificate_kind *kind)
{
    if (strncmp(kind->key_type, "RSA", 3) == 0 || strcmp(kind->key_type, "DSA") == 0)
        return kind->bits >= 7680   ? 192
               : kind->bits >= 4096 ? 152
               : kind->bits >= 3072 ? 128
               : kind->bits >= 2048 ? 112
               : kind->bits >= 1024 ? 80
                                    : 0;
    if (strncmp(kind->key_type, "ML-DSA", 6) == 0)
        return 128;
    return strcmp(kind->key_type, "ED448") == 0 ? 224 : kind->bits / 2;
}

static struct check_certificate *add(struct certificate_set *set, const char *place)
{
    if (set->count == CERTIFICATES_MAX)
        return NULL;
    struct check_certificate *certificate = &set->items[set->count++];
    *certificate = (struct check_certificate){.place = memory_copy_text(place ? place : "")};
    return certificate;
}

static void free_certificate(struct check_certificate *certificate)
{
    free(certificate->file);
    free(certificate->key_file);
    free(certificate->pass_file);
    free(certificate->place);
}

bool certificate_add_kind(struct certificate_set *set, const char *name, const char *place,
                          struct error *err)
{
    const struct certificate_kind *kind = kind_find(name);

    if (!kind) {
        const char *nearest = kind_nearest(name);
        return error_set(err, "unknown certificate kind \"%s\"%s%s", name,
                         nearest ? "; nearest: " : "", nearest ? nearest : "");
    }
    struct check_certificate *certificate = add(set, place);
    if (!certificate)
        return error_set(err, "more than %d certificates", CERTIFICATES_MAX);
    certificate->kind = *kind;
    certificate->in_table = true;
    certificate->security_bits = security_bits(kind);
    certificate->stand_in = true;
    for (int i = 1; i < 4; i++)
        certificate->suite_b[i] = suite_b_takes(i << 16, kind);
    return true;
}

/* --- files --- */

/* A row of the table for keys of this type, sized as the key is; the name of a size that the table
 * has not is not a kind's. */
static bool kind_of(const EVP_PKEY *key, struct check_certificate *certificate)
{
    const struct certificate_kind *kind = identity_kind_of(key);
    const char *type = EVP_PKEY_get0_type_name(key);

    certificate->in_table = kind != NULL;
    for (size_t i = 0; i < kind_count && !kind; i++)
        if (type && strcmp(kind_table[i].key_type, type) == 0)
            kind = &kind_table[i];
    if (!kind)
        return false;
    certificate->kind = *kind;
    if (!certificate->in_table) {
        certificate->kind.bits = EVP_PKEY_get_bits(key);
        certificate->kind.name = "another size";
        certificate->kind.curve = NULL;
    }
    certificate->security_bits = EVP_PKEY_get_security_bits(key);
    return true;
}

static enum certificate_fit fit_of(const X509 *leaf, const char *key_file, const char *pass_file)
{
    EVP_PKEY *key = NULL, *public = X509_get0_pubkey(leaf);
    struct error err;
    enum certificate_fit fit = FIT;

    if (!file_is_readable(key_file) || (pass_file && !file_is_readable(pass_file)))
        return FIT;
    if (!load_pem_key(key_file, pass_file, &key, &err) || !public)
        fit = FIT_NOT;
    else if (EVP_PKEY_get_id(key) != EVP_PKEY_get_id(public))
        fit = FIT_OTHER_TYPE;
    else if (X509_check_private_key(leaf, key) != 1)
        fit = FIT_NOT;
    EVP_PKEY_free(key);
    ERR_clear_error();
    return fit;
}

static void read_suite_b(X509 *leaf, STACK_OF(X509) * chain, struct check_certificate *certificate)
{
    for (int i = 1; i < 4; i++)
        certificate->suite_b[i] = suite_b_chain(i << 16, leaf, chain);
}

/* False: *err says why nothing can be said about it. */
static bool read_certificate(const char *file, const char *key_file, const char *pass_file,
                             struct check_certificate *certificate, enum certificate_fit *fit,
                             struct error *err)
{
    X509 *leaf = NULL;
    STACK_OF(X509) *others = NULL;

    *fit = FIT;
    if (!file_is_readable(file))
        return error_set(err, "%s is not a file that can be read here", file);
    bool ok = load_pem_certificates(file, &leaf, &others, err);
    *fit = ok ? fit_of(leaf, key_file, pass_file) : FIT_NOT;
    if (ok && !kind_of(X509_get0_pubkey(leaf), certificate))
        ok = error_set(err, "%s: a key of a type that suitemark does not know", file);
    if (ok)
        read_suite_b(leaf, others, certificate);
    X509_free(leaf);
    sk_X509_pop_free(others, X509_free);
    ERR_clear_error();
    return ok;
}

/* The key, or the file with its pass phrases. */
static void say_locked(const char *file, const char *place, struct finding_list *findings)
{
    if (access(file, F_OK) == 0 && access(file, R_OK) != 0)
        finding_add(findings, FINDING_NOTE, "key not readable", file, place, NULL,
                    "the key cannot be read here; trials use a certificate of the same kind");
    else
        finding_add(findings, FINDING_WARNING, "certificate", file, place,
                    "run the check where the file is",
                    "the key is not here; trials use a certificate of the same kind");
}

/* Why the pair cannot be served as it is. */
static void say_wrong(const char *file, enum certificate_fit fit, const struct error *err,
                      const char *place, struct finding_list *findings)
{
    finding_add(findings, FINDING_ERROR, "certificate", file, place,
                "repair the certificate and key files", "%s%s", err->text,
                fit == FIT_NOT          ? ": a server with them does not start"
                : fit == FIT_OTHER_TYPE ? ": OpenSSL takes both and can use neither"
                                        : "");
}

/* Whether a server of our own can take the pair; what keeps it from that is a finding. */
static bool try_pair(const char *file, const char *key_file, const char *pass_file,
                     enum certificate_fit fit, const char *place, struct finding_list *findings)
{
    struct identity identity = {.leaf = NULL};
    struct error err;

    if (!file_is_readable(key_file))
        say_locked(key_file, place, findings);
    else if (pass_file && !file_is_readable(pass_file))
        say_locked(pass_file, place, findings);
    else if (!load_identity(file, key_file, pass_file, 0, &identity, &err))
        say_wrong(file, fit, &err, place, findings);
    else {
        identity_cleanup(&identity);
        return true;
    }
    return false;
}

static void say_unread(const char *file, enum certificate_fit fit, const struct error *err,
                       const char *place, struct finding_list *findings)
{
    if (fit == FIT_NOT)
        finding_add(findings, FINDING_ERROR, "certificate", file, place, "repair the file",
                    "%s: a server with it does not start", err->text);
    else
        finding_add(findings, FINDING_WARNING, "certificate", file, place,
                    "run the check where the file is, or say --certs KINDS",
                    "the certificate cannot be read: %s", err->text);
}

void certificate_add_files(struct certificate_set *set, const char *file, const char *key_file,
                           const char *pass_file, const char *place, struct finding_list *findings)
{
    struct check_certificate read = {.in_table = false};
    struct error err;
    enum certificate_fit fit;

    bool ok = read_certificate(file, key_file, pass_file, &read, &fit, &err);
    set->refused |= fit == FIT_NOT;
    if (!ok) {
        say_unread(file, fit, &err, place, findings);
        return;
    }
    read.stand_in = !try_pair(file, key_file, pass_file, fit, place, findings);
    set->keyless |= fit == FIT_OTHER_TYPE;
    struct check_certificate *certificate = fit == FIT_OTHER_TYPE ? NULL : add(set, place);
    if (!certificate)
        return;
    read.place = certificate->place;
    read.file = memory_copy_text(file);
    read.key_file = memory_copy_text(key_file);
    read.pass_file = pass_file ? memory_copy_text(pass_file) : NULL;
    *certificate = read;
}

enum certificate_fit certificate_fit(const char *file, const char *key_file, const char *pass_file)
{
    struct check_certificate unused = {.in_table = false};
    enum certificate_fit fit;
    struct error err;

    (void)!read_certificate(file, key_file, pass_file, &unused, &fit, &err);
    return fit;
}

/* --- the set --- */

bool certificate_drop_type(struct certificate_set *set, const char *file)
{
    struct check_certificate other = {.in_table = false};
    enum certificate_fit fit;
    struct error err;
    size_t kept = 0, count = set->count;

    if (!read_certificate(file, "", NULL, &other, &fit, &err))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(set->items[i].kind.key_type, other.kind.key_type) == 0)
            free_certificate(&set->items[i]);
        else
            set->items[kept++] = set->items[i];
    }
    set->count = kept;
    return kept < count;
}

void certificate_keep_last(struct certificate_set *set, struct finding_list *findings)
{
    size_t kept = 0;

    for (size_t i = 0; i < set->count; i++) {
        const struct check_certificate *later = NULL;
        for (size_t j = i + 1; j < set->count && !later; j++)
            if (strcmp(set->items[i].kind.key_type, set->items[j].kind.key_type) == 0)
                later = &set->items[j];
        if (!later) {
            set->items[kept++] = set->items[i];
            continue;
        }
        finding_add(findings, FINDING_WARNING, "shadowed certificate",
                    set->items[i].file ? set->items[i].file : set->items[i].kind.name,
                    set->items[i].place, "keep one certificate for each type of key",
                    "OpenSSL keeps one certificate for each type of key, the last: %s replaces it",
                    later->file ? later->file : later->kind.name);
        free_certificate(&set->items[i]);
    }
    set->count = kept;
}

/* Only libssl itself knows what a level asks of a whole chain. */
static void check_files(const struct check_certificate *certificate, int level, const char *place,
                        struct finding_list *findings)
{
    struct identity identity = {.leaf = NULL};
    struct error err;

    if (load_identity(certificate->file, certificate->key_file, certificate->pass_file, level,
                      &identity, &err))
        identity_cleanup(&identity);
    else
        finding_add(findings, FINDING_ERROR, "certificate refused", certificate->file, place,
                    "take a larger key or a stronger chain, or a lower level by @SECLEVEL",
                    "%s: a server with it does not start", err.text);
}

void certificate_check_level(const struct certificate_set *set, int level, const char *place,
                             struct finding_list *findings)
{
    static const int level_bits[] = {0, 80, 112, 128, 192, 256};
    int least = level_bits[level > 5 ? 5 : level];

    for (size_t i = 0; i < set->count; i++) {
        const struct check_certificate *certificate = &set->items[i];
        const char *where = certificate->place[0] ? certificate->place : place;
        if (certificate->by_command)
            continue;
        if (!certificate->stand_in)
            check_files(certificate, level, where, findings);
        else if (certificate->security_bits < least)
            finding_add(findings, FINDING_ERROR, "key too small", certificate->kind.name, where,
                        "take a larger key, or a lower level by @SECLEVEL",
                        "security level %d wants keys of %d bits of security, and this one has %d "
                        "(\"ee key too small\"): a server with it does not start",
                        level, least, certificate->security_bits);
    }
}

void certificate_cleanup(struct certificate_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        free_certificate(&set->items[i]);
    *set = (struct certificate_set){.count = 0};
}
