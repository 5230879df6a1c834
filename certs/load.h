#ifndef CERTS_LOAD_H
#define CERTS_LOAD_H

#include "common/base/error.h"
#include "common/tls/identity.h"

/* Loads a user's own certificate chain and key: any PEM that OpenSSL reads (PKCS#8, traditional, an
 * EC PARAMETERS block first, text before BEGIN; the key may stand in the certificate's file).
 * Checked, each with its own words: no certificate or no key in the file; an encrypted key without
 * or with a wrong pass phrase (it never prompts: `pass_file`, may be NULL, has it in one of
 * its lines); key and certificate do not belong together, also when their types differ; a chain out
 * of order; expired or not yet valid; RSA or DSA under 1024 bits; a curve that TLS has not.
 * `security_level` 1 and above also refuses what that level refuses (RSA under 1024 at 1, 2048 at
 * 2, …). */
bool load_identity(const char *cert_file, const char *key_file, const char *pass_file,
                   int security_level, struct identity *identity, struct error *err) MUST_CHECK;

/* Whether the file's first key is encrypted. */
bool load_key_is_locked(const char *key_file);

#endif
