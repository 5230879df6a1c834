#ifndef CLIENT_CHECK_NGINX_NAMES_H
#define CLIENT_CHECK_NGINX_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* The TLS directives of nginx's http, stream and mail modules, and what nginx asks of their lines
 * before it looks at any server block: tried with nginx 1.22.1, versions by the modules' manuals
 * and nginx's CHANGES. */

enum name_modules {
    NAME_HTTP = 1,
    NAME_STREAM = 2,
    NAME_MAIL = 4,
};

struct name_row {
    const char *name;
    unsigned since, until;    /* versions that have it, as nginx_version_parse: [since, until) */
    size_t least, most;       /* arguments */
    bool often;               /* may stand more than once in a block */
    bool main;                /* stands outside all blocks, and nowhere else */
    const char *const *words; /* the only ones that are taken, in any case; NULL: any */
    bool (*takes)(const char *word);
    const char *form;      /* what `takes` asks for */
    unsigned modules;      /* enum name_modules; 0: all of them */
    unsigned stream_since; /* of http first, this version's stream has it too; 0: as modules say */
};

#define ANY_NUMBER 100000

/* NULL: none of these. */
const struct name_row *name_find(const char *name);
/* The name that was most likely meant, NULL when none is near. */
const char *name_nearest(const char *name);
/* Whether a module has it. */
bool name_is_of(const struct name_row *row, enum name_modules module, unsigned version);

#endif
