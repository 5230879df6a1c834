#include "common/base/file.h"

#include "common/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROWS(table) (sizeof(table) / sizeof(table)[0])

/* Every test works in a new folder, which is its current one: names are short. */
struct folder {
    char path[64];
    int before;
};

static int enter_folder(void **state)
{
    struct folder *folder = memory_new(1, sizeof *folder);
    strncpy(folder->path, "/tmp/suitemark-test-XXXXXX", sizeof folder->path - 1);
    folder->before = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *state = folder;
    return folder->before < 0 || mkdtemp(folder->path) == NULL || chdir(folder->path) != 0;
}

/* The names in the current folder, without "." and "..". */
static size_t count_entries(void)
{
    size_t count = 0;
    DIR *dir = opendir(".");
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    closedir(dir);
    return count;
}

static int leave_folder(void **state)
{
    struct folder *folder = *state;
    static const char *const names[] = {"file", "link", "other", "pipe", "sub/file"};
    for (size_t i = 0; i < ROWS(names); i++) {
        unlink(names[i]);
    }
    rmdir("sub");
    int failed = fchdir(folder->before) != 0 || rmdir(folder->path) != 0;
    close(folder->before);
    free(folder);
    return failed;
}

static void assert_content(const char *path, const char *expected)
{
    char *data = NULL;
    size_t length = 0;
    struct error err = {0};
    if (!file_read(path, 1 << 20, &data, &length, &err)) {
        fail_msg("%s", err.text);
    }
    assert_int_equal(length, strlen(expected));
    assert_string_equal(data, expected);
    free(data);
}

static void assert_written(const char *path, const char *text, enum file_existing existing)
{
    struct error err = {0};
    if (!file_write(path, text, strlen(text), 0600, existing, &err)) {
        fail_msg("%s", err.text);
    }
}

static void assert_refused(const char *path, const char *text, enum file_existing existing,
                           const char *reason)
{
    struct error err = {0};
    assert_false(file_write(path, text, strlen(text), 0600, existing, &err));
    if (strstr(err.text, reason) == NULL || strstr(err.text, path) == NULL) {
        fail_msg("%s: %s", path, err.text);
    }
}

static void reads_all_lengths(void **state)
{
    static const size_t lengths[] = {0, 1, 16382, 16383, 16384, 16385, 100000};
    (void)state;
    for (size_t i = 0; i < ROWS(lengths); i++) {
        size_t length = lengths[i], read_length = 1;
        char *data = memory_new(length, 1), *read_data = NULL;
        struct error err = {0};
        for (size_t k = 0; k < length; k++) {
            data[k] = (char)(k * 7 % 251); /* has NUL bytes */
        }
        assert_true(file_write("file", data, length, 0644, FILE_REPLACE, &err));
        assert_true(file_read("file", length, &read_data, &read_length, &err));
        assert_int_equal(read_length, length);
        assert_memory_equal(read_data, data, length);
        assert_int_equal(read_data[length], '\0');
        free(read_data);
        if (length > 0) {
            assert_false(file_read("file", length - 1, &read_data, &read_length, &err));
            assert_non_null(strstr(err.text, "longer than"));
        }
        free(data);
    }
}

static void refuses_to_read(void **state)
{
    static const struct {
        const char *path, *reason;
    } rows[] = {
        {"none", "No such file"},      {".", "Is a directory"},      {"", "No such file"},
        {"file/x", "Not a directory"}, {"/dev/zero", "longer than"},
    };
    (void)state;
    assert_written("file", "x", FILE_KEEP);
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct error err = {0};
        char *data = NULL;
        size_t length = 0;
        assert_false(file_read(rows[i].path, 100000, &data, &length, &err));
        assert_null(data);
        if (strstr(err.text, rows[i].reason) == NULL) {
            fail_msg("%s: %s", rows[i].path, err.text);
        }
    }
}

static void mode_is_exact_whatever_the_umask(void **state)
{
    static const mode_t modes[] = {0600, 0644, 0666, 0400};
    static const mode_t umasks[] = {0, 022, 077, 0777};
    (void)state;
    for (size_t i = 0; i < ROWS(modes); i++) {
        for (size_t k = 0; k < ROWS(umasks); k++) {
            struct error err = {0};
            struct stat status;
            mode_t before = umask(umasks[k]);
            bool done = file_write("file", "x", 1, modes[i], FILE_REPLACE, &err);
            umask(before);
            assert_true(done);
            assert_int_equal(stat("file", &status), 0);
            assert_int_equal(status.st_mode & 07777, modes[i]);
        }
    }
}

static void keep_refuses_and_changes_nothing(void **state)
{
    (void)state;
    assert_written("file", "first", FILE_KEEP);
    assert_refused("file", "second", FILE_KEEP, "File exists");
    assert_content("file", "first");
    assert_int_equal(symlink("nowhere", "link"), 0);
    assert_refused("link", "second", FILE_KEEP, "File exists");
    assert_int_equal(count_entries(), 2); /* no temporary file is left */
}

static void replace_replaces_whole(void **state)
{
    (void)state;
    assert_written("file", "a long first text", FILE_REPLACE);
    assert_written("file", "second", FILE_REPLACE);
    assert_content("file", "second");
    assert_int_equal(count_entries(), 1);
}

/* A reader that has the old file open keeps seeing the old text: it was not written into. */
static void replace_leaves_open_readers_alone(void **state)
{
    (void)state;
    assert_written("file", "first", FILE_REPLACE);
    int reader = open("file", O_RDONLY | O_CLOEXEC);
    assert_true(reader >= 0);
    assert_written("file", "SECOND", FILE_REPLACE);
    char text[16] = "";
    assert_int_equal(read(reader, text, sizeof text - 1), 5);
    assert_string_equal(text, "first");
    close(reader);
}

static void symbolic_link_stays(void **state)
{
    (void)state;
    assert_int_equal(mkdir("sub", 0700), 0);
    assert_written("sub/file", "first", FILE_KEEP);
    assert_int_equal(symlink("sub/file", "link"), 0);
    assert_written("link", "second", FILE_REPLACE);
    struct stat status;
    assert_int_equal(lstat("link", &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_content("sub/file", "second");
}

static void failures_leave_nothing_behind(void **state)
{
    static const struct {
        const char *path, *reason;
    } rows[] = {
        {"none/file", "No such file"}, {"file/x", "Not a directory"}, {"sub", "Is a directory"},
        {"new/", "No such file"},      {"", "No such file"},
    };
    (void)state;
    assert_int_equal(mkdir("sub", 0700), 0);
    assert_written("file", "x", FILE_KEEP);
    for (size_t i = 0; i < ROWS(rows); i++) {
        assert_refused(rows[i].path, "y", FILE_KEEP, rows[i].reason);
        assert_refused(rows[i].path, "y", FILE_REPLACE, rows[i].reason);
    }
    assert_int_equal(count_entries(), 2);
}

/* A full disk in the middle of the text: a limit on the file's size does it too. In a child, since
 * the limit stays. */
static void half_written_file_is_removed(void **state)
{
    (void)state;
    assert_written("file", "first", FILE_KEEP);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        static char data[100000];
        struct error err = {0};
        struct rlimit limit = {10000, 10000};
        signal(SIGXFSZ, SIG_IGN);
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0) {
            _exit(2);
        }
        _exit(file_write("file", data, sizeof data, 0600, FILE_REPLACE, &err) ||
              strstr(err.text, "too large") == NULL);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_content("file", "first");
    assert_int_equal(count_entries(), 1);
}

static void device_is_written_directly(void **state)
{
    (void)state;
    struct stat status;
    assert_written("/dev/null", "x", FILE_KEEP);
    assert_written("/dev/null", "x", FILE_REPLACE);
    assert_int_equal(stat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
    assert_refused("/dev/full", "x", FILE_REPLACE, "No space left");
}

static void pipe_is_written_directly(void **state)
{
    (void)state;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    int reader = open("pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    assert_true(reader >= 0);
    assert_written("pipe", "text", FILE_KEEP);
    char text[16] = "";
    assert_int_equal(read(reader, text, sizeof text - 1), 4);
    assert_string_equal(text, "text");
    close(reader);
    struct stat status;
    assert_int_equal(stat("pipe", &status), 0);
    assert_true(S_ISFIFO(status.st_mode));
}

/* Standard output and input of a child: appended to, not replaced, and read to the end. */
static void standard_streams(void **state)
{
    static const char *const names[] = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
    (void)state;
    for (size_t i = 0; i < ROWS(names); i++) {
        assert_written("file", "first,", FILE_REPLACE);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            int out = open("file", O_WRONLY | O_APPEND | O_CLOEXEC);
            dup2(out, STDOUT_FILENO);
            _exit(!file_write(names[i], "second", 6, 0600, FILE_REPLACE, NULL));
        }
        int status = -1;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        assert_content("file", "first,second");
    }
    int before = dup(STDIN_FILENO), in = open("file", O_RDONLY | O_CLOEXEC);
    dup2(in, STDIN_FILENO);
    assert_content("-", "first,second");
    dup2(before, STDIN_FILENO);
    close(in);
    close(before);
}

static void broken_pipe_is_reported(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct error err = {0};
        signal(SIGPIPE, SIG_IGN);
        dup2(ends[1], STDOUT_FILENO);
        _exit(file_write("-", "x", 1, 0600, FILE_REPLACE, &err) ||
              strstr(err.text, "Broken pipe") == NULL);
    }
    close(ends[1]);
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

#define FOLDER_TEST(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(reads_all_lengths),
        FOLDER_TEST(refuses_to_read),
        FOLDER_TEST(mode_is_exact_whatever_the_umask),
        FOLDER_TEST(keep_refuses_and_changes_nothing),
        FOLDER_TEST(replace_replaces_whole),
        FOLDER_TEST(replace_leaves_open_readers_alone),
        FOLDER_TEST(symbolic_link_stays),
        FOLDER_TEST(failures_leave_nothing_behind),
        FOLDER_TEST(half_written_file_is_removed),
        FOLDER_TEST(device_is_written_directly),
        FOLDER_TEST(pipe_is_written_directly),
        FOLDER_TEST(standard_streams),
        FOLDER_TEST(broken_pipe_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
