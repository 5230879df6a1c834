#include "common/base/units.h"

#include "common/base/clock.h"

#include <string.h>

struct unit {
    const char *name;
    uint64_t scale;
};

static const struct unit count_units[] = {
    {"", 1},        {"k", 1000},       {"K", 1000},       {"m", 1000000},
    {"M", 1000000}, {"g", 1000000000}, {"G", 1000000000}, {NULL, 0},
};

static const struct unit size_units[] = {
    {"", 1},         {"b", 1},        {"B", 1},        {"k", 1u << 10}, {"K", 1u << 10},
    {"m", 1u << 20}, {"M", 1u << 20}, {"g", 1u << 30}, {"G", 1u << 30}, {NULL, 0},
};

static const struct unit duration_units[] = {
    {"", NS_PER_S},    {"ns", 1},       {"us", NS_PER_US},    {"µs", NS_PER_US},
    {"ms", NS_PER_MS}, {"s", NS_PER_S}, {"m", 60 * NS_PER_S}, {"h", 3600 * NS_PER_S},
    {NULL, 0},
};

/* What one parser accepts, and how its refusals say so. */
struct quantity {
    const struct unit *units;
    const char *noun, *examples, *smallest;
};

static const struct quantity count_quantity = {
    count_units,
    "a count",
    "15 or 20k",
    "a whole number",
};
static const struct quantity size_quantity = {
    size_units,
    "a size",
    "1000, 64k or 1m",
    "a whole number of bytes",
};
static const struct quantity duration_quantity = {
    duration_units,
    "a duration",
    "10s, 500ms or 2m",
    "a whole number of nanoseconds",
};

static const struct unit *find_unit(const struct unit *units, const char *name)
{
    while (units->name != NULL && strcmp(units->name, name) != 0) {
        units++;
    }
    return units->name != NULL ? units : NULL;
}

/* The digits times the scale; false when that is too large. */
static bool scale_whole(const char *digits, size_t length, uint64_t scale, uint64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < length; i++) {
        if (__builtin_mul_overflow(*value, 10, value) ||
            __builtin_add_overflow(*value, (uint64_t)(digits[i] - '0'), value)) {
            return false;
        }
    }
    return !__builtin_mul_overflow(*value, scale, value);
}

/* 0.DIGITS times the scale, from the last digit to the first; false when that is no whole number,
 * which shows at the first division with a remainder. */
static bool scale_decimals(const char *digits, size_t length, uint64_t scale, uint64_t *value)
{
    *value = 0;
    while (length > 0) {
        *value += (uint64_t)(digits[--length] - '0') * scale;
        if (*value % 10 != 0) {
            return false;
        }
        *value /= 10;
    }
    return true;
}

static bool parse(const struct quantity *quantity, const char *text, uint64_t *value,
                  struct error *err)
{
    static const char digits[] = "0123456789";
    size_t whole = strspn(text, digits);
    const char *decimals = text + whole + (text[whole] == '.');
    size_t decimal = text[whole] == '.' ? strspn(decimals, digits) : 0;
    const struct unit *unit = find_unit(quantity->units, decimals + decimal);

    if (whole == 0 || unit == NULL || (text[whole] == '.' && decimal == 0)) {
        return error_set(err, "%s is not %s such as %s", text[0] != '\0' ? text : "\"\"",
                         quantity->noun, quantity->examples);
    }
    uint64_t sum, part;
    if (!scale_decimals(decimals, decimal, unit->scale, &part)) {
        return error_set(err, "%s is not %s", text, quantity->smallest);
    }
    if (!scale_whole(text, whole, unit->scale, &sum) || __builtin_add_overflow(sum, part, &sum)) {
        return error_set(err, "%s is too large", text);
    }
    *value = sum;
    return true;
}

bool units_parse_count(const char *text, uint64_t *count, struct error *err)
{
    return parse(&count_quantity, text, count, err);
}

bool units_parse_size(const char *text, uint64_t *bytes, struct error *err)
{
    return parse(&size_quantity, text, bytes, err);
}

bool units_parse_duration(const char *text, uint64_t *ns, struct error *err)
{
    return parse(&duration_quantity, text, ns, err);
}
