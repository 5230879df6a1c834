#ifndef CLIENT_CHECK_NGINX_NAMES_H
#define CLIENT_CHECK_NGINX_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* The TLS directives of nginx's http, stream and mail modules, and what nginx asks of their lines
 * before it looks at any server block: tried with nginx 1.22.1, versions by the modules' manuals
 * and nginx's CHANGES. */
struct name_row {
    const char *name;
    unsigned since, until;    /* versions that have it, as nginx_version_parse: [since, until) */
    size_t least, most;       /* arguments */
    bool often;               /* may stand more than once in a block */
    bool main;                /* stands outside all blocks, and nowhere else */
    const char *const *words; /* the only ones that are taken, in any case; NULL: any */
};

#define ANY_NUMBER 100000

/* NULL: none of these. */
const struct name_row *name_find(const char *name);
/* The name that was most likely meant, NULL when none is near. */
const char *name_nearest(const char *name);

/* Whether nginx takes a word of ssl_session_cache. */
bool name_is_cache(const char *word);
/* The size of a shared cache's word in bytes; 0: no such word. `*length` is that of its name, which
 * starts behind "shared:". */
unsigned long long name_cache_zone(const char *word, size_t *length);

#endif
