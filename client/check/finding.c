#include "client/check/finding.h"

#include "common/base/memory.h"
#include "common/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FINDINGS_MAX 1000

const char *finding_level_name(enum finding_level level)
{
    static const char *const names[] = {"note", "warning", "error"};

    return names[level];
}

static char *copy(const char *text)
{
    return memory_copy_text(text ? text : "");
}

/* Words of a configuration may be long. */
PRINTF_LIKE(1, 0)
static char *format(const char *text, va_list args)
{
    va_list again;

    va_copy(again, args);
    int length = vsnprintf(NULL, 0, text, again);
    va_end(again);
    size_t size = length < 0 ? 1 : (size_t)length + 1;
    char *sentence = memory_new(size, 1);
    (void)vsnprintf(sentence, size, text, args);
    return sentence;
}

static void free_finding(struct finding *finding)
{
    free(finding->word);
    free(finding->place);
    free(finding->text);
    free(finding->remedy);
    free(finding->subject);
}

static bool same(const struct finding *a, const struct finding *b)
{
    return strcmp(a->kind, b->kind) == 0 && strcmp(a->word, b->word) == 0 &&
           strcmp(a->place, b->place) == 0 && strcmp(a->text, b->text) == 0 &&
           (a->place[0] != '\0' || strcmp(a->subject, b->subject) == 0);
}

void finding_add(struct finding_list *list, enum finding_level level, const char *kind,
                 const char *word, const char *place, const char *remedy, const char *text, ...)
{
    va_list args;

    list->errors += level == FINDING_ERROR;
    if (level < list->least)
        return;
    va_start(args, text);
    char *sentence = format(text, args);
    va_end(args);
    struct finding finding = {level,    kind,         copy(word),         copy(place),
                              sentence, copy(remedy), copy(list->subject)};
    bool known = list->count == FINDINGS_MAX;
    for (size_t i = 0; i < list->count && !known; i++)
        known = same(&list->items[i], &finding);
    if (known) {
        free_finding(&finding);
        return;
    }
    list->items = memory_grow(list->items, list->count + 1, sizeof *list->items);
    list->items[list->count++] = finding;
}

void finding_cleanup(struct finding_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free_finding(&list->items[i]);
    free(list->items);
    *list = (struct finding_list){0};
}

size_t finding_count(const struct finding_list *list, enum finding_level level)
{
    size_t count = 0;

    for (size_t i = 0; i < list->count; i++)
        count += list->items[i].level >= level;
    return count;
}

/* Words of a foreign file may be no UTF-8. */
static json_t *text_json(const char *text)
{
    char *clean = memory_copy_text(text);

    text_clean_utf8(clean);
    json_t *value = json_string(clean);
    free(clean);
    return value;
}

json_t *finding_json(const struct finding_list *list)
{
    json_t *array = json_array();

    for (size_t i = 0; i < list->count; i++) {
        const struct finding *finding = &list->items[i];
        json_array_append_new(
            array, json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "level",
                             finding_level_name(finding->level), "kind", finding->kind, "word",
                             text_json(finding->word), "place", text_json(finding->place), "text",
                             text_json(finding->text), "remedy", text_json(finding->remedy),
                             "subject", text_json(finding->subject)));
    }
    return array;
}
