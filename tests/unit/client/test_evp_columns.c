/* A threaded test: the other columns are threads that answer like their processes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/evp/evp_child.h"
#include "client/evp/evp_measure.h"
#include "common/base/clock.h"
#include "common/base/memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COLUMNS 3
#define LOG     256

/* Who was told to take a turn, one after the other: a turn is over before the next one begins. */
struct log {
    char who[LOG];
    atomic_size_t used;
};

struct peer {
    pthread_t thread;
    char name;
    const char *answer; /* to each but the last of its turns */
    unsigned turns;     /* after which its time is over */
    int told, answers;
    struct log *log;
};

static void *answer(void *context)
{
    struct peer *peer = context;
    FILE *in = fdopen(peer->told, "r");
    char line[128];

    for (unsigned turn = 1; in && fgets(line, sizeof line, in); turn++) {
        const char *word = turn < peer->turns ? peer->answer : "over";
        size_t place = atomic_fetch_add(&peer->log->used, 1);
        if (place < LOG - 1)
            peer->log->who[place] = peer->name;
        (void)dprintf(peer->answers, "%s\n", word);
    }
    if (in)
        (void)fclose(in);
    (void)close(peer->answers);
    return NULL;
}

static void begin(struct peer *peer, struct evp_child *child)
{
    int to[2], from[2];

    assert_int_equal(pipe(to), 0);
    assert_int_equal(pipe(from), 0);
    peer->told = to[0];
    peer->answers = from[1];
    *child = (struct evp_child){.pid = getpid(), .to = to[1], .from = from[0]};
    assert_int_equal(pthread_create(&peer->thread, NULL, answer, peer), 0);
}

static void end(struct peer *peer, struct evp_child *child)
{
    (void)close(child->to);
    assert_int_equal(pthread_join(peer->thread, NULL), 0);
    (void)close(child->from);
}

/* The first place goes round the columns that have a cell. Ours writes no log: it stands between
 * the third one and the first. */
static void test_first_place_goes_round(void **state)
{
    static const struct {
        const char *answers[COLUMNS], *log;
    } rows[] = {
        {{"more", "more", "more"}, "123 123 231 312 123 123 231"},
        {{"more", "gone", "more"}, "123 13 31 13 13 31 13"},
        {{"gone", "more", "more"}, "123 23 32 23 23 32 23"},
        {{"more", "gone", "gone"}, "123 1 1 1 1 1 1"},
    };
    unsigned bits;
    struct evp_cell cell = {.what = {.primitive = primitive_find("memory-copy", "evp", &bits),
                                     .operation = OPERATION_COPY,
                                     .shape = SHAPE_MESSAGE,
                                     .size = 64}};
    const struct evp_plan plan = {.cells = &cell,
                                  .count = 1,
                                  .precision = 0.05,
                                  .max_time_ns = 10 * NS_PER_S,
                                  .seed = 7,
                                  .rounds = 6,
                                  .threads = 1};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct evp_result *results = memory_new(1, sizeof *results);
        struct evp_child children[COLUMNS];
        struct peer peers[COLUMNS];
        struct interrupt interrupt;
        struct log log = {0};
        struct error err;
        char who[LOG] = "";
        assert_true(interrupt_init(&interrupt, &err));
        for (size_t k = 0; k < COLUMNS; k++) {
            peers[k] = (struct peer){
                .name = (char)('1' + k), .answer = rows[i].answers[k], .turns = 7, .log = &log};
            begin(&peers[k], &children[k]);
        }
        const struct evp_measure how = {
            .plan = &plan, .interrupt = &interrupt, .columns = children, .column_count = COLUMNS};
        evp_measure_run(&how, results);
        for (size_t k = 0; k < COLUMNS; k++)
            end(&peers[k], &children[k]);
        for (const char *at = rows[i].log; *at != '\0'; at++)
            if (*at != ' ')
                who[strlen(who)] = *at;
        assert_string_equal(log.who, who);
        assert_int_equal(results[0].count, 7);
        evp_results_free(results, 1);
        interrupt_cleanup(&interrupt);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_place_goes_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
