#include "client/evp/evp_child.h"

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

/* In a process group of its own: the terminal's Ctrl-C comes through us, once. */
static int spawn(pid_t *pid, int out, char **argv, char **environment)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;

    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setsigmask(&attributes, &none);
    int error = posix_spawn(pid, "/proc/self/exe", &actions, &attributes, argv, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static bool start(const struct cpu_mask *mask, char **argv, int argc, uint64_t seed, pid_t *pid,
                  int *out, struct error *err)
{
    struct text_list arguments = arguments_of(mask, argv, argc, seed);
    struct text_list environment = environment_with(mask);
    char **argument_vector = vector_of(&arguments), **variables = vector_of(&environment);
    int fds[2] = {-1, -1};
    int error = pipe2(fds, O_CLOEXEC) == 0 ? spawn(pid, fds[1], argument_vector, variables) : errno;

    free(argument_vector);
    free(variables);
    text_list_cleanup(&arguments);
    text_list_cleanup(&environment);
    if (fds[1] >= 0)
        (void)close(fds[1]);
    *out = fds[0];
    if (error == 0)
        return true;
    if (fds[0] >= 0)
        (void)close(fds[0]);
    return error_set(err, "cannot start this program again: %s", strerror(error));
}

/* All that the child writes, until it ends. */
static void read_all(int fd, pid_t pid, struct interrupt *interrupt, struct text_buffer *text)
{
    int passed_on = interrupt->count;
    char piece[65536];

    for (;;) {
        bool readable = interrupt_wait(interrupt, fd, clock_now_ns() + NS_PER_S);
        if (interrupt->count > passed_on) {
            passed_on = interrupt->count;
            (void)kill(pid, SIGINT);
        }
        if (!readable)
            continue;
        ssize_t got = read(fd, piece, sizeof piece);
        if (got <= 0 || text->length > DOCUMENT_MAX)
            return;
        text_buffer_add_bytes(text, piece, (size_t)got);
    }
}

static json_t *document_of(const struct cpu_mask *mask, const struct text_buffer *text,
                           struct error *err)
{
    json_error_t error;
    json_t *document = json_loads(text_buffer_text(text), 0, &error);
    json_t *hosts = json_object_get(json_object_get(document, "environment"), "hosts");
    json_t *settings = json_object_get(json_array_get(hosts, 0), "cpu_settings");

    if (!document)
        (void)error_set(err, "the process without %s gave no result", mask->label);
    else if (cpu_mask_prove(mask, json_string_value(settings), err))
        return document;
    json_decref(document);
    return NULL;
}

json_t *evp_child_measure(const struct cpu_mask *mask, char **argv, int argc, uint64_t seed,
                          struct interrupt *interrupt, struct error *err)
{
    struct text_buffer text = {0};
    pid_t pid = -1;
    int out;

    if (!start(mask, argv, argc, seed, &pid, &out, err))
        return NULL;
    read_all(out, pid, interrupt, &text);
    (void)close(out);
    (void)waitpid(pid, NULL, 0);
    json_t *document = document_of(mask, &text, err);
    text_buffer_cleanup(&text);
    return document;
}
