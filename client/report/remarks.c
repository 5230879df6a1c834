#include "client/report/table_parts.h"

#include "client/report/field.h"
#include "client/report/wrap.h"
#include "common/base/memory.h"
#include "common/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_WIDTH 9 /* of "measured" and a blank */

static void print_status(FILE *out, const json_t *item)
{
    const char *reason = field_text(item, "reason");
    struct text_buffer line = {0};

    if (reason[0] == '\0')
        return;
    text_buffer_add(&line, "%-*s%s: %s", LABEL_WIDTH, field_text(item, "status"),
                    field_text(item, "id"), reason);
    wrap_print(out, text_buffer_text(&line), LABEL_WIDTH);
    text_buffer_cleanup(&line);
}

/* What is worth knowing of a case beside its figures; owned texts, NULL where there is nothing. */
static char *note_of(const json_t *item)
{
    const char *note = field_text(item, "note");

    if (field_true(item, "server_shared"))
        return memory_copy_text("server shared: it served others too, so its figures are not ours");
    return note[0] != '\0' ? memory_copy_text(note) : NULL;
}

static char *answer_of(const json_t *item)
{
    double status;

    if (field_number(item, "http_status", &status) && status >= 400)
        return memory_format("answered with HTTP status %.0f", status);
    return NULL;
}

/* Notes that many cases share are printed once. */
struct note {
    char *text; /* owned */
    const json_t *first;
    size_t count;
};

static void add_note(struct note *notes, size_t *count, const json_t *item, char *text)
{
    if (text == NULL)
        return;
    for (size_t i = 0; i < *count; i++) {
        if (strcmp(notes[i].text, text) == 0) {
            notes[i].count++;
            free(text);
            return;
        }
    }
    notes[(*count)++] = (struct note){text, item, 1};
}

static void print_note(FILE *out, const struct note *note)
{
    struct text_buffer line = {0};

    text_buffer_add(&line, "%-*s", LABEL_WIDTH, "note");
    if (note->count == 1)
        text_buffer_add(&line, "%s: ", field_text(note->first, "id"));
    else
        text_buffer_add(&line, "%zu cases: ", note->count);
    text_buffer_add(&line, "%s", note->text);
    wrap_print(out, text_buffer_text(&line), LABEL_WIDTH);
    text_buffer_cleanup(&line);
}

void remarks_print(FILE *out, const struct section *section)
{
    struct note *notes = memory_new(2 * section->count + 1, sizeof *notes);
    size_t count = 0;

    if (section->row_count == 0)
        fprintf(out, "\n%s: no case could be run\n", section->measure);
    for (size_t i = 0; i < section->count; i++) {
        print_status(out, section->cases[i]);
        add_note(notes, &count, section->cases[i], note_of(section->cases[i]));
        add_note(notes, &count, section->cases[i], answer_of(section->cases[i]));
    }
    for (size_t i = 0; i < count; i++) {
        print_note(out, &notes[i]);
        free(notes[i].text);
    }
    free(notes);
}
