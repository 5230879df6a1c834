#include "common/tls/failure.h"

#include "common/tls/alert.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static const struct {
    enum failure_class class;
    const char *detail, *text;
} texts[] = {
    {FAILURE_RESOLVE, "no such host", "resolve: no such host"},
    {FAILURE_CONNECT_REFUSED, NULL, "connect refused"},
    {FAILURE_CONNECT_TIMEOUT, "", "connect timeout"},
    {FAILURE_CONNECT, "Network is unreachable", "connect: Network is unreachable"},
    {FAILURE_HANDSHAKE_TIMEOUT, NULL, "handshake timeout"},
    {FAILURE_ALERT, "handshake failure", "alert handshake failure"},
    {FAILURE_NOT_TLS, NULL, "peer does not speak TLS"},
    {FAILURE_CERTIFICATE, "self-signed certificate in certificate chain",
     "certificate verify: self-signed certificate in certificate chain"},
    {FAILURE_HANDSHAKE, "no shared cipher", "TLS error: no shared cipher"},
    {FAILURE_CLOSED_EARLY, NULL, "closed early"},
    {FAILURE_RESET, NULL, "reset"},
    {FAILURE_REJECTED, NULL, "rejected"},
    {FAILURE_UNCONFIRMED, NULL, "unconfirmed"},
    {FAILURE_DRIFT, "session resumed", "drift: session resumed"},
    {FAILURE_HTTP, "status 404", "http: status 404"},
    {FAILURE_LOCAL, "Too many open files", "local limit: Too many open files"},
};

static void texts_begin_with_the_class(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct failure failure;
        failure_set(&failure, texts[i].class, texts[i].detail);
        assert_int_equal(failure.class, texts[i].class);
        assert_string_equal(failure.text, texts[i].text);
    }
}

static void every_class_has_a_name(void **state)
{
    (void)state;
    assert_string_equal(failure_class_name(FAILURE_NONE), "");
    for (int class = FAILURE_NONE + 1; class < FAILURE_CLASS_COUNT; class ++)
        assert_true(strlen(failure_class_name((enum failure_class) class)) > 3);
    assert_string_equal(failure_class_name(FAILURE_CLASS_COUNT), "");
}

static void a_long_text_is_cut(void **state)
{
    (void)state;
    char detail[3 * FAILURE_TEXT];
    memset(detail, 'x', sizeof(detail) - 1);
    detail[sizeof(detail) - 1] = '\0';
    struct failure failure;
    failure_set(&failure, FAILURE_HTTP, detail);
    assert_int_equal(strlen(failure.text), FAILURE_TEXT - 1);
}

static void another_class_keeps_the_words(void **state)
{
    (void)state;
    struct failure failure;
    failure_set(&failure, FAILURE_ALERT, "certificate required");
    failure_reclass(&failure, FAILURE_REJECTED);
    assert_int_equal(failure.class, FAILURE_REJECTED);
    assert_string_equal(failure.text, "rejected: alert certificate required");
    failure_set(&failure, FAILURE_RESET, NULL);
    failure_reclass(&failure, FAILURE_REJECTED);
    assert_string_equal(failure.text, "rejected: reset");
}

static void add(struct failure_table *table, enum failure_class class, const char *detail,
                uint64_t count)
{
    struct failure failure;
    failure_set(&failure, class, detail);
    failure_table_add(table, &failure, count);
}

static void equal_texts_are_one_row(void **state)
{
    (void)state;
    struct failure_table table = {0};
    assert_null(failure_table_worst(&table));
    assert_int_equal(failure_table_total(&table), 0);
    add(&table, FAILURE_ALERT, "bad record mac", 2);
    add(&table, FAILURE_RESET, NULL, 5);
    add(&table, FAILURE_ALERT, "bad record mac", 1);
    assert_int_equal(table.count, 2);
    assert_int_equal(failure_table_total(&table), 8);
    assert_string_equal(failure_table_worst(&table)->failure.text, "reset");
    assert_int_equal(table.rows[0].count, 3);
}

/* However many texts there are, no count is lost, and what has no row of its own is told by class
 * as long as there is room for one. */
static void a_full_table_counts_by_class(void **state)
{
    (void)state;
    struct failure_table table = {0};
    for (int i = 0; i < 100; i++) {
        char detail[24];
        (void)snprintf(detail, sizeof(detail), "status %d", i);
        add(&table, FAILURE_HTTP, detail, 1);
    }
    assert_int_equal(table.count, FAILURE_ROWS - FAILURE_ROWS_BARE + 1);
    assert_string_equal(failure_table_worst(&table)->failure.text, "http");
    assert_int_equal(failure_table_worst(&table)->count, 100 - (FAILURE_ROWS - FAILURE_ROWS_BARE));
    for (int class = FAILURE_NONE + 1; class < FAILURE_CLASS_COUNT; class ++)
        add(&table, (enum failure_class) class, "again", 10);
    assert_int_equal(table.count, FAILURE_ROWS);
    assert_int_equal(failure_table_total(&table), 100 + 10 * (FAILURE_CLASS_COUNT - 1));
}

static void merging_adds_row_by_row(void **state)
{
    (void)state;
    struct failure_table a = {0}, b = {0};
    add(&a, FAILURE_RESET, NULL, 1);
    add(&b, FAILURE_RESET, NULL, 2);
    add(&b, FAILURE_CLOSED_EARLY, NULL, 4);
    failure_table_merge(&a, &b);
    assert_int_equal(a.count, 2);
    assert_int_equal(a.rows[0].count, 3);
    assert_int_equal(failure_table_total(&a), 7);
    assert_int_equal(failure_table_total(&b), 6);
}

static void alerts_have_the_names_of_the_rfc(void **state)
{
    (void)state;
    assert_string_equal(alert_name(0), "close notify");
    assert_string_equal(alert_name(40), "handshake failure");
    assert_string_equal(alert_name(70), "protocol version");
    assert_string_equal(alert_name(116), "certificate required");
    assert_null(alert_name(255));
    assert_null(alert_name(-1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_begin_with_the_class),
        cmocka_unit_test(every_class_has_a_name),
        cmocka_unit_test(a_long_text_is_cut),
        cmocka_unit_test(another_class_keeps_the_words),
        cmocka_unit_test(equal_texts_are_one_row),
        cmocka_unit_test(a_full_table_counts_by_class),
        cmocka_unit_test(merging_adds_row_by_row),
        cmocka_unit_test(alerts_have_the_names_of_the_rfc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
