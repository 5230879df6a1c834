#ifndef CLIENT_CHECK_NGINX_ZONES_H
#define CLIENT_CHECK_NGINX_ZONES_H

#include "client/check/finding.h"
#include "client/check/nginx_names.h"
#include "common/nginx/config.h"

#include <stddef.h>

/* Shared memory: nginx has one zone of a name in all of its modules, with one use and one size.
 * Only what touches a cache of TLS is said. Zeroed is valid. */
struct zones {
    struct zone *items;
    size_t count;
};

/* A line of a configuration, in the order of the file. */
void zones_look_at(struct zones *zones, const struct nginx_directive *line,
                   enum name_modules module, struct finding_list *findings);
void zones_cleanup(struct zones *zones);

#endif
