#include "client/check/soft.h"

#include "common/base/clock.h"
#include "common/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIMIT_NS    (20 * NS_PER_S)
#define OUTPUT_MAX  (4U << 20)
#define WITHOUT_AES "without aes"

extern char **environ;

static pid_t start(int out, struct error *err)
{
    static const char *const words[] = {
        "suitemark",     "evp",    "aes-128-gcm", "chacha20-poly1305",
        "--sizes",       "16k",    "--direction", "encrypt",
        "--shapes",      "record", "--max-time",  "150ms",
        "--format",      "json",   "--seed",      "1",
        "--cpu-without", "aes",    NULL};
    char copies[sizeof words / sizeof words[0]][24];
    char *argv[sizeof words / sizeof words[0]] = {NULL};
    posix_spawn_file_actions_t actions;
    pid_t pid = 0;

    for (size_t i = 0; words[i]; i++) {
        (void)snprintf(copies[i], sizeof copies[i], "%s", words[i]);
        argv[i] = copies[i];
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1, 0);
    int error = posix_spawn(&pid, "/proc/self/exe", &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
        (void)error_set(err, "cannot start suitemark evp: %s", strerror(error));
    return error == 0 ? pid : 0;
}

/* What it prints, until it ends or the time is over. */
static bool read_all(int fd, struct text_buffer *text)
{
    uint64_t until = clock_now_ns() + LIMIT_NS;
    char part[16384];

    for (;;) {
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        uint64_t now = clock_now_ns();
        if (now >= until || text->length > OUTPUT_MAX)
            return false;
        if (poll(&wait, 1, (int)((until - now) / NS_PER_MS) + 1) <= 0)
            continue;
        ssize_t got = read(fd, part, sizeof part);
        if (got == 0)
            return true;
        if (got > 0)
            text_buffer_add_bytes(text, part, (size_t)got);
        else if (errno != EINTR)
            return false;
    }
}

static double rate_of(const json_t *cases, const char *algorithm)
{
    const json_t *item;
    size_t index;

    json_array_foreach(cases, index, item)
    {
        const char *name = json_string_value(json_object_get(item, "algorithm"));
        const char *column = json_string_value(json_object_get(item, "column"));
        if (name && column && strcmp(name, algorithm) == 0 &&
            strncmp(column, WITHOUT_AES, strlen(WITHOUT_AES)) == 0)
            return json_number_value(json_object_get(json_object_get(item, "rate"), "median"));
    }
    return 0;
}

static bool read_speeds(const char *text, struct soft_speeds *speeds, struct error *err)
{
    json_t *document = json_loads(text, 0, NULL);
    const json_t *cases = json_object_get(document, "cases");

    speeds->aes = rate_of(cases, "aes-128-gcm");
    speeds->chacha = rate_of(cases, "chacha20-poly1305");
    json_decref(document);
    return (speeds->aes > 0 && speeds->chacha > 0) ||
           error_set(err, "suitemark evp gave no speeds without AES instructions");
}

bool soft_measure(struct soft_speeds *speeds, struct error *err)
{
    struct text_buffer text = {0};
    int fds[2];

    *speeds = (struct soft_speeds){0};
    if (pipe2(fds, O_CLOEXEC) != 0)
        return error_set(err, "pipe: %s", strerror(errno));
    pid_t pid = start(fds[1], err);
    close(fds[1]);
    bool ok = pid > 0;
    if (ok && !read_all(fds[0], &text)) {
        kill(pid, SIGKILL);
        ok = error_set(err, "suitemark evp did not end in time");
    }
    close(fds[0]);
    if (pid > 0)
        (void)waitpid(pid, NULL, 0);
    ok = ok && read_speeds(text_buffer_text(&text), speeds, err);
    text_buffer_cleanup(&text);
    return ok;
}
