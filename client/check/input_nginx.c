#include "client/check/input.h"

#include "client/check/nginx_block.h"
#include "client/check/nginx_lines.h"
#include "common/base/memory.h"
#include "common/nginx/defaults.h"
#include "common/nginx/name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is assumed of nginx where none is installed and no version is said. */
#define ASSUMED_VERSION 1028000

static void name_block(const struct nginx_server *server, const char *socket, char *text,
                       size_t size)
{
    char place[BLOCK_PLACE];
    const char *name = server->names.count ? server->names.items[0] : "without a name";

    snprintf(text, size, "server %.100s (%.100s)", name[0] ? name : "\"\"",
             block_place(server->directive, place));
    if (socket) {
        size_t length = strlen(text);
        snprintf(text + length, size - length, " on %.60s", socket);
    }
}

static bool add_block(struct check_input *input, const struct nginx_block *block,
                      const char *socket, const struct input_nginx *wanted,
                      struct finding_list *findings, struct error *err)
{
    char name[320], place[BLOCK_PLACE];

    name_block(block->named, socket, name, sizeof name);
    struct check_subject *subject =
        input_add(input, name, block_place(block->named->directive, place));
    findings->subject = subject->name;
    block_find_idle(block, findings);
    block_read(block, subject, findings);
    bool ok = true;
    if (subject->certificates.count == 0 && !subject->certificates.keyless)
        ok = input_add_kinds(subject, wanted->kinds, err);
    findings->subject = NULL;
    return ok;
}

/* A block is judged once for each default server that its sockets have: mostly once. */
static bool add_server(struct check_input *input, const struct nginx_config *config,
                       const struct nginx_server *server, const struct input_nginx *wanted,
                       struct finding_list *findings, struct error *err)
{
    const struct nginx_server *seen[16];
    size_t count = 0;

    for (size_t i = 0; i < server->listen_count; i++) {
        const char *socket = server->listens[i].socket;
        struct nginx_block block;
        if (server->listens[i].udp || !nginx_socket_is_ssl(config, socket))
            continue;
        block_init(&block, config, server, nginx_socket_default(config, socket), wanted->version);
        bool known = count == sizeof seen / sizeof seen[0];
        for (size_t j = 0; j < count && !known; j++)
            known = seen[j] == block.start;
        if (known)
            continue;
        seen[count++] = block.start;
        if (!add_block(input, &block, count > 1 ? socket : NULL, wanted, findings, err))
            return false;
    }
    return true;
}

/* --- blocks that no client sees --- */

static bool sets_anything(const struct nginx_server *server)
{
    for (int i = 0; i < NGINX_SETTINGS; i++)
        if (server->values[i].count > 0 && !server->values[i].inherited)
            return true;
    return false;
}

static void add_aside(struct check_input *input, const struct nginx_config *config,
                      const struct nginx_server *server, unsigned version,
                      struct finding_list *findings)
{
    struct nginx_block block;
    char name[320], place[BLOCK_PLACE];

    name_block(server, NULL, name, sizeof name);
    struct check_subject *subject =
        input_add_aside(input, name, block_place(server->directive, place));
    block_init(&block, config, server, server, version);
    findings->subject = subject->name;
    findings->least = FINDING_ERROR;
    block_read(&block, subject, findings);
    findings->least = FINDING_NOTE;
    findings->subject = NULL;
}

/* nginx makes a context at its start for each block that has a certificate or turns clients away,
 * wherever it listens. Of those that only inherit, one is enough. */
static void add_asides(struct check_input *input, const struct nginx_config *config,
                       const bool *seen, unsigned version, struct finding_list *findings)
{
    bool inherits = false;

    for (size_t i = 0; i < config->count; i++) {
        const struct nginx_server *server = &config->servers[i];
        bool alone = sets_anything(server);
        if (seen[i] || (!alone && inherits) ||
            (!nginx_server_has_certificate(server) && !nginx_server_rejects(server)))
            continue;
        inherits |= !alone;
        add_aside(input, config, server, version, findings);
    }
}

static bool add_problems(const struct nginx_config *config, struct finding_list *findings)
{
    char place[BLOCK_PLACE];
    bool refused = false;

    for (size_t i = 0; i < config->tree.problem_count; i++) {
        const struct nginx_problem *problem = &config->tree.problems[i];
        snprintf(place, sizeof place, "%s:%u", problem->file, problem->line);
        finding_add(findings, FINDING_ERROR, "unreadable", NULL, place,
                    problem->rest_unread
                        ? "repair the line; what stands behind it in the file was not read"
                    : problem->syntax ? "repair the line; all else was read"
                                      : "run the check where the file is; all else was read",
                    "%s%s", problem->syntax ? "nginx does not start: " : "", problem->text);
        refused |= problem->syntax;
    }
    return refused;
}

/* What is asked of lines, before any block is looked at. False: nginx does not start. */
static bool check_lines(const struct nginx_config *config, unsigned version,
                        struct finding_list *findings)
{
    bool refused = add_problems(config, findings);
    size_t errors = findings->errors;

    lines_check(config, version, findings);
    listens_check(config, version, findings);
    sockets_check(config, version, findings);
    return !refused && findings->errors == errors;
}

static const char *path_name(const struct input_nginx *wanted)
{
    return strcmp(wanted->path, "-") == 0 ? "standard input" : wanted->path;
}

static void name_source(struct check_input *input, const struct input_nginx *wanted, bool known)
{
    snprintf(input->source, sizeof input->source, "%.150s, as nginx %u.%u.%u reads it%s",
             path_name(wanted), wanted->version / 1000000, wanted->version / 1000 % 1000,
             wanted->version % 1000, known ? "" : " (assumed: --nginx-version says another)");
}

/* The first error is the likely reason. */
static bool say_none(const struct nginx_config *config, const struct input_nginx *wanted,
                     const struct finding_list *findings, struct error *err)
{
    size_t rejecting = 0, first = 0;
    bool untried = false;

    for (size_t i = 0; i < config->count; i++) {
        const struct text_list *names = &config->servers[i].names;
        rejecting += nginx_server_rejects(&config->servers[i]);
        for (size_t j = 0; j < names->count; j++)
            untried |= nginx_name_is_untried(names->items[j]);
    }
    (void)error_set(err, "%s: no server block %s%s listens with ssl%s%s", path_name(wanted),
                    wanted->server_name ? "of the name " : "",
                    wanted->server_name ? wanted->server_name : "in it",
                    rejecting ? " and lets clients in (ssl_reject_handshake)" : "",
                    !wanted->server_name ? ""
                    : untried ? "; others get a socket's default server, and some regular "
                                "expressions of server_name cannot be tried here"
                              : "; others get a socket's default server");
    while (first < findings->count && findings->items[first].level < FINDING_ERROR)
        first++;
    if (first < findings->count)
        (void)error_prefix(err, "%s: %s", findings->items[first].place,
                           findings->items[first].text);
    return false;
}

static bool add_servers(struct check_input *input, const struct nginx_config *config,
                        const struct input_nginx *wanted, struct finding_list *findings,
                        struct error *err)
{
    bool *seen = memory_new(config->count + 1, sizeof *seen), ok = true;

    for (size_t i = 0; ok && i < config->count; i++) {
        const struct nginx_server *server = &config->servers[i];
        size_t before = input->count;
        if (nginx_server_rejects(server) ||
            (wanted->server_name && !nginx_server_has_name(server, wanted->server_name)))
            continue;
        ok = add_server(input, config, server, wanted, findings, err);
        seen[i] = input->count > before;
    }
    if (ok && input->count == 0)
        ok = say_none(config, wanted, findings, err);
    if (ok)
        add_asides(input, config, seen, wanted->version, findings);
    free(seen);
    return ok;
}

bool input_read_nginx(struct check_input *input, const struct input_nginx *given,
                      struct finding_list *findings, struct error *err)
{
    struct nginx_config config;
    struct input_nginx wanted = *given;

    if (wanted.version == 0)
        wanted.version = nginx_version_installed();
    bool known = wanted.version != 0;
    if (!known)
        wanted.version = ASSUMED_VERSION;
    name_source(input, &wanted, known);
    bool ok = nginx_config_read(&config, wanted.path, err);
    if (ok) {
        input->refused = !check_lines(&config, wanted.version, findings);
        ok = add_servers(input, &config, &wanted, findings, err);
    }
    nginx_config_cleanup(&config);
    return ok;
}
