#include "common/base/units.h"

#include "common/base/clock.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The number of decimals that gives three significant digits; none where the value is whole. */
static int decimals_of(double value)
{
    double size = fabs(value);
    int decimals = size >= 100 || size == floor(size) ? 0 : size >= 10 ? 1 : 2;
    for (; size < 1 && size > 0 && decimals < 9; size *= 10) {
        decimals++;
    }
    return decimals;
}

/* 12345 becomes "12 345". */
static void group_digits(char text[static UNITS_TEXT])
{
    size_t length = strlen(text);
    size_t first = text[0] == '-' ? 1 : 0;
    for (size_t at = length; at > first + 3 && length + 1 < UNITS_TEXT; length++) {
        at -= 3;
        memmove(text + at + 1, text + at, length - at + 1);
        text[at] = ' ';
    }
}

char *units_format_count(char text[static UNITS_TEXT], double value)
{
    if (!isfinite(value)) {
        snprintf(text, UNITS_TEXT, "n/a");
    } else if (fabs(value) >= 1e15) {
        snprintf(text, UNITS_TEXT, "%.3g", value);
    } else if (fabs(value) >= 999.5) {
        snprintf(text, UNITS_TEXT, "%.0f", value);
        group_digits(text);
    } else {
        snprintf(text, UNITS_TEXT, "%.*f", decimals_of(value), value);
    }
    return text;
}

struct scale {
    double size;
    const char *name;
};

/* With the largest unit that the value reaches; the tables go from large to small. */
static char *format_scaled(char text[static UNITS_TEXT], double value, const struct scale *scale)
{
    if (!isfinite(value)) {
        snprintf(text, UNITS_TEXT, "n/a");
        return text;
    }
    while (scale->size > 1 && fabs(value) < scale->size) {
        scale++;
    }
    double scaled = value / scale->size;
    snprintf(text, UNITS_TEXT, "%.*f %s", decimals_of(scaled), scaled, scale->name);
    return text;
}

char *units_format_bytes_rate(char text[static UNITS_TEXT], double bytes_per_s)
{
    static const struct scale scales[] = {
        {1e12, "TB/s"}, {1e9, "GB/s"}, {1e6, "MB/s"}, {1e3, "kB/s"}, {1, "B/s"},
    };
    return format_scaled(text, bytes_per_s, scales);
}

char *units_format_duration(char text[static UNITS_TEXT], uint64_t ns)
{
    static const struct scale scales[] = {
        {1e9, "s"},
        {1e6, "ms"},
        {1e3, "µs"},
        {1, "ns"},
    };
    return format_scaled(text, (double)ns, scales);
}

char *units_format_size(char text[static UNITS_TEXT], uint64_t bytes)
{
    static const char *const units[] = {"", "k", "m", "g"};
    size_t unit = 0;
    while (bytes != 0 && bytes % 1024 == 0 && unit + 1 < sizeof units / sizeof units[0]) {
        bytes /= 1024;
        unit++;
    }
    snprintf(text, UNITS_TEXT, "%" PRIu64 "%s", bytes, units[unit]);
    return text;
}
