#include "client/report/report.h"

#include "client/report/grid.h"
#include "common/base/text.h"
#include "common/base/units.h"

#include <sys/ioctl.h>
#include <unistd.h>

#define DEFAULT_COLUMNS 80

void progress_line_init(struct progress_line *line, FILE *out)
{
    int descriptor = fileno(out);

    *line = (struct progress_line){.out = out};
    line->terminal = descriptor >= 0 && isatty(descriptor) == 1;
}

static size_t terminal_columns(FILE *out)
{
    struct winsize size;

    if (ioctl(fileno(out), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return DEFAULT_COLUMNS;
    return size.ws_col;
}

/* How many bytes of the text fit into `columns`. */
static size_t bytes_that_fit(const char *text, size_t columns)
{
    size_t bytes = 0;

    for (size_t width = 0; text[bytes] != '\0'; bytes++) {
        width += ((unsigned char)text[bytes] & 0xC0) != 0x80;
        if (width > columns)
            break;
    }
    return bytes;
}

void progress_line_clear(struct progress_line *line)
{
    if (!line->terminal || line->width == 0)
        return;
    fprintf(line->out, "\r%*s\r", (int)line->width, "");
    fflush(line->out);
    line->width = 0;
}

void progress_line_text(struct progress_line *line, const char *text)
{
    size_t columns, width;

    if (!line->terminal)
        return;
    columns = terminal_columns(line->out) - 1; /* the last column would make some terminals wrap */
    width = grid_width(text);
    if (width > columns)
        width = columns;
    fprintf(line->out, "\r%.*s", (int)bytes_that_fit(text, columns), text);
    if (line->width > width)
        fprintf(line->out, "%*s", (int)(line->width - width), "");
    fflush(line->out);
    line->width = width;
}

static void remember_rate(struct progress_line *line, const struct progress *progress)
{
    char rate[UNITS_TEXT];

    if (progress->rate <= 0)
        return;
    if (progress->test_case->measure == MEASURE_BULK)
        snprintf(line->last_rate, sizeof line->last_rate, "%s",
                 units_format_bytes_rate(rate, progress->rate));
    else
        snprintf(line->last_rate, sizeof line->last_rate, "%.0f/s", progress->rate);
}

void progress_line_show(void *context, const struct progress *progress)
{
    struct progress_line *line = context;
    struct text_buffer text = {0};

    if (!line->terminal)
        return;
    remember_rate(line, progress);
    text_buffer_add(&text, "round %u/%u, %.0f s left", progress->round, progress->rounds,
                    (double)progress->left_ns / 1e9);
    if (line->last_rate[0] != '\0')
        text_buffer_add(&text, ", %s %s", progress->running ? "now" : "last", line->last_rate);
    text_buffer_add(&text, "  %s", progress->test_case->id);
    progress_line_text(line, text_buffer_text(&text));
    text_buffer_cleanup(&text);
}
