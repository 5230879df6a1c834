#ifndef CLIENT_REPORT_FIGURE_H
#define CLIENT_REPORT_FIGURE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define FIGURE_TEXT 32

/* Numbers as tables show them: no locale, no unit, no digit grouping, so that a column can be
 * pasted into anything. Each returns `text`. */

/* Three significant digits or all whole ones: "0.772", "4.05", "48.3", "203", "12345". */
char *figure_value(char text[static FIGURE_TEXT], double value);
/* A ratio: "1.02", "11.2", "120". */
char *figure_ratio(char text[static FIGURE_TEXT], double ratio);

/* An interval object {median, low, high}: the median times `scale` and half the interval's width in
 * whole percent, rounded up: "2345 ±2". "" where it is not known. */
char *figure_spread(char text[static FIGURE_TEXT], const json_t *interval, double scale);

#endif
