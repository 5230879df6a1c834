#include "client/check/nginx_zones.h"

#include "client/check/nginx_block.h"
#include "client/check/nginx_forms.h"
#include "client/check/nginx_lines.h"
#include "common/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ZONES_MAX 1000

/* Which lines declare a zone, and behind which start of a word its name stands: "keys_zone=A:1m";
 * NULL: the name is the first word, the size the second. A directive of several modules is of
 * another use in each. */
static const struct use {
    const char *directive, *start;
    bool tls;
} uses[] = {
    {"ssl_session_cache", "shared:", true},
    {"ssl_ocsp_cache", "shared:", true},
    {"limit_req_zone", "zone=", false},
    {"limit_conn_zone", "zone=", false},
    {"proxy_cache_path", "keys_zone=", false},
    {"fastcgi_cache_path", "keys_zone=", false},
    {"uwsgi_cache_path", "keys_zone=", false},
    {"scgi_cache_path", "keys_zone=", false},
    {"zone", NULL, false}, /* of an upstream block */
};

struct zone {
    const struct nginx_directive *line; /* the first one */
    const struct use *use;
    enum name_modules module;
    const char *name;
    size_t length;
    unsigned long long size; /* 0: not said */
};

static bool same_name(const struct zone *a, const struct zone *b)
{
    return a->length == b->length && memcmp(a->name, b->name, a->length) == 0;
}

static void say(const struct zone *zone, const struct zone *known, const char *what,
                struct finding_list *findings)
{
    char remedy[BLOCK_PLACE + 64], place[BLOCK_PLACE], word[128];

    snprintf(remedy, sizeof remedy, "give it a name of its own: the other is in %s",
             block_place(known->line, place));
    snprintf(word, sizeof word, "%.*s", (int)(zone->length < 100 ? zone->length : 100), zone->name);
    lines_refuse(zone->line, word, remedy, what, findings);
}

static void add(struct zones *zones, const struct zone *zone, struct finding_list *findings)
{
    for (size_t i = 0; i < zones->count; i++) {
        const struct zone *known = &zones->items[i];
        if (!same_name(known, zone))
            continue;
        if (!known->use->tls && !zone->use->tls)
            return;
        if (known->use != zone->use || known->module != zone->module)
            say(zone, known, "the shared memory of this name has another use already", findings);
        else if (known->size > 0 && zone->size > 0 && known->size != zone->size)
            say(zone, known, "the shared cache already has another size", findings);
        return;
    }
    if (zones->count == ZONES_MAX)
        return;
    zones->items = memory_grow(zones->items, zones->count + 1, sizeof *zones->items);
    zones->items[zones->count++] = *zone;
}

/* False: the word declares none. */
static bool read_word(const struct use *use, const char *word, struct zone *zone)
{
    size_t start = strlen(use->start);

    if (strncmp(word, use->start, start) != 0)
        return false;
    zone->name = word + start;
    zone->length = strcspn(zone->name, ":");
    zone->size = zone->name[zone->length] == ':' ? form_size(zone->name + zone->length + 1) : 0;
    return zone->length > 0;
}

static void read_line(struct zones *zones, struct zone *zone, struct finding_list *findings)
{
    const struct nginx_directive *line = zone->line;

    if (!zone->use->start) {
        zone->name = nginx_directive_argument(line, 0);
        zone->length = strlen(zone->name);
        zone->size = form_size(nginx_directive_argument(line, 1));
        add(zones, zone, findings);
        return;
    }
    for (size_t i = 1; i < line->words.count; i++)
        if (read_word(zone->use, line->words.items[i], zone))
            add(zones, zone, findings);
}

void zones_look_at(struct zones *zones, const struct nginx_directive *line,
                   enum name_modules module, struct finding_list *findings)
{
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++) {
        struct zone zone = {.line = line, .use = &uses[i], .module = module};
        if (!line->block && strcmp(uses[i].directive, nginx_directive_name(line)) == 0)
            read_line(zones, &zone, findings);
    }
}

void zones_cleanup(struct zones *zones)
{
    free(zones->items);
    *zones = (struct zones){.items = NULL};
}
