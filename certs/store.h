#ifndef CERTS_STORE_H
#define CERTS_STORE_H

#include "certs/authority.h"
#include "common/base/error.h"
#include "common/base/file.h"
#include "common/tls/identity.h"

/* A folder of PEM files: KIND.crt (leaf, then intermediate), KIND.key (PKCS#8, mode 0600), KIND.pem
 * (both, as HAProxy takes them, mode 0600), root.crt, and the two intermediates that sign more
 * leaves later: issuer-rsa.crt, issuer-rsa.key, issuer-ec.crt, issuer-ec.key. The root's key is
 * never stored. Each file is written whole or not at all. */

/* Makes the folder where there is none (its parent must exist) and keeps other processes that lock
 * it out, until *fd is closed. */
bool store_lock(const char *dir, int *fd, struct error *err) MUST_CHECK;

/* The first file that store_write_identity would replace, in `path`; false where there is none. */
bool store_has_identity(const char *dir, const char *name, char *path, size_t size);

bool store_write_identity(const char *dir, const struct identity *identity,
                          enum file_existing existing, struct error *err) MUST_CHECK;
bool store_write_root(const char *dir, X509 *root, enum file_existing existing,
                      struct error *err) MUST_CHECK;

/* Both intermediates, then the root: where there is a root.crt the rest is there too. */
bool store_write_authority(const char *dir, const struct authority *authority,
                           enum file_existing existing, struct error *err) MUST_CHECK;

/* An authority that signs leaves, without the root's key. No root.crt in the folder: *found is
 * false, which is no failure. A root.crt without its intermediates, or past its time, is one. */
bool store_read_authority(const char *dir, struct authority *authority, bool *found,
                          struct error *err) MUST_CHECK;

/* A stored leaf of this kind that the authority has issued, whose key fits and which is valid for
 * another day. False: there is none such, and *identity is empty. */
bool store_read_identity(const char *dir, const struct authority *authority,
                         const struct certificate_kind *kind, struct identity *identity) MUST_CHECK;

#endif
