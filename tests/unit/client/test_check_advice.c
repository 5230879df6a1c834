#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/check/advice.h"
#include "common/base/memory.h"
#include "common/base/text.h"

#include <stdlib.h>
#include <string.h>

#define ROUNDS 6
#define ROWS   4

/* What each suite costs the server in six rounds: a handshake `handshake` us and a byte `bulk` ns,
 * each give or take `spread` in a hundred. Advised order, suites apart by blanks. */
static const struct row {
    struct {
        const char *suite;
        double handshake, bulk;
        enum dead_reason reason;
    } suites[ROWS];
    double spread;
    const char *advised;
    bool reorders, removes;
} rows[] = {
    /* The dearer handshake goes behind. */
    {{{"ECDHE-RSA-AES128-GCM-SHA256", 500, 1, DEAD_NOT},
      {"ECDHE-ECDSA-AES128-GCM-SHA256", 200, 1, DEAD_NOT}},
     1,
     "ECDHE-ECDSA-AES128-GCM-SHA256 ECDHE-RSA-AES128-GCM-SHA256",
     true,
     false},
    /* Not where the intervals overlap. */
    {{{"ECDHE-RSA-AES128-GCM-SHA256", 210, 1, DEAD_NOT},
      {"ECDHE-ECDSA-AES128-GCM-SHA256", 200, 1, DEAD_NOT}},
     5,
     "ECDHE-RSA-AES128-GCM-SHA256 ECDHE-ECDSA-AES128-GCM-SHA256",
     false,
     false},
    /* Handshakes that cannot be told apart: the byte decides. */
    {{{"ECDHE-RSA-AES256-GCM-SHA384", 200, 2, DEAD_NOT},
      {"ECDHE-RSA-AES128-GCM-SHA256", 200, 1, DEAD_NOT}},
     2,
     "ECDHE-RSA-AES128-GCM-SHA256 ECDHE-RSA-AES256-GCM-SHA384",
     true,
     false},
    /* A cheaper byte does not outweigh a dearer handshake. */
    {{{"ECDHE-ECDSA-AES256-GCM-SHA384", 200, 2, DEAD_NOT},
      {"ECDHE-RSA-AES128-GCM-SHA256", 500, 1, DEAD_NOT}},
     2,
     "ECDHE-ECDSA-AES256-GCM-SHA384 ECDHE-RSA-AES128-GCM-SHA256",
     false,
     false},
    /* A suite without AEAD stays behind one with it, and goes behind it. */
    {{{"ECDHE-RSA-AES128-GCM-SHA256", 500, 1, DEAD_NOT},
      {"ECDHE-ECDSA-AES128-SHA256", 200, 1, DEAD_NOT}},
     1,
     "ECDHE-RSA-AES128-GCM-SHA256 ECDHE-ECDSA-AES128-SHA256",
     false,
     false},
    {{{"ECDHE-ECDSA-AES128-SHA256", 200, 1, DEAD_NOT},
      {"ECDHE-RSA-AES128-GCM-SHA256", 500, 1, DEAD_NOT}},
     1,
     "ECDHE-RSA-AES128-GCM-SHA256 ECDHE-ECDSA-AES128-SHA256",
     true,
     false},
    /* Weak suites go however cheap they are, dead ones too. */
    {{{"AES128-GCM-SHA256", 100, 1, DEAD_NOT},
      {"ECDHE-RSA-AES128-GCM-SHA256", 200, 1, DEAD_NOT},
      {"DHE-RSA-AES128-GCM-SHA256", 50, 1, DEAD_DH_MISSING}},
     1,
     "ECDHE-RSA-AES128-GCM-SHA256",
     false,
     true},
};

/* Costs are what the rounds say: CPU over count (handshakes), CPU over bytes (bulk). */
static void make_rounds(struct case_measurement *measurement, double cost, double spread, bool bulk)
{
    measurement->round_count = ROUNDS;
    for (size_t i = 0; i < ROUNDS; i++) {
        double factor = 1 + spread / 100 * ((double)i / (ROUNDS - 1) * 2 - 1);
        struct round *round = &measurement->rounds[i];
        *round = (struct round){.wall_ns = 1000000000,
                                .server_wall_ns = 1000000000,
                                .server_known = true,
                                .completed = 1000,
                                .confirmed = 1000,
                                .server_count = 1000,
                                .bytes = 1000000,
                                .server_bytes = 1000000,
                                .server_threads = 1};
        round->server_cpu_ns = (uint64_t)(cost * factor * (bulk ? 1e6 : 1e6));
    }
    measurement->attempted = measurement->completed = measurement->confirmed = 1000 * ROUNDS;
    measurement->server_counts_agree = true;
}

struct made_up {
    struct price price;
    struct check_rows rows;
    struct cipher_choice choices[ROWS];
};

static struct made_up *make_up(const struct row *row)
{
    struct made_up *made = memory_new(1, sizeof *made);

    made->rows.items = memory_new(ROWS, sizeof *made->rows.items);
    made->price.plan.cases = memory_new(2 * ROWS, sizeof *made->price.plan.cases);
    made->price.results = memory_new(2 * ROWS, sizeof *made->price.results);
    for (size_t i = 0; i < ROWS && row->suites[i].suite; i++) {
        struct check_row *item = &made->rows.items[made->rows.count++];
        made->choices[i].suite = suite_find(row->suites[i].suite);
        *item = (struct check_row){.choice = &made->choices[i],
                                   .reason = row->suites[i].reason,
                                   .handshake_case = 2 * i,
                                   .bulk_case = 2 * i + 1};
        for (size_t j = 2 * i; j <= 2 * i + 1; j++) {
            bool bulk = j > 2 * i;
            struct test_case *test_case = &made->price.plan.cases[j].test_case;
            test_case->measure = bulk ? MEASURE_BULK : MEASURE_HANDSHAKE;
            made->price.results[j].test_case = test_case;
            make_rounds(&made->price.results[j].measurement,
                        bulk ? row->suites[i].bulk : row->suites[i].handshake, row->spread, bulk);
            made->price.plan.count++;
        }
    }
    return made;
}

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct made_up *made = make_up(&rows[i]);
        struct text_buffer text = {0};
        struct advice advice;
        advice_make(&advice, &made->rows, &made->price, true, NULL, 0);
        for (size_t j = 0; j < advice.count; j++)
            text_buffer_add(&text, "%s%s", j ? " " : "", suite_name(advice.rows[j]->choice->suite));
        assert_string_equal(text_buffer_text(&text), rows[i].advised);
        assert_int_equal(advice.reorders, rows[i].reorders);
        assert_int_equal(advice.removes, rows[i].removes);
        text_buffer_cleanup(&text);
        advice_cleanup(&advice);
        rows_cleanup(&made->rows);
        price_cleanup(&made->price);
        free(made);
    }
}

/* Who had a handshake, and shares no suite with what is left. */
static void test_losers(void **state)
{
    struct made_up *made = make_up(&rows[sizeof rows / sizeof rows[0] - 1]);
    struct client_outcome clients[2] = {
        {.profile = &(struct client_profile){.name = "old",
                                             .suites_13 = "",
                                             .suites_12 = "AES128-GCM-SHA256"},
         .done = true},
        {.profile = &(struct client_profile){.name = "new",
                                             .suites_13 = "",
                                             .suites_12 = "AES128-GCM-SHA256:"
                                                          "ECDHE-RSA-AES128-GCM-SHA256"},
         .done = true},
    };
    struct advice advice;

    (void)state;
    advice_make(&advice, &made->rows, &made->price, true, clients, 2);
    assert_string_equal(advice.loses, "old");
    advice_cleanup(&advice);
    rows_cleanup(&made->rows);
    price_cleanup(&made->price);
    free(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_losers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
