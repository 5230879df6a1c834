#include "client/check/nginx_block.h"

#include "common/base/text.h"
#include "common/nginx/defaults.h"
#include "common/nginx/shared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void block_init(struct nginx_block *block, const struct nginx_config *config,
                const struct nginx_server *named, const struct nginx_server *start,
                unsigned version)
{
    bool has_context = nginx_server_has_certificate(named) || nginx_server_rejects(named) ||
                       nginx_server_is_on(named, NGINX_SSL);

    *block = (struct nginx_block){config, named, has_context ? named : start, start, version};
}

const char *block_place(const struct nginx_directive *directive, char text[static BLOCK_PLACE])
{
    text[0] = '\0';
    if (directive)
        snprintf(text, BLOCK_PLACE, "%s:%u", directive->file, directive->line);
    return text;
}

void block_say_missing(const struct nginx_block *block, const char *kind, const char *word,
                       const char *place, const char *remedy, const char *text,
                       struct finding_list *findings)
{
    if (block->config->partial)
        finding_add(findings, FINDING_WARNING, kind, word, place,
                    "check the whole configuration, or the output of nginx -T",
                    "unless what is missing stands in a file that was not read, nginx does not "
                    "start: %s",
                    text);
    else
        finding_add(findings, FINDING_ERROR, kind, word, place, remedy, "nginx does not start: %s",
                    text);
}

static void join_words(const struct nginx_directive *directive, size_t from, char *text,
                       size_t size)
{
    size_t length = 0;

    text[0] = '\0';
    for (size_t i = from; i < directive->words.count && length < size; i++)
        length += (size_t)snprintf(text + length, size - length, "%s%s", i > from ? " " : "",
                                   directive->words.items[i]);
}

/* Lines of ssl_protocols in one block add up, of each other setting the last one counts. */
static void join_values(const struct nginx_values *values, enum nginx_setting setting, char *text,
                        size_t size)
{
    size_t first = setting == NGINX_PROTOCOLS ? 0 : values->count - 1, length = 0;

    text[0] = '\0';
    for (size_t i = first; i < values->count && length + 1 < size; i++) {
        if (i > first)
            text[length++] = ' ';
        join_words(values->items[i], 1, text + length, size - length);
        length += strlen(text + length);
    }
}

void block_value_of(const struct nginx_block *block, const struct nginx_server *server,
                    enum nginx_setting setting, struct block_value *value)
{
    const struct nginx_values *values = &server->values[setting];

    value->directive = values->count ? values->items[values->count - 1] : NULL;
    block_place(value->directive, value->place);
    if (value->directive)
        join_values(values, setting, value->words, sizeof value->words);
    else
        snprintf(value->words, sizeof value->words, "%s", nginx_default(setting, block->version));
}

bool block_is_command(const struct nginx_directive *line, const char *name)
{
    return text_equal_nocase(nginx_directive_argument(line, 0), name);
}

static const struct nginx_directive *find_command(const struct nginx_server *server,
                                                  const char *name)
{
    const struct nginx_values *values = &server->values[NGINX_CONF_COMMAND];

    for (size_t i = values->count; i-- > 0;)
        if (block_is_command(values->items[i], name))
            return values->items[i];
    return NULL;
}

bool block_command(const struct nginx_block *block, const char *name, struct block_value *value)
{
    bool starts = nginx_shared_force_command(name) == NGINX_FORCE_DEFAULT;

    value->directive = find_command(starts ? block->start : block->own, name);
    block_place(value->directive, value->place);
    if (value->directive)
        join_words(value->directive, 2, value->words, sizeof value->words);
    return value->directive != NULL;
}

/* --- lines without effect --- */

/* A name for a sentence: "ssl_protocols", "ssl_conf_command Ciphersuites". */
static void say_idle(const struct nginx_block *block, const char *name,
                     const struct block_value *own, const struct block_value *start,
                     const char *extent, struct finding_list *findings)
{
    char server[BLOCK_PLACE], remedy[BLOCK_PLACE * 2];
    const struct nginx_directive *line = own->directive ? own->directive : block->own->directive;

    block_place(block->start->directive, server);
    snprintf(remedy, sizeof remedy,
             "set it in the default server (%s), or listen on a socket apart", server);
    finding_add(findings, own->directive ? FINDING_WARNING : FINDING_NOTE, "no effect", name,
                block_place(line, (char[BLOCK_PLACE]){0}), remedy,
                "%s \"%s\" has no effect%s: the handshake starts with the socket's default server, "
                "whose value is in force: \"%s\" (%s) [tried with " NGINX_SHARED_TRIED "]",
                name, own->words, extent, start->words,
                start->directive ? start->place : "nginx's default");
}

/* Whether each word of the one stands in the other. */
static bool is_within(const char *words, const char *others)
{
    struct text_list inner = {0}, outer = {0};
    bool within = true;

    text_list_add_split(&inner, words, " ");
    text_list_add_split(&outer, others, " ");
    for (size_t i = 0; i < inner.count; i++)
        within &= text_list_has(&outer, inner.items[i]);
    text_list_cleanup(&inner);
    text_list_cleanup(&outer);
    return within;
}

/* Versions have no order. */
static bool means_same(enum nginx_setting setting, const char *words, const char *others)
{
    return text_equal_nocase(words, others) ||
           (setting == NGINX_PROTOCOLS && is_within(words, others) && is_within(others, words));
}

static void compare_setting(const struct nginx_block *block, enum nginx_setting setting,
                            struct finding_list *findings)
{
    struct block_value own, start;
    enum nginx_force force = nginx_shared_force(setting);

    if (force == NGINX_FORCE_OWN)
        return;
    block_value_of(block, block->own, setting, &own);
    block_value_of(block, block->start, setting, &start);
    if (means_same(setting, own.words, start.words) ||
        (force == NGINX_FORCE_BOTH && text_equal_nocase(own.words, "off")))
        return;
    say_idle(block, nginx_setting_name(setting), &own, &start,
             force == NGINX_FORCE_UP_TO_12 ? " in TLS 1.3" : "", findings);
}

static void compare_command(const struct nginx_block *block,
                            const struct nginx_directive *directive, struct finding_list *findings)
{
    struct block_value own = {.directive = directive}, start = {.words = "not set"};
    const char *command = nginx_directive_argument(directive, 0);
    char name[128];

    if (nginx_shared_force_command(command) != NGINX_FORCE_DEFAULT)
        return;
    join_words(directive, 2, own.words, sizeof own.words);
    start.directive = find_command(block->start, command);
    block_place(start.directive, start.place);
    if (start.directive)
        join_words(start.directive, 2, start.words, sizeof start.words);
    snprintf(name, sizeof name, "ssl_conf_command %.90s", command);
    if (strcmp(own.words, start.words) != 0)
        say_idle(block, name, &own, &start, "", findings);
}

/* All that a block says which gets no context of its own. */
static void find_idle_block(const struct nginx_block *block, struct finding_list *findings)
{
    char start[BLOCK_PLACE], place[BLOCK_PLACE];

    block_place(block->start->directive, start);
    finding_add(findings, FINDING_NOTE, "no certificate", NULL,
                block_place(block->named->directive, place),
                "give it an ssl_certificate of its own",
                "the socket speaks TLS and the block has no certificate: its clients get all that "
                "the socket's default server (%s) gives",
                start);
    for (int i = 0; i < NGINX_SETTINGS; i++) {
        const struct nginx_values *values = &block->named->values[i];
        for (size_t j = 0; j < values->count && !values->inherited; j++)
            finding_add(findings, FINDING_WARNING, "no effect",
                        nginx_directive_name(values->items[j]),
                        block_place(values->items[j], place),
                        "give the block a certificate, or set it in the default server",
                        "it has no effect: the block has no certificate, and the default server's "
                        "settings (%s) are in force [tried with " NGINX_SHARED_TRIED "]",
                        start);
    }
}

void block_find_idle(const struct nginx_block *block, struct finding_list *findings)
{
    const struct nginx_values *commands = &block->own->values[NGINX_CONF_COMMAND];

    if (block->own != block->named && nginx_server_has_certificate(block->own))
        find_idle_block(block, findings);
    if (block->own == block->start)
        return;
    for (int i = 0; i < NGINX_SETTINGS; i++)
        compare_setting(block, (enum nginx_setting)i, findings);
    for (size_t i = 0; i < commands->count; i++)
        compare_command(block, commands->items[i], findings);
}
