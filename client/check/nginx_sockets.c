#include "client/check/nginx_block.h"
#include "client/check/nginx_lines.h"
#include "common/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define STREAM_NAMES_SINCE 1025005

/* Sockets of all server blocks, sorted by their names, so that thousands stay fast. */
struct entry {
    const struct nginx_server *server;
    const struct nginx_listen *listen;
    size_t order; /* in the file */
};

static int compare(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = strcmp(x->listen->socket, y->listen->socket);

    return order ? order : x->order < y->order ? -1 : 1;
}

static size_t gather(const struct nginx_config *config, struct entry **entries)
{
    size_t count = 0, filled = 0;

    for (size_t i = 0; i < config->count; i++)
        count += config->servers[i].listen_count;
    *entries = memory_new(count + 1, sizeof **entries);
    for (size_t i = 0; i < config->count; i++) {
        const struct nginx_server *server = &config->servers[i];
        for (size_t j = 0; j < server->listen_count; j++, filled++)
            (*entries)[filled] = (struct entry){server, &server->listens[j], filled};
    }
    qsort(*entries, count, sizeof **entries, compare);
    return count;
}

static void say_twice(const struct entry *entry, const struct entry *before, const char *what,
                      struct finding_list *findings)
{
    char place[BLOCK_PLACE], remedy[BLOCK_PLACE + 64];

    snprintf(remedy, sizeof remedy, "keep one of them: the other is in %s",
             block_place(before->listen->directive, place));
    lines_refuse(entry->listen->directive, entry->listen->socket, remedy, what, findings);
}

/* Of entries with the same socket, in the order of the file. QUIC and UDP have sockets of their
 * own. */
static void look_at_socket(const struct entry *entries, size_t count, unsigned version,
                           struct finding_list *findings)
{
    const struct entry *before = NULL, *first_default = NULL, *options = NULL;

    for (size_t i = 0; i < count; i++) {
        const struct entry *entry = &entries[i];
        if (entry->listen->udp)
            continue;
        if (before && before->server == entry->server)
            say_twice(entry, before, "the block listens twice on this socket", findings);
        else if (before && entry->server->stream && before->server->stream &&
                 version < STREAM_NAMES_SINCE)
            say_twice(entry, before,
                      "this version's stream has no name-based servers, and one block for a socket",
                      findings);
        else if (options && entry->listen->options)
            say_twice(entry, options, "options of this socket are set twice", findings);
        else if (first_default && entry->listen->default_server)
            say_twice(entry, first_default, "a second default_server on this socket", findings);
        if (entry->listen->default_server && !first_default)
            first_default = entry;
        if (entry->listen->options && !options)
            options = entry;
        before = entry;
    }
}

/* --- names --- */

struct name {
    const char *text;
    const struct entry *entry;
};

static int compare_names(const void *a, const void *b)
{
    const struct name *x = a, *y = b;
    int order = strcasecmp(x->text, y->text);

    return order ? order : x->entry->order < y->entry->order ? -1 : 1;
}

static void add_name(struct name **names, size_t *count, const char *text,
                     const struct entry *entry)
{
    if ((*count & (*count - 1)) == 0) /* doubles */
        *names = memory_grow(*names, *count ? 2 * *count : 1, sizeof **names);
    (*names)[(*count)++] = (struct name){text, entry};
}

/* A block without server_name has the name "". Regular expressions are tried in their order. */
static size_t gather_names(const struct entry *entries, size_t count, struct name **names)
{
    size_t filled = 0;

    *names = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct text_list *own = &entries[i].server->names;
        if (entries[i].listen->udp)
            continue;
        if (own->count == 0)
            add_name(names, &filled, "", &entries[i]);
        for (size_t j = 0; j < own->count; j++)
            if (own->items[j][0] != '~')
                add_name(names, &filled, own->items[j], &entries[i]);
    }
    if (filled > 0)
        qsort(*names, filled, sizeof **names, compare_names);
    return filled;
}

/* nginx warns of it, and starts. */
static void say_taken(const struct name *name, const struct name *before,
                      struct finding_list *findings)
{
    char place[BLOCK_PLACE], other[BLOCK_PLACE];

    finding_add(findings, FINDING_WARNING, "conflicting name", name->text[0] ? name->text : "\"\"",
                block_place(name->entry->server->directive, place),
                "give each server block of a socket names of its own",
                "the block in %s has the name on the same socket, and nginx ignores it here: "
                "clients that ask for it get that block",
                block_place(before->entry->server->directive, other));
}

static void look_at_names(const struct entry *entries, size_t count, struct finding_list *findings)
{
    struct name *names;
    size_t filled = gather_names(entries, count, &names), first = 0;

    for (size_t i = 1; i < filled; i++) {
        if (strcasecmp(names[i].text, names[first].text) != 0)
            first = i;
        else if (names[i].entry->server != names[first].entry->server)
            say_taken(&names[i], &names[first], findings);
    }
    free(names);
}

static bool is_tls(const struct entry *entries, size_t count)
{
    bool tls = false;

    for (size_t i = 0; i < count; i++)
        tls |= !entries[i].listen->udp &&
               (entries[i].listen->ssl || nginx_server_is_on(entries[i].server, NGINX_SSL));
    return tls;
}

/* --- the whole --- */

void sockets_check(const struct nginx_config *config, unsigned version,
                   struct finding_list *findings)
{
    struct entry *entries;
    size_t count = gather(config, &entries), start = 0;

    for (size_t i = 1; i <= count; i++) {
        if (i < count && strcmp(entries[i].listen->socket, entries[start].listen->socket) == 0)
            continue;
        look_at_socket(entries + start, i - start, version, findings);
        if (is_tls(entries + start, i - start))
            look_at_names(entries + start, i - start, findings);
        start = i;
    }
    free(entries);
}
