#include "client/check/input.h"

#include "client/check/nginx_block.h"
#include "common/nginx/defaults.h"

#include <stdio.h>
#include <string.h>

/* What is assumed of nginx where none is installed and no version is said. */
#define ASSUMED_VERSION 1028000

/* A block that only turns clients away has nothing to check. */
static bool rejects(const struct nginx_server *server)
{
    for (const struct nginx_directive *child = server->directive->children; child;
         child = child->next)
        if (strcmp(nginx_directive_name(child), "ssl_reject_handshake") == 0)
            return strcmp(nginx_directive_argument(child, 0), "on") == 0;
    return false;
}

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

    name_block(block->own, socket, name, sizeof name);
    struct check_subject *subject =
        input_add(input, name, block_place(block->own->directive, place));
    findings->subject = subject->name;
    block_find_idle(block, findings);
    block_read(block, subject, findings);
    bool ok = true;
    if (subject->certificates.count == 0)
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
        struct nginx_block block = {config, server, nginx_socket_default(config, socket),
                                    wanted->version};
        bool known = count == sizeof seen / sizeof seen[0];
        for (size_t j = 0; j < count && !known; j++)
            known = seen[j] == block.start;
        if (known || server->listens[i].udp || !nginx_socket_is_ssl(config, socket))
            continue;
        seen[count++] = block.start;
        if (!add_block(input, &block, count > 1 ? socket : NULL, wanted, findings, err))
            return false;
    }
    return true;
}

static void add_problems(const struct nginx_config *config, struct finding_list *findings)
{
    char place[BLOCK_PLACE];

    for (size_t i = 0; i < config->tree.problem_count; i++) {
        const struct nginx_problem *problem = &config->tree.problems[i];
        snprintf(place, sizeof place, "%s:%u", problem->file, problem->line);
        finding_add(findings, FINDING_ERROR, "unreadable", NULL, place,
                    problem->rest_unread
                        ? "repair the line; what stands behind it in the file was not read"
                        : "repair the line; all else was read",
                    "%s", problem->text);
    }
}

static void name_source(struct check_input *input, const struct input_nginx *wanted, bool known)
{
    snprintf(input->source, sizeof input->source, "%.150s, as nginx %u.%u.%u reads it%s",
             strcmp(wanted->path, "-") == 0 ? "standard input" : wanted->path,
             wanted->version / 1000000, wanted->version / 1000 % 1000, wanted->version % 1000,
             known ? "" : " (assumed: --nginx-version says another)");
}

/* The line that could not be read is the likely reason. */
static bool say_none(const struct nginx_config *config, const struct input_nginx *wanted,
                     struct error *err)
{
    const struct nginx_problem *problem = config->tree.problems;

    (void)error_set(err, "%s: no server block %s%s listens with ssl", wanted->path,
                    wanted->server_name ? "of the name " : "",
                    wanted->server_name ? wanted->server_name : "in it");
    if (config->tree.problem_count > 0)
        (void)error_prefix(err, "%s:%u: %s", problem->file, problem->line, problem->text);
    return false;
}

bool input_read_nginx(struct check_input *input, const struct input_nginx *given,
                      struct finding_list *findings, struct error *err)
{
    struct nginx_config config;
    struct input_nginx wanted = *given;
    bool ok = true;

    if (wanted.version == 0)
        wanted.version = nginx_version_installed();
    bool known = wanted.version != 0;
    if (!known)
        wanted.version = ASSUMED_VERSION;
    name_source(input, &wanted, known);
    if (!nginx_config_read(&config, wanted.path, err)) {
        nginx_config_cleanup(&config);
        return false;
    }
    add_problems(&config, findings);
    for (size_t i = 0; ok && i < config.count; i++) {
        const struct nginx_server *server = &config.servers[i];
        if (rejects(server) ||
            (wanted.server_name && !nginx_server_has_name(server, wanted.server_name)))
            continue;
        ok = add_server(input, &config, server, &wanted, findings, err);
    }
    if (ok && input->count == 0)
        ok = say_none(&config, &wanted, err);
    nginx_config_cleanup(&config);
    return ok;
}
