#include "client/check/nginx_block.h"
#include "client/check/nginx_lines.h"
#include "common/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sockets of all http server blocks, sorted by their names, so that thousands stay fast. */
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
static void look_at_socket(const struct entry *entries, size_t count, struct finding_list *findings)
{
    const struct entry *before = NULL, *first_default = NULL, *options = NULL;

    for (size_t i = 0; i < count; i++) {
        const struct entry *entry = &entries[i];
        if (entry->listen->udp)
            continue;
        if (before && before->server == entry->server)
            say_twice(entry, before, "the block listens twice on this socket", findings);
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

static void find_twice(const struct nginx_config *config, struct finding_list *findings)
{
    struct entry *entries;
    size_t count = gather(config, &entries), start = 0;

    for (size_t i = 1; i <= count; i++) {
        if (i < count && strcmp(entries[i].listen->socket, entries[start].listen->socket) == 0)
            continue;
        look_at_socket(entries + start, i - start, findings);
        start = i;
    }
    free(entries);
}

/* --- parameters --- */

/* Of all versions, and of the stream module too. Those that end with "=" have a value. */
static const char *const parameters[] = {
    "default_server", "default",       "ssl",      "http2",     "spdy",    "quic",
    "proxy_protocol", "deferred",      "bind",     "reuseport", "udp",     "multipath",
    "setfib=",        "fastopen=",     "backlog=", "rcvbuf=",   "sndbuf=", "ipv6only=",
    "accept_filter=", "so_keepalive=",
};
#define PARAMETERS (sizeof parameters / sizeof parameters[0])

static const char *next_parameter(size_t index, const void *context)
{
    (void)context;
    return index < PARAMETERS ? parameters[index] : NULL;
}

static bool is_parameter(const char *word)
{
    for (size_t i = 0; i < PARAMETERS; i++) {
        size_t length = strlen(parameters[i]);
        bool has_value = parameters[i][length - 1] == '=';
        if (has_value ? strncmp(parameters[i], word, length) == 0
                      : strcmp(parameters[i], word) == 0)
            return true;
    }
    return false;
}

static void look_at_parameters(const struct nginx_directive *line, struct finding_list *findings)
{
    for (size_t i = 2; i < line->words.count; i++) {
        const char *word = line->words.items[i];
        const char *nearest = text_nearest(word, next_parameter, NULL);
        char remedy[64] = "remove it";
        if (is_parameter(word))
            continue;
        if (nearest)
            snprintf(remedy, sizeof remedy, "did you mean %s?", nearest);
        lines_refuse(line, word, remedy, "a listen line has no such parameter", findings);
    }
}

void listens_check(const struct nginx_config *config, struct finding_list *findings)
{
    for (size_t i = 0; i < config->count; i++)
        for (size_t j = 0; j < config->servers[i].listen_count; j++)
            look_at_parameters(config->servers[i].listens[j].directive, findings);
    find_twice(config, findings);
}
