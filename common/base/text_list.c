#include "common/base/text.h"

#include "common/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Takes the string. Room doubles whenever the count reaches a power of two, so that the capacity
 * needs no field. */
static void add_owned(struct text_list *list, char *item)
{
    if ((list->count & (list->count - 1)) == 0) {
        list->items =
            memory_grow(list->items, list->count > 0 ? 2 * list->count : 1, sizeof list->items[0]);
    }
    list->items[list->count++] = item;
}

void text_list_add(struct text_list *list, const char *item)
{
    add_owned(list, memory_copy_text(item));
}

void text_list_add_split(struct text_list *list, const char *text, const char *separators)
{
    static const char blanks[] = " \t\r\n";
    for (;;) {
        size_t length = strcspn(text, separators);
        const char *start = text, *end = text + length;
        while (start < end && strchr(blanks, *start) != NULL) {
            start++;
        }
        while (end > start && strchr(blanks, end[-1]) != NULL) {
            end--;
        }
        if (end > start) {
            add_owned(list, memory_format("%.*s", (int)(end - start), start));
        }
        if (text[length] == '\0') {
            return;
        }
        text += length + 1;
    }
}

bool text_list_has(const struct text_list *list, const char *item)
{
    for (size_t i = 0; i < list->count; i++) {
        if (text_equal_nocase(list->items[i], item)) {
            return true;
        }
    }
    return false;
}

void text_list_cleanup(struct text_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i]);
    }
    free(list->items);
    *list = (struct text_list){0};
}
