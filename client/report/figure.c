#include "client/report/figure.h"

#include "client/report/field.h"

#include <math.h>
#include <stdio.h>

char *figure_value(char text[static FIGURE_TEXT], double value)
{
    int decimals = value < 0.9995 ? 3 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0;

    snprintf(text, FIGURE_TEXT, "%.*f", decimals, value);
    return text;
}

char *figure_ratio(char text[static FIGURE_TEXT], double ratio)
{
    snprintf(text, FIGURE_TEXT, "%.*f", ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0, ratio);
    return text;
}

char *figure_spread(char text[static FIGURE_TEXT], const json_t *interval, double scale)
{
    char value[FIGURE_TEXT];
    double median, low, high, rounds;

    text[0] = '\0';
    if (!field_number(interval, "median", &median) || !(median > 0))
        return text;
    figure_value(value, median * scale);
    if (field_number(interval, "rounds", &rounds) && rounds < 2)
        snprintf(text, FIGURE_TEXT, "%s", value); /* one round tells nothing of its spread */
    else if (field_number(interval, "low", &low) && field_number(interval, "high", &high))
        snprintf(text, FIGURE_TEXT, "%.18s ±%.0f", value,
                 fmax(ceil(50 * (high - low) / median - 1e-9), 0));
    return text;
}
