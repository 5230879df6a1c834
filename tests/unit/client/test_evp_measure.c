/* A threaded test: two threads compute one cell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/evp/evp_measure.h"
#include "common/base/clock.h"
#include "common/base/memory.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* --- made-up primitives: one that works, and some that go wrong --- */

struct made_up {
    uint64_t left; /* operations until it fails */
    uint64_t work; /* steps of an operation */
};

static uint64_t run_until_failure(void *state, uint64_t count)
{
    struct made_up *made_up = state;
    uint64_t done = count < made_up->left ? count : made_up->left;

    for (volatile uint64_t i = 0; i < done * made_up->work; i++)
        continue;
    made_up->left -= done;
    if (done < count)
        ERR_raise(ERR_LIB_EVP, EVP_R_BAD_DECRYPT);
    return done;
}

static bool is_available(const struct primitive *row, struct error *err)
{
    (void)row;
    (void)err;
    return true;
}

static bool set_up(struct primitive_task *task, struct error *err)
{
    struct made_up *made_up = memory_new(1, sizeof *made_up);
    const char *detail = task->what.primitive->detail;

    task->state = made_up;
    task->run = run_until_failure;
    made_up->left = strcmp(detail, "fails later") == 0 ? 5000 : UINT64_MAX / 2;
    made_up->work = strcmp(detail, "slow") == 0 ? 20000000 : 10;
    if (strcmp(detail, "signal") == 0)
        assert_int_equal(raise(SIGINT), 0); /* blocked: it waits until it is asked for */
    if (strcmp(detail, "signal") == 0)
        return !task->keys->give_up(task->keys->context) || error_set(err, "given up");
    return strcmp(detail, "no set-up") != 0 || error_set(err, "no set-up");
}

static bool verify(struct primitive_task *task, struct error *err)
{
    primitive_note(task, "made up");
    return strcmp(task->what.primitive->detail, "wrong") != 0 ||
           error_set(err, "decryption does not give the text back");
}

static const struct primitive_class made_up_class = {
    .family = FAMILY_CIPHER,
    .operations = PRIMITIVE_BIT(OPERATION_ENCRYPT),
    .shapes = PRIMITIVE_BIT(SHAPE_MESSAGE),
    .usual = SHAPE_MESSAGE,
    .sized = true,
    .backend = "evp",
    .available = is_available,
    .set_up = set_up,
    .verify = verify,
    .release = free,
};

static const struct primitive made_up_rows[] = {
    {.name = "works", .class = &made_up_class, .fetched = "-", .detail = "works"},
    {.name = "wrong", .class = &made_up_class, .fetched = "-", .detail = "wrong"},
    {.name = "no-set-up", .class = &made_up_class, .fetched = "-", .detail = "no set-up"},
    {.name = "fails-later", .class = &made_up_class, .fetched = "-", .detail = "fails later"},
    {.name = "slow", .class = &made_up_class, .fetched = "-", .detail = "slow"},
    {.name = "signal", .class = &made_up_class, .fetched = "-", .detail = "signal"},
};

static struct evp_cell cells[] = {
    {.what = {&made_up_rows[0], OPERATION_ENCRYPT, SHAPE_MESSAGE, 16, 0}},
    {.what = {&made_up_rows[1], OPERATION_ENCRYPT, SHAPE_MESSAGE, 16, 0}},
    {.what = {&made_up_rows[2], OPERATION_ENCRYPT, SHAPE_MESSAGE, 16, 0}},
    {.what = {&made_up_rows[3], OPERATION_ENCRYPT, SHAPE_MESSAGE, 16, 0}},
    {.what = {&made_up_rows[0], OPERATION_ENCRYPT, SHAPE_MESSAGE, 64, 0}, .skipped = "no reason"},
};
#define CELLS (sizeof cells / sizeof cells[0])

static struct evp_plan plan_of(unsigned threads)
{
    return (struct evp_plan){.cells = cells,
                             .count = CELLS,
                             .precision = 0.05,
                             .max_time_ns = 30 * NS_PER_MS,
                             .seed = 7,
                             .rounds = 6,
                             .threads = threads};
}

static struct evp_result *measure(const struct evp_plan *plan, struct interrupt *interrupt)
{
    struct evp_result *results = memory_new(plan->count, sizeof *results);
    const struct evp_measure how = {.plan = plan, .interrupt = interrupt, .cycles = true};

    evp_measure_run(&how, results);
    return results;
}

static void expect_failed(const struct evp_result *result, const char *reason)
{
    assert_int_equal(result->status, EVP_FAILED);
    assert_int_equal(result->count, 0);
    if (!strstr(result->reason, reason))
        fail_msg("\"%s\" is not in: %s", reason, result->reason);
}

static void test_one_failure_is_no_number(void **state)
{
    struct interrupt interrupt;
    struct error err;
    const struct evp_plan plan = plan_of(1);

    (void)state;
    assert_true(interrupt_init(&interrupt, &err));
    struct evp_result *results = measure(&plan, &interrupt);
    assert_int_equal(results[0].status, EVP_MEASURED);
    assert_true(results[0].count >= 6 && results[0].ops.median > 0);
    assert_string_equal(results[0].verified, "made up");
    expect_failed(&results[1], "does not give the text back");
    expect_failed(&results[2], "no set-up");
    expect_failed(&results[3], "encrypt fails while it is timed: bad decrypt");
    assert_int_equal(results[4].status, EVP_SKIPPED);
    assert_string_equal(results[4].reason, "no reason");
    evp_results_free(results, CELLS);
    interrupt_cleanup(&interrupt);
}

static void test_interrupt_keeps_what_is_there(void **state)
{
    struct interrupt interrupt;
    struct error err;
    const struct evp_plan plan = plan_of(1);

    (void)state;
    assert_true(interrupt_init(&interrupt, &err));
    interrupt.count = 1;
    struct evp_result *results = measure(&plan, &interrupt);
    assert_int_equal(results[0].status, EVP_PARTIAL);
    assert_int_equal(results[4].status, EVP_SKIPPED);
    assert_non_null(strstr(results[0].reason, "interrupted after 0 rounds"));
    evp_results_free(results, CELLS);
    interrupt_cleanup(&interrupt);
}

/* A signal that comes while a key is made ends that: the cell is no failure, it was not begun. */
static void test_interrupt_ends_the_set_up(void **state)
{
    struct evp_cell two[] = {
        {.what = {&made_up_rows[5], OPERATION_ENCRYPT, SHAPE_MESSAGE, 16, 0}},
        {.what = {&made_up_rows[0], OPERATION_ENCRYPT, SHAPE_MESSAGE, 16, 0}},
    };
    struct evp_plan plan = plan_of(1);
    struct interrupt interrupt;
    struct error err;

    (void)state;
    plan.cells = two;
    plan.count = 2;
    assert_true(interrupt_init(&interrupt, &err));
    struct evp_result *results = measure(&plan, &interrupt);
    assert_int_equal(interrupt.count, 1);
    for (size_t i = 0; i < plan.count; i++) {
        assert_int_equal(results[i].status, EVP_PARTIAL);
        assert_string_equal(results[i].reason, "interrupted after 0 rounds");
    }
    evp_results_free(results, plan.count);
    interrupt_cleanup(&interrupt);
}

/* As a column: it takes the turns that it is told to, says how each went, and what was not finished
 * when it is stopped is partial. */
static void test_obeys(void **state)
{
    static const struct {
        const char *told, *answer;
        unsigned rounds; /* of the plan */
        enum evp_status status;
        size_t taken;
        const char *reason;
    } rows[] = {
#define TURN "turn works/message/encrypt/16\n"
        {TURN TURN "end\n", "ready\nmore\nmore\n", 6, EVP_MEASURED, 2,
         "--max-time ended it after 2 of 6 rounds, with another column's"},
        {TURN TURN "stop\n", "ready\nmore\nmore\n", 6, EVP_PARTIAL, 2,
         "interrupted after 2 rounds"},
        {TURN, "ready\nmore\n", 6, EVP_PARTIAL, 1, "interrupted after 1 rounds"},
        {"", "ready\n", 6, EVP_PARTIAL, 0, "interrupted after 0 rounds"},
        {"nonsense\n" TURN, "ready\n", 6, EVP_PARTIAL, 0, "interrupted after 0 rounds"},
        {TURN TURN "end\n", "ready\nover\nover\n", 1, EVP_MEASURED, 2, ""},
        {"turn wrong/message/encrypt/16\nturn nosuch\n" TURN "end\n", "ready\ngone\ngone\nmore\n",
         6, EVP_MEASURED, 1, "--max-time ended it after 1 of 6 rounds, with another column's"},
#undef TURN
    };
    struct interrupt interrupt;
    struct error err;

    (void)state;
    assert_true(interrupt_init(&interrupt, &err));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct evp_plan plan = plan_of(1);
        const struct evp_measure how = {.plan = &plan, .interrupt = &interrupt, .column_count = 1};
        struct evp_result *results = memory_new(CELLS, sizeof *results);
        char *answer = NULL;
        size_t length = 0;
        plan.rounds = rows[i].rounds;
        plan.max_time_ns = plan.rounds == 1 ? 1 : 10 * NS_PER_S;
        FILE *in = fmemopen((char *)(uintptr_t)rows[i].told, strlen(rows[i].told) + 1, "r");
        FILE *out = open_memstream(&answer, &length);
        evp_measure_obey(&how, in, out, results);
        assert_int_equal(fclose(in), 0);
        assert_int_equal(fclose(out), 0);
        assert_string_equal(answer, rows[i].answer);
        assert_int_equal(results[0].status, rows[i].status);
        assert_int_equal(results[0].count, rows[i].taken);
        assert_string_equal(results[0].reason, rows[i].reason);
        free(answer);
        evp_results_free(results, CELLS);
    }
    interrupt_cleanup(&interrupt);
}

/* One operation alone takes longer than --max-time: a single round of a single one, and a note. */
static void test_max_time_holds(void **state)
{
    static struct evp_cell slow = {
        .what = {&made_up_rows[4], OPERATION_ENCRYPT, SHAPE_MESSAGE, 16, 0}};
    struct interrupt interrupt;
    struct error err;

    (void)state;
    assert_true(interrupt_init(&interrupt, &err));
    for (unsigned threads = 1; threads <= 2; threads++) {
        struct evp_plan plan = plan_of(threads);
        plan.cells = &slow;
        plan.count = 1;
        plan.max_time_ns = NS_PER_MS;
        struct evp_result *results = measure(&plan, &interrupt);
        assert_int_equal(results[0].status, EVP_MEASURED);
        assert_int_equal(results[0].count, 1);
        assert_int_equal(results[0].rounds[0].count, threads);
        assert_true(results[0].ops.is_range);
        assert_non_null(strstr(results[0].reason, "--max-time ended it after 1 of 6 rounds (an "));
        assert_int_equal(strstr(results[0].reason, "at least this") != NULL, threads > 1);
        evp_results_free(results, 1);
    }
    interrupt_cleanup(&interrupt);
}

static void test_threads(void **state)
{
    struct interrupt interrupt;
    struct error err;
    const struct evp_plan plan = plan_of(2);

    (void)state;
    assert_true(interrupt_init(&interrupt, &err));
    struct evp_result *results = measure(&plan, &interrupt);
    assert_int_equal(results[0].status, EVP_MEASURED);
    assert_true(results[0].rounds[0].count > 0 && results[0].ops.median > 0);
    expect_failed(&results[3], "bad decrypt");
    evp_results_free(results, CELLS);
    interrupt_cleanup(&interrupt);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_failure_is_no_number),
        cmocka_unit_test(test_interrupt_keeps_what_is_there),
        cmocka_unit_test(test_interrupt_ends_the_set_up),
        cmocka_unit_test(test_obeys),
        cmocka_unit_test(test_max_time_holds),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
