#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/report/report.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define COLUMNS 60

/* A terminal of COLUMNS columns: what is written to `out` is read from `master`. */
struct terminal {
    int master;
    FILE *out;
};

static bool terminal_open(struct terminal *terminal)
{
    struct winsize size = {.ws_row = 24, .ws_col = COLUMNS};
    char name[64];
    int slave;

    terminal->master = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal->master < 0 || grantpt(terminal->master) != 0 || unlockpt(terminal->master) != 0 ||
        ptsname_r(terminal->master, name, sizeof name) != 0)
        return false;
    slave = open(name, O_RDWR | O_NOCTTY);
    if (slave < 0 || ioctl(slave, TIOCSWINSZ, &size) != 0)
        return false;
    terminal->out = fdopen(slave, "w");
    return terminal->out != NULL;
}

/* The terminal passes on what was written when it pleases: read until all has come, at most 10 s.
 */
static void terminal_expect(struct terminal *terminal, const char *expected)
{
    char text[1024];
    size_t length = 0;

    while (length < strlen(expected)) {
        struct pollfd ready = {.fd = terminal->master, .events = POLLIN};
        assert_int_equal(poll(&ready, 1, 10000), 1);
        ssize_t more = read(terminal->master, text + length, sizeof text - 1 - length);
        assert_true(more > 0);
        length += (size_t)more;
    }
    text[length] = '\0';
    assert_string_equal(text, expected);
}

static void terminal_close(struct terminal *terminal)
{
    fclose(terminal->out);
    close(terminal->master);
}

static struct progress progress_of(const struct test_case *test_case, double rate)
{
    return (struct progress){.test_case = test_case,
                             .round = 2,
                             .rounds = 6,
                             .slot = 30,
                             .slots = 150,
                             .rate = rate,
                             .left_ns = UINT64_C(41000000000)};
}

static void shows_and_clears(void **state)
{
    struct test_case handshake = {.id = "handshake/1.3/X", .measure = MEASURE_HANDSHAKE};
    struct test_case bulk = {.id = "bulk/1.3/Y", .measure = MEASURE_BULK};
    struct progress first = progress_of(&handshake, 2345.4), next = progress_of(&bulk, 0),
                    last = progress_of(&bulk, 1.29e9);
    struct progress_line line;
    struct terminal terminal;
    char text[1024];

    (void)state;
    if (!terminal_open(&terminal))
        skip();
    progress_line_init(&line, terminal.out);
    assert_true(line.terminal);
    progress_line_clear(&line); /* nothing stands there: nothing is written */
    progress_line_show(&line, &first);
    terminal_expect(&terminal, "\rround 2/6, 41 s left, last 2345/s  handshake/1.3/X");
    progress_line_show(&line, &next); /* shorter: the rest of the line before it is wiped out */
    terminal_expect(&terminal, "\rround 2/6, 41 s left, last 2345/s  bulk/1.3/Y     ");
    progress_line_show(&line, &last);
    terminal_expect(&terminal, "\rround 2/6, 41 s left, last 1.29 GB/s  bulk/1.3/Y");
    last.running = true;
    progress_line_show(&line, &last);
    terminal_expect(&terminal, "\rround 2/6, 41 s left, now 1.29 GB/s  bulk/1.3/Y ");
    progress_line_clear(&line);
    snprintf(text, sizeof text, "\r%*s\r",
             (int)strlen("round 2/6, 41 s left, now 1.29 GB/s  bulk/1.3/Y"), "");
    terminal_expect(&terminal, text);
    progress_line_text(&line, "µ");
    progress_line_clear(&line); /* one column, though two bytes */
    terminal_expect(&terminal, "\rµ\r \r");
    assert_int_equal(line.width, 0);
    terminal_close(&terminal);
}

static void never_wraps(void **state)
{
    struct progress_line line;
    struct terminal terminal;
    char text[1024], longer[200];

    (void)state;
    if (!terminal_open(&terminal))
        skip();
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    progress_line_init(&line, terminal.out);
    progress_line_text(&line, longer);
    snprintf(text, sizeof text, "\r%.*s", COLUMNS - 1, longer);
    terminal_expect(&terminal, text);
    terminal_close(&terminal);
}

static void silent_in_a_pipe(void **state)
{
    struct test_case test_case = {.id = "handshake/1.3/X", .measure = MEASURE_HANDSHAKE};
    struct progress progress = progress_of(&test_case, 1);
    struct progress_line line;
    char *text = NULL;
    size_t length = 0;
    FILE *streams[] = {tmpfile(), open_memstream(&text, &length)};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        assert_non_null(streams[i]);
        progress_line_init(&line, streams[i]);
        assert_false(line.terminal);
        progress_line_show(&line, &progress);
        progress_line_text(&line, "text");
        progress_line_clear(&line);
        assert_int_equal(ftell(streams[i]), 0);
        fclose(streams[i]);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows_and_clears),
        cmocka_unit_test(never_wraps),
        cmocka_unit_test(silent_in_a_pipe),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
