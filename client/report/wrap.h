#ifndef CLIENT_REPORT_WRAP_H
#define CLIENT_REPORT_WRAP_H

#include <stdio.h>

#define WRAP_COLUMNS 120 /* nothing in a report is wider, words that are longer apart */

/* Blanks out control characters: a saved result may hold anything, and a terminal obeys it. */
void wrap_clean(char *text);

/* Prints a text of words as lines of at most WRAP_COLUMNS; lines after the first are indented,
 * control characters are blanked out. */
void wrap_print(FILE *out, const char *text, unsigned indent);

#endif
