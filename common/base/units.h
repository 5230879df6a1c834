#ifndef COMMON_BASE_UNITS_H
#define COMMON_BASE_UNITS_H

#include "common/base/error.h"

#include <stddef.h>
#include <stdint.h>

/* Parsing is strict: digits with an optional decimal part and one unit, nothing before or behind;
 * no sign, no exponent, no hexadecimal. The result is exact or refused, never rounded. The reason
 * names the text and what would be right: "1e9 is not a duration such as 10s, 500ms or 2m". */
bool units_parse_count(const char *text, uint64_t *count,
                       struct error *err) MUST_CHECK; /* "15", "20k" = 20 000 */
bool units_parse_size(const char *text, uint64_t *bytes,
                      struct error *err) MUST_CHECK; /* "64k" = 65 536, "1.5k" = 1536; b k m g */
bool units_parse_duration(const char *text, uint64_t *ns, struct error *err)
    MUST_CHECK; /* "10s" "500ms" "2m" "10us" "1h" "50ns"; a bare number is seconds */

/* Formatting for people, no locale: three significant digits, more only where a whole number has
 * them, no decimals where they would all be zero. Not a number is "n/a". Each returns `text`. */
#define UNITS_TEXT 32
char *units_format_count(char text[static UNITS_TEXT],
                         double value); /* "12 345", "0.520", "27": groups of three */
char *units_format_bytes_rate(char text[static UNITS_TEXT],
                              double bytes_per_s); /* "1.23 GB/s", "830 MB/s" */
char *units_format_size(
    char text[static UNITS_TEXT],
    uint64_t bytes); /* "16k", "1m", "1000": what units_parse_size reads back exactly */
char *units_format_duration(char text[static UNITS_TEXT],
                            uint64_t ns); /* "350 ms", "1.50 s", "27 µs", "80 s" */

#endif
