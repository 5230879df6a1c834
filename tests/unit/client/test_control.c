#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/control.h"

#include "common/base/clock.h"

#include <stdio.h>
#include <string.h>

static const char good[] =
    "{\"clock_ns\":1,\"cpu_ns\":2,\"user_ns\":3,\"system_ns\":4,\"steal_ns\":5,\"threads\":[6,7],"
    "\"connections\":{\"accepted\":8,\"open\":13},\"handshakes\":{\"finished\":9,\"resumed\":10},"
    "\"payload\":{"
    "\"in\":11,\"out\":12}}";

static bool read_text(const char *text, struct server_snapshot *snapshot, struct error *err)
{
    json_error_t json_error;
    json_t *stats = json_loads(text, 0, &json_error);
    assert_non_null(stats);
    bool ok = control_read_snapshot(stats, snapshot, err);
    json_decref(stats);
    return ok;
}

static void test_good(void **state)
{
    (void)state;
    struct server_snapshot snapshot;
    struct error err;
    assert_true(read_text(good, &snapshot, &err));
    assert_int_equal(snapshot.clock_ns, 1);
    assert_int_equal(snapshot.cpu_ns, 2);
    assert_int_equal(snapshot.user_ns, 3);
    assert_int_equal(snapshot.system_ns, 4);
    assert_int_equal(snapshot.steal_ns, 5);
    assert_int_equal(snapshot.threads, 2);
    assert_int_equal(snapshot.thread_cpu_ns[0], 6);
    assert_int_equal(snapshot.thread_cpu_ns[1], 7);
    assert_int_equal(snapshot.accepted, 8);
    assert_int_equal(snapshot.open, 13);
    assert_int_equal(snapshot.finished, 9);
    assert_int_equal(snapshot.resumed, 10);
    assert_int_equal(snapshot.payload_in, 11);
    assert_int_equal(snapshot.payload_out, 12);
}

/* Each number in turn is missing, negative or no number: the reason names it. */
static void test_each_number_is_needed(void **state)
{
    (void)state;
    static const char *const names[] = {"clock_ns", "cpu_ns",  "user_ns",  "system_ns",
                                        "steal_ns", "threads", "accepted", "open",
                                        "finished", "resumed", "in",       "out"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char text[sizeof good], quoted[32];
        struct server_snapshot snapshot;
        struct error err;
        (void)snprintf(quoted, sizeof quoted, "\"%s\"", names[i]);
        memcpy(text, good, sizeof good);
        char *at = strstr(text, quoted);
        assert_non_null(at);
        at[1] = '_';
        assert_false(read_text(text, &snapshot, &err));
        assert_non_null(strstr(err.text, names[i]));
    }
}

/* A third of the server's idle timeout, 20 s at most and where none is told. */
static void test_quiet(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t quiet_ms;
    } rows[] = {
        {"{}", 20000},
        {"{\"configuration\":{}}", 20000},
        {"{\"configuration\":{\"idle_timeout_ms\":-1}}", 20000},
        {"{\"configuration\":{\"idle_timeout_ms\":86400000}}", 20000},
        {"{\"configuration\":{\"idle_timeout_ms\":60000}}", 20000},
        {"{\"configuration\":{\"idle_timeout_ms\":3000}}", 1000},
        {"{\"configuration\":{\"idle_timeout_ms\":9223372036854775807}}", 20000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *stats = json_loads(rows[i].text, 0, NULL);
        assert_non_null(stats);
        assert_int_equal(control_quiet_ns(stats), rows[i].quiet_ms * NS_PER_MS);
        json_decref(stats);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),
        cmocka_unit_test(test_each_number_is_needed),
        cmocka_unit_test(test_quiet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
