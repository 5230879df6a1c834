#ifndef SERVER_IDENTITIES_H
#define SERVER_IDENTITIES_H

#include "certs/issue.h"
#include "common/base/error.h"
#include "common/tls/identity.h"
#include "common/tls/library.h"
#include "server/options.h"

#include <stddef.h>

/* What the server presents: the user's own certificates first, then made ones. */
struct identities {
    struct identity *items;
    size_t count;
    size_t own; /* the first so many are the user's */
};

/* Loads the --cert pairs and makes the kinds that --certs asks for (all that the library has when
 * neither is given). An unknown kind, or one that the library lacks, is refused by name. */
bool identities_make(const struct server_options *options, const struct library_facts *facts,
                     issue_progress *progress, void *context, struct identities *identities,
                     struct error *err) MUST_CHECK;
void identities_cleanup(struct identities *identities);

#endif
