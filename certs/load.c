#include "certs/load.h"

#include "certs/load_check.h"
#include "certs/load_pem.h"

#include <stdio.h>
#include <string.h>

/* The last part of a path: what fits and tells files apart. */
static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

bool load_identity(const char *cert_file, const char *key_file, const char *pass_file,
                   int security_level, struct identity *identity, struct error *err)
{
    *identity = (struct identity){0};
    (void)snprintf(identity->name, sizeof(identity->name), "%s", file_name(cert_file));
    const struct load_files files = {.cert_file = cert_file, .key_file = key_file};

    if (load_pem_certificates(cert_file, &identity->leaf, &identity->chain, err) &&
        load_pem_key(key_file, pass_file, &identity->key, err) &&
        load_check_pair(&files, identity, err) && load_check_key(&files, identity, err) &&
        load_check_chain(&files, identity, err) && load_check_dates(&files, identity, err) &&
        load_check_level(&files, identity, security_level, err)) {
        identity->kind = identity_kind_of(identity->key);
        return true;
    }
    identity_cleanup(identity);
    return false;
}
