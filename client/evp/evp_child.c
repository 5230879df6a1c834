#include "client/evp/evp_child.h"

#include "client/evp/evp_document.h"
#include "common/base/clock.h"
#include "common/base/memory.h"
#include "common/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define DOCUMENT_MAX ((size_t)256 << 20)

extern char **environ;

/* The same words, and behind them what makes the child a column. Words behind "--" are operands, so
 * ours go in front of it. */
static struct text_list arguments_of(const struct cpu_mask *mask, char **argv, int argc,
                                     uint64_t seed)
{
    struct text_list arguments = {0};
    int end = 1;
    char seed_text[24], label[CPU_MASK_LABEL + 16];

    (void)snprintf(label, sizeof label, "without %s", mask->label);
    (void)snprintf(seed_text, sizeof seed_text, "%" PRIu64, seed);
    while (end < argc && strcmp(argv[end], "--") != 0)
        end++;
    text_list_add(&arguments, "suitemark");
    text_list_add(&arguments, "evp");
    for (int i = 1; i < end; i++)
        text_list_add(&arguments, argv[i]);
    text_list_add(&arguments, "--column");
    text_list_add(&arguments, label);
    text_list_add(&arguments, "--format");
    text_list_add(&arguments, "json");
    text_list_add(&arguments, "--seed");
    text_list_add(&arguments, seed_text);
    for (int i = end; i < argc; i++)
        text_list_add(&arguments, argv[i]);
    return arguments;
}

static bool is_mask(const char *variable)
{
    size_t length = strlen(CPU_MASK_VARIABLE);

    return strncmp(variable, CPU_MASK_VARIABLE, length) == 0 && variable[length] == '=';
}

static struct text_list environment_with(const struct cpu_mask *mask)
{
    struct text_list list = {0};
    char *variable = memory_format("%s=%s", CPU_MASK_VARIABLE, mask->value);

    for (size_t i = 0; environ[i]; i++)
        if (!is_mask(environ[i]))
            text_list_add(&list, environ[i]);
    text_list_add(&list, variable);
    free(variable);
    return list;
}

/* The list as execve(2) wants it: the same texts, and NULL. */
static char **vector_of(const struct text_list *list)
{
    char **vector = memory_new(list->count + 1, sizeof *vector);

    memcpy(vector, list->items, list->count * sizeof *vector);
    return vector;
}

/* In a process group of its own: the terminal's Ctrl-C comes through us, once. The signals that we
 * take ourselves are blocked, and stay so in it: one that comes before it takes them waits there.
 */
static int spawn(pid_t *pid, int in, int out, char **argv, char **environment)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    int error = posix_spawn(pid, "/proc/self/exe", &actions, &attributes, argv, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static int spawn_with(struct evp_child *child, int in, int out, char **argv, int argc,
                      uint64_t seed)
{
    struct text_list arguments = arguments_of(&child->mask, argv, argc, seed);
    struct text_list environment = environment_with(&child->mask);
    char **argument_vector = vector_of(&arguments), **variables = vector_of(&environment);
    int error = spawn(&child->pid, in, out, argument_vector, variables);

    free(argument_vector);
    free(variables);
    text_list_cleanup(&arguments);
    text_list_cleanup(&environment);
    return error;
}

static void close_open(int fd)
{
    if (fd >= 0)
        (void)close(fd);
}

static bool start(struct evp_child *child, char **argv, int argc, uint64_t seed, struct error *err)
{
    int to[2] = {-1, -1}, from[2] = {-1, -1};
    int error = pipe2(to, O_CLOEXEC) == 0 && pipe2(from, O_CLOEXEC) == 0 ? 0 : errno;

    if (error == 0)
        error = spawn_with(child, to[0], from[1], argv, argc, seed);
    close_open(to[0]);
    close_open(from[1]);
    child->to = to[1];
    child->from = from[0];
    if (error == 0)
        return true;
    child->pid = 0;
    close_open(to[1]);
    close_open(from[0]);
    return error_set(err, "cannot start this program again: %s", strerror(error));
}

/* --- talking to it --- */

/* More of what it writes; false at its end. */
static bool read_more(struct evp_child *child, struct interrupt *interrupt,
                      struct text_buffer *text)
{
    char piece[65536];

    while (!interrupt_wait(interrupt, child->from, clock_now_ns() + NS_PER_S)) {
        if (interrupt->count > child->passed_on) {
            child->passed_on = 0;
            (void)kill(child->pid, SIGINT);
        }
    }
    ssize_t got = read(child->from, piece, sizeof piece);
    if (got <= 0)
        return false;
    text_buffer_add_bytes(text, piece, (size_t)got);
    return text->length < DOCUMENT_MAX;
}

/* Its answer of one line, without the line's end; nothing else comes before it is told more. */
static bool read_line(struct evp_child *child, struct interrupt *interrupt, char *line, size_t room)
{
    struct text_buffer text = {0};
    bool whole = false;

    while (!whole && read_more(child, interrupt, &text))
        whole = strchr(text.text, '\n') != NULL;
    (void)snprintf(line, room, "%.*s", (int)strcspn(text_buffer_text(&text), "\n"),
                   text_buffer_text(&text));
    text_buffer_cleanup(&text);
    return whole;
}

static bool tell(const struct evp_child *child, const char *word, const char *id)
{
    char line[EVP_ID + 16];
    int length = snprintf(line, sizeof line, "%s%s\n", word, id);

    return write(child->to, line, (size_t)length) == length;
}

static void end(struct evp_child *child)
{
    (void)close(child->to);
    (void)close(child->from);
    if (waitpid(child->pid, &child->status, 0) != child->pid)
        child->status = 0;
    child->pid = 0;
}

bool evp_child_start(struct evp_child *child, char **argv, int argc, uint64_t seed,
                     struct interrupt *interrupt, struct error *err)
{
    char line[sizeof EVP_READY + 1];

    if (!start(child, argv, argc, seed, err))
        return false;
    child->passed_on = 0;
    if (read_line(child, interrupt, line, sizeof line) && strcmp(line, EVP_READY) == 0)
        return true;
    end(child);
    return error_set(err, "the process without %s did not start", child->mask.label);
}

enum evp_turn evp_child_turn(struct evp_child *child, const char *id, struct interrupt *interrupt)
{
    char line[16];

    if (child->pid == 0 || !tell(child, "turn ", id) ||
        !read_line(child, interrupt, line, sizeof line))
        return EVP_TURN_GONE;
    return evp_turn_read(line);
}

/* --- its result --- */

static json_t *document_of(const struct evp_child *child, const struct text_buffer *text,
                           struct error *err)
{
    const struct cpu_mask *mask = &child->mask;
    json_error_t error;
    json_t *document = json_loads(text_buffer_text(text), 0, &error);
    const json_t *settings = evp_document_cpu_settings(document);

    if (WIFSIGNALED(child->status))
        (void)error_set(err, "the process without %s was ended by signal %d", mask->label,
                        WTERMSIG(child->status));
    else if (!document)
        (void)error_set(err, "the process without %s gave no result", mask->label);
    else if (cpu_mask_prove(mask, json_string_value(settings), err))
        return document;
    json_decref(document);
    return NULL;
}

json_t *evp_child_finish(struct evp_child *child, bool whole, struct interrupt *interrupt,
                         struct error *err)
{
    struct text_buffer text = {0};

    if (tell(child, whole ? "end" : "stop", ""))
        while (read_more(child, interrupt, &text))
            continue;
    end(child);
    json_t *document = document_of(child, &text, err);
    text_buffer_cleanup(&text);
    return document;
}
