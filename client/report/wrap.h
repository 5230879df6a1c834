#ifndef CLIENT_REPORT_WRAP_H
#define CLIENT_REPORT_WRAP_H

#include <stdio.h>

#define WRAP_COLUMNS 120 /* nothing in a report is wider, words that are longer apart */

/* Prints a text of words as lines of at most WRAP_COLUMNS; lines after the first are indented. */
void wrap_print(FILE *out, const char *text, unsigned indent);

#endif
