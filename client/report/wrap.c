#include "client/report/wrap.h"

#include "client/report/grid.h"

#include <string.h>

/* Width of the first `length` bytes. */
static size_t width_of(const char *text, size_t length)
{
    return grid_width(text) - grid_width(text + length);
}

void wrap_print(FILE *out, const char *text, unsigned indent)
{
    size_t column = 0;

    while (*text != '\0') {
        size_t blanks = strspn(text, " ");
        size_t length = blanks + strcspn(text + blanks, " ");
        size_t width = width_of(text, length);
        if (column > 0 && column + width > WRAP_COLUMNS) {
            fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
            text += blanks;
            length -= blanks;
            width -= blanks;
        }
        fwrite(text, 1, length, out);
        column += width;
        text += length;
    }
    fputc('\n', out);
}
