#include "client/report/wrap.h"

#include "client/report/grid.h"
#include "common/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Width of the first `length` bytes. */
static size_t width_of(const char *text, size_t length)
{
    return grid_width(text) - grid_width(text + length);
}

static void print_words(FILE *out, const char *text, unsigned indent)
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

void wrap_clean(char *text)
{
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7F)
            *text = ' ';
}

void wrap_print(FILE *out, const char *text, unsigned indent)
{
    char *clean = memory_copy_text(text);

    wrap_clean(clean);
    print_words(out, clean, indent);
    free(clean);
}
