#ifndef CERTS_ISSUE_H
#define CERTS_ISSUE_H

#include "certs/authority.h"
#include "common/base/error.h"
#include "common/tls/identity.h"

#include <stddef.h>

/* Tells what is being made, so that a program can show it: called from the calling thread only,
 * before and after each slow key ("making the rsa-4096 key"). May be NULL. */
typedef void issue_progress(void *context, const char *text);

/* Fills those of `identities` that have no leaf yet, one for each of `kinds`. RSA keys, and those
 * whose row says slow_key, are made in parallel threads (at most as many as the process has CPUs);
 * an empty *authority is made meanwhile. After a failure all identities are empty; the authority is
 * the caller's to clean up in any case. */
bool issue_leaves(struct authority *authority, const struct certificate_kind *const *kinds,
                  size_t count, struct identity *identities, issue_progress *progress,
                  void *context, struct error *err) MUST_CHECK;

/* Leaves of several kinds, one identity each in the order of `kinds`, from a new authority (see
 * issue_leaves). With `dir` (may be NULL) an identity that a former run stored there is reused when
 * it is still valid for a day and its key fits, and new ones are stored (key files 0600, whole or
 * not at all); a stored root and its intermediates are then reused too, so that all chains end in
 * one root. *root, if not NULL, gets a reference to the root certificate. */
bool issue_identities(const char *dir, const struct certificate_kind *const *kinds, size_t count,
                      struct identity *identities, X509 **root, issue_progress *progress,
                      void *context, struct error *err) MUST_CHECK;

#endif
