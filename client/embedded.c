#include "client/embedded.h"

#include "common/base/clock.h"
#include "common/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PROGRAM     "suitemark-server"
#define READY_NS    (120 * NS_PER_S)
#define STOP_NS     (5 * NS_PER_S)
#define READY_START "ready 127.0.0.1:"

extern char **environ;

static bool find_program(char *path, size_t size, struct error *err)
{
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    if (length < 0)
        return error_set(err, "cannot find this program's own file: %s", strerror(errno));
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    size_t room = slash ? size - (size_t)(slash + 1 - path) : 0;
    if (room < sizeof PROGRAM)
        return error_set(err, "this program's path is too long");
    (void)snprintf(slash + 1, room, "%s", PROGRAM);
    if (access(path, X_OK) != 0)
        return error_set(
            err, "%s: %s; the embedded server must stand beside suitemark, or name a TARGET", path,
            strerror(errno));
    return true;
}

static char **make_argv(const char *path, const struct text_list *arguments)
{
    static const char *const fixed[] = {"--listen", "127.0.0.1:0", "--exit-with-stdin"};
    size_t count = 1 + sizeof fixed / sizeof fixed[0] + arguments->count;
    char **argv = memory_new(count + 1, sizeof *argv);
    size_t n = 0;
    argv[n++] = memory_copy_text(path);
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        argv[n++] = memory_copy_text(fixed[i]);
    for (size_t i = 0; i < arguments->count; i++)
        argv[n++] = memory_copy_text(arguments->items[i]);
    return argv;
}

static void free_argv(char **argv)
{
    for (size_t i = 0; argv[i]; i++)
        free(argv[i]);
    free(argv);
}

struct pipes {
    int in[2], out[2], log[2];
};

static void close_both(int fds[2])
{
    for (int i = 0; i < 2; i++) {
        if (fds[i] >= 0)
            close(fds[i]);
        fds[i] = -1;
    }
}

static bool make_pipes(struct pipes *pipes, struct error *err)
{
    *pipes = (struct pipes){{-1, -1}, {-1, -1}, {-1, -1}};
    if (pipe2(pipes->in, O_CLOEXEC) == 0 && pipe2(pipes->out, O_CLOEXEC) == 0 &&
        pipe2(pipes->log, O_CLOEXEC) == 0)
        return true;
    (void)error_set(err, "pipe: %s", strerror(errno));
    close_both(pipes->in);
    close_both(pipes->out);
    close_both(pipes->log);
    return false;
}

/* A process group of its own: the terminal's Ctrl-C is for the client, which still needs its server
 * for the drain. */
static int spawn(pid_t *pid, const char *path, char **argv, const struct pipes *pipes)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipes->in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, pipes->out[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, pipes->log[1], STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setsigmask(&attributes, &none);
    int error = posix_spawn(pid, path, &actions, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static bool launch(struct embedded *embedded, const struct text_list *arguments, struct error *err)
{
    char path[4096];
    struct pipes pipes;
    if (!find_program(path, sizeof path, err) || !make_pipes(&pipes, err))
        return false;
    char **argv = make_argv(path, arguments);
    int error = spawn(&embedded->pid, path, argv, &pipes);
    free_argv(argv);
    embedded->in = pipes.in[1];
    embedded->out = pipes.out[0];
    embedded->log = pipes.log[0];
    close(pipes.in[0]);
    close(pipes.out[1]);
    close(pipes.log[1]);
    if (error != 0) {
        embedded->pid = 0;
        return error_set(err, "cannot start %s: %s", path, strerror(error));
    }
    (void)fcntl(embedded->out, F_SETFL, O_NONBLOCK);
    (void)fcntl(embedded->log, F_SETFL, O_NONBLOCK);
    return true;
}

/* Lines of a pipe as they come. */
struct line_reader {
    char text[512];
    size_t length;
    bool ended;
};

/* Gives the next whole line into `line`; false when there is none yet. */
static bool next_line(struct line_reader *reader, int fd, char *line, size_t size)
{
    ssize_t got = read(fd, reader->text + reader->length, sizeof reader->text - 1 - reader->length);
    if (got > 0)
        reader->length += (size_t)got;
    reader->ended = got == 0;
    char *newline = memchr(reader->text, '\n', reader->length);
    if (!newline && reader->length < sizeof reader->text - 1)
        return false;
    size_t used = newline ? (size_t)(newline - reader->text) : reader->length;
    (void)snprintf(line, size, "%.*s", (int)used, reader->text);
    used += newline ? 1 : 0;
    reader->length -= used;
    memmove(reader->text, reader->text + used, reader->length);
    return true;
}

static void drain_log(struct embedded *embedded, struct line_reader *log,
                      embedded_progress *progress, void *context)
{
    char line[sizeof embedded->last_line];
    while (next_line(log, embedded->log, line, sizeof line)) {
        (void)snprintf(embedded->last_line, sizeof embedded->last_line, "%s", line);
        if (progress)
            progress(context, line);
    }
}

static bool wait_ready(struct embedded *embedded, struct interrupt *interrupt,
                       embedded_progress *progress, void *context, struct error *err)
{
    struct line_reader out = {0}, log = {0};
    char line[256];
    uint64_t until = clock_now_ns() + READY_NS;
    while (interrupt->count == 0 && clock_now_ns() < until) {
        (void)interrupt_wait(interrupt, embedded->out, clock_now_ns() + 100 * NS_PER_MS);
        drain_log(embedded, &log, progress, context);
        if (next_line(&out, embedded->out, line, sizeof line)) {
            size_t start = strlen(READY_START);
            unsigned long port =
                strncmp(line, READY_START, start) == 0 ? strtoul(line + start, NULL, 10) : 0;
            embedded->port = (uint16_t)port;
            if (port > 0 && port < 65536)
                return true;
            return error_set(err, "the embedded server printed \"%s\" instead of its address",
                             line);
        }
        if (!out.ended)
            continue;
        drain_log(embedded, &log, progress, context);
        return error_set(err, "the embedded server ended: %s",
                         embedded->last_line[0] ? embedded->last_line : "it gave no reason");
    }
    return error_set(err, interrupt->count ? "interrupted"
                                           : "the embedded server is not ready after 120 s");
}

bool embedded_start(struct embedded *embedded, const struct text_list *arguments,
                    struct interrupt *interrupt, embedded_progress *progress, void *context,
                    struct error *err)
{
    *embedded = (struct embedded){.in = -1, .out = -1, .log = -1};
    if (launch(embedded, arguments, err) && wait_ready(embedded, interrupt, progress, context, err))
        return true;
    /* One that still makes keys would look at its standard input only when it has them all. */
    if (embedded->pid > 0)
        (void)kill(embedded->pid, SIGTERM);
    embedded_stop(embedded);
    return false;
}

static bool has_ended(pid_t pid)
{
    return waitpid(pid, NULL, WNOHANG) == pid;
}

static void wait_end(pid_t pid)
{
    static const struct timespec pause = {0, 5 * 1000 * 1000};
    uint64_t until = clock_now_ns() + STOP_NS;
    while (!has_ended(pid)) {
        if (clock_now_ns() > until) {
            kill(pid, SIGKILL);
            (void)waitpid(pid, NULL, 0);
            return;
        }
        nanosleep(&pause, NULL);
    }
}

void embedded_stop(struct embedded *embedded)
{
    if (embedded->in >= 0)
        close(embedded->in);
    embedded->in = -1;
    if (embedded->pid > 0)
        wait_end(embedded->pid);
    embedded->pid = 0;
    if (embedded->out >= 0)
        close(embedded->out);
    if (embedded->log >= 0)
        close(embedded->log);
    embedded->out = embedded->log = -1;
}
