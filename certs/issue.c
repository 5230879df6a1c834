#include "certs/issue.h"

#include "certs/store.h"
#include "common/base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool write_new(const char *dir, const struct identity *identities, const bool *reused,
                      size_t count, struct error *err)
{
    for (size_t i = 0; i < count; i++)
        if (!reused[i] && !store_write_identity(dir, &identities[i], FILE_REPLACE, err))
            return false;
    return true;
}

static bool issue_in_dir(const char *dir, struct authority *authority,
                         const struct certificate_kind *const *kinds, size_t count,
                         struct identity *identities, issue_progress *progress, void *context,
                         struct error *err)
{
    bool found = false;
    if (!store_read_authority(dir, authority, &found, err))
        return false;
    bool *reused = memory_new(count + 1, sizeof(*reused));
    for (size_t i = 0; found && i < count; i++)
        reused[i] = store_read_identity(dir, authority, kinds[i], &identities[i]);

    bool ok = issue_leaves(authority, kinds, count, identities, progress, context, err);
    if (ok && !((found || store_write_authority(dir, authority, FILE_REPLACE, err)) &&
                write_new(dir, identities, reused, count, err))) {
        ok = false;
        for (size_t i = 0; i < count; i++)
            identity_cleanup(&identities[i]);
    }
    free(reused);
    return ok;
}

bool issue_identities(const char *dir, const struct certificate_kind *const *kinds, size_t count,
                      struct identity *identities, X509 **root, issue_progress *progress,
                      void *context, struct error *err)
{
    struct authority authority = {0};
    int lock = -1;
    memset(identities, 0, count * sizeof(*identities));

    bool ok;
    if (dir == NULL)
        ok = issue_leaves(&authority, kinds, count, identities, progress, context, err);
    else
        ok = store_lock(dir, &lock, err) &&
             issue_in_dir(dir, &authority, kinds, count, identities, progress, context, err);
    if (ok && root != NULL) {
        (void)X509_up_ref(authority.root);
        *root = authority.root;
    }
    authority_cleanup(&authority);
    if (lock >= 0)
        (void)close(lock);
    return ok;
}
