#include "common/base/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#define ROWS(table) (sizeof(table) / sizeof(table)[0])
#define REFUSED     UINT64_C(0xbadbadbadbadbad) /* in place of a value */

struct row {
    const char *text;
    uint64_t value;
    const char *reason; /* part of the refusal; NULL: any that names the text */
};

static const struct row counts[] = {
    {"0", 0, NULL},
    {"15", 15, NULL},
    {"007", 7, NULL},
    {"20k", 20000, NULL},
    {"20K", 20000, NULL},
    {"1.5k", 1500, NULL},
    {"1.50000000000000000000k", 1500, NULL},
    {"2m", 2000000, NULL},
    {"3G", 3000000000, NULL},
    {"2.0", 2, NULL},
    {"18446744073709551615", UINT64_MAX, NULL},
    {"18446744073709551616", REFUSED, "too large"},
    {"99999999999999999999999", REFUSED, "too large"},
    {"18446744073709551615k", REFUSED, "too large"},
    {"18446744073.709551616g", REFUSED, "too large"},
    {"0.5", REFUSED, "whole number"},
    {"1.0005k", REFUSED, "whole number"},
    {"1e9", REFUSED, "1e9 is not a count such as"},
    {"-5", REFUSED, "-5 is not a count"},
    {"+5", REFUSED, NULL},
    {"0x10", REFUSED, NULL},
    {"", REFUSED, "\"\" is not a count"},
    {" 5", REFUSED, NULL},
    {"5 ", REFUSED, NULL},
    {"5 k", REFUSED, NULL},
    {"k", REFUSED, NULL},
    {".5k", REFUSED, NULL},
    {"5.", REFUSED, NULL},
    {"5.k", REFUSED, NULL},
    {"1.2.3", REFUSED, NULL},
    {"1,000", REFUSED, NULL},
    {"5s", REFUSED, NULL},
    {"5kk", REFUSED, NULL},
    {"abc", REFUSED, NULL},
    {"nan", REFUSED, NULL},
    {"5\n", REFUSED, "is not a count"},
};

static const struct row sizes[] = {
    {"0", 0, NULL},
    {"1000", 1000, NULL},
    {"1000b", 1000, NULL},
    {"64k", 65536, NULL},
    {"64K", 65536, NULL},
    {"1.5k", 1536, NULL},
    {"0.25k", 256, NULL},
    {"1m", 1048576, NULL},
    {"2g", UINT64_C(2147483648), NULL},
    {"17179869183g", UINT64_C(18446744072635809792), NULL},
    {"17179869184g", REFUSED, "too large"},
    {"0.3k", REFUSED, "whole number of bytes"},
    {"1.5", REFUSED, "whole number of bytes"},
    {"64kb", REFUSED, "64kb is not a size such as"},
    {"64KiB", REFUSED, NULL},
    {"1t", REFUSED, NULL},
    {"-1", REFUSED, NULL},
    {"1e3", REFUSED, NULL},
    {"", REFUSED, "\"\" is not a size"},
};

static const struct row durations[] = {
    {"0", 0, NULL},
    {"1", 1000000000, NULL},
    {"1.5", 1500000000, NULL},
    {"10s", UINT64_C(10000000000), NULL},
    {"500ms", 500000000, NULL},
    {"2m", UINT64_C(120000000000), NULL},
    {"1h", UINT64_C(3600000000000), NULL},
    {"10us", 10000, NULL},
    {"10µs", 10000, NULL},
    {"50ns", 50, NULL},
    {"0.5ms", 500000, NULL},
    {"0.000000001", 1, NULL},
    {"1.000000001s", 1000000001, NULL},
    {"0.0000000001", REFUSED, "whole number of nanoseconds"},
    {"0.5ns", REFUSED, "whole number of nanoseconds"},
    {"18446744073.709551615s", UINT64_MAX, NULL},
    {"18446744073.709551616s", REFUSED, "too large"},
    {"5124096h", REFUSED, "too large"},
    {"1e9", REFUSED, "1e9 is not a duration such as"},
    {"-5", REFUSED, NULL},
    {"abc", REFUSED, NULL},
    {"", REFUSED, NULL},
    {"s", REFUSED, NULL},
    {"10S", REFUSED, NULL},
    {"10MS", REFUSED, NULL},
    {"10 s", REFUSED, NULL},
    {"10sec", REFUSED, NULL},
    {"1m30s", REFUSED, NULL},
    {"inf", REFUSED, NULL},
};

static void check_rows(bool (*parse)(const char *, uint64_t *, struct error *),
                       const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct error err = {0};
        uint64_t value = REFUSED;
        bool read = parse(rows[i].text, &value, &err);
        if (read != (rows[i].value != REFUSED) || value != rows[i].value) {
            fail_msg("\"%s\": %d, %llu, %s", rows[i].text, read, (unsigned long long)value,
                     err.text);
        }
        if (!read && strstr(err.text, rows[i].reason ? rows[i].reason : rows[i].text) == NULL) {
            fail_msg("\"%s\": %s", rows[i].text, err.text);
        }
        if (!read) {
            assert_false(parse(rows[i].text, &value, NULL));
        }
    }
}

static void parses_counts(void **state)
{
    (void)state;
    check_rows(units_parse_count, counts, ROWS(counts));
}

static void parses_sizes(void **state)
{
    (void)state;
    check_rows(units_parse_size, sizes, ROWS(sizes));
}

static void parses_durations(void **state)
{
    (void)state;
    check_rows(units_parse_duration, durations, ROWS(durations));
}

static void formats_counts(void **state)
{
    static const struct {
        double value;
        const char *text;
    } rows[] = {
        {0, "0"},
        {3, "3"},
        {27, "27"},
        {0.52, "0.520"},
        {0.0012, "0.00120"},
        {1.5, "1.50"},
        {27.44, "27.4"},
        {203.4, "203"},
        {999.4, "999"},
        {999.6, "1 000"},
        {1000, "1 000"},
        {12345, "12 345"},
        {12345.6, "12 346"},
        {123456, "123 456"},
        {1234567, "1 234 567"},
        {-12345, "-12 345"},
        {-123, "-123"},
        {999999999999999, "999 999 999 999 999"},
        {1e15, "1e+15"},
        {1e300, "1e+300"},
        {NAN, "n/a"},
        {INFINITY, "n/a"},
    };
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        char text[UNITS_TEXT];
        assert_ptr_equal(units_format_count(text, rows[i].value), text);
        assert_string_equal(text, rows[i].text);
    }
}

static void formats_rates(void **state)
{
    static const struct {
        double value;
        const char *text;
    } rows[] = {
        {0, "0 B/s"},          {5, "5 B/s"},        {999, "999 B/s"},       {1000, "1 kB/s"},
        {1500, "1.50 kB/s"},   {830e6, "830 MB/s"}, {1.234e9, "1.23 GB/s"}, {12.34e9, "12.3 GB/s"},
        {2.5e12, "2.50 TB/s"}, {NAN, "n/a"},
    };
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        char text[UNITS_TEXT];
        assert_string_equal(units_format_bytes_rate(text, rows[i].value), rows[i].text);
    }
}

static void formats_durations(void **state)
{
    static const struct {
        uint64_t ns;
        const char *text;
    } rows[] = {
        {0, "0 ns"},
        {850, "850 ns"},
        {27000, "27 µs"},
        {27440, "27.4 µs"},
        {350000000, "350 ms"},
        {1500000000, "1.50 s"},
        {UINT64_C(80000000000), "80 s"},
        {UINT64_C(3600000000000), "3600 s"},
        {UINT64_MAX, "18446744074 s"},
    };
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        char text[UNITS_TEXT];
        assert_string_equal(units_format_duration(text, rows[i].ns), rows[i].text);
    }
}

static void sizes_are_read_back_exactly(void **state)
{
    static const struct {
        uint64_t bytes;
        const char *text;
    } rows[] = {
        {0, "0"},
        {1, "1"},
        {1000, "1000"},
        {1024, "1k"},
        {16384, "16k"},
        {1536, "1536"},
        {1 << 20, "1m"},
        {(1 << 20) + 1024, "1025k"},
        {UINT64_C(1) << 30, "1g"},
        {UINT64_C(1) << 50, "1048576g"},
        {UINT64_MAX, "18446744073709551615"},
    };
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        char text[UNITS_TEXT];
        uint64_t bytes = 1;
        assert_string_equal(units_format_size(text, rows[i].bytes), rows[i].text);
        assert_true(units_parse_size(text, &bytes, NULL));
        assert_int_equal(bytes, rows[i].bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parses_counts),
        cmocka_unit_test(parses_sizes),
        cmocka_unit_test(parses_durations),
        cmocka_unit_test(formats_counts),
        cmocka_unit_test(formats_rates),
        cmocka_unit_test(formats_durations),
        cmocka_unit_test(sizes_are_read_back_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
