#ifndef CERTS_STORE_H
#define CERTS_STORE_H

#include "common/base/error.h"
#include "common/base/file.h"
#include "common/tls/identity.h"

/* A folder of PEM files: KIND.crt (leaf, then intermediate), KIND.key (PKCS#8, mode 0600), KIND.pem
 * (both, as HAProxy takes them, mode 0600), root.crt. Each file is written whole or not at all. */

bool store_write_identity(const char *dir, const struct identity *identity,
                          enum file_existing existing, struct error *err) MUST_CHECK;
bool store_write_root(const char *dir, X509 *root, enum file_existing existing,
                      struct error *err) MUST_CHECK;

#endif
