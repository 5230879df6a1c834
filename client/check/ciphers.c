#include "client/check/ciphers.h"

#include "client/check/scratch.h"
#include "client/check/word_findings.h"
#include "client/check/words.h"
#include "common/base/memory.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX  256 /* of which each may be tried by leaving it out */
#define PASSES_MAX 4

int ciphers_default_level(void)
{
    SSL_CTX *ctx = SSL_CTX_new(TLS_server_method());
    int level = ctx ? SSL_CTX_get_security_level(ctx) : 1;

    SSL_CTX_free(ctx);
    return level;
}

void cipher_place_text(const struct cipher_place *place, size_t position,
                       char text[static CIPHER_PLACE_TEXT])
{
    const char *list = place->file_line[0] ? place->file_line
                       : place->nginx      ? "nginx's default ssl_ciphers"
                                           : "";

    (void)snprintf(text, CIPHER_PLACE_TEXT, "%s%scharacter %zu", list, list[0] ? ", " : "",
                   position);
}

void cipher_list_cleanup(struct cipher_list *list)
{
    free(list->simpler);
    *list = (struct cipher_list){0};
}

/* --- what brings a suite in --- */

static bool has_suite(const struct scratch_list *list, const struct suite *suite)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->suites[i] == suite)
            return true;
    return false;
}

/* The string grows word by word: a suite belongs to the word after which it is first there. */
static void find_positions(struct scratch *scratch, const char *string, struct cipher_list *list)
{
    struct scratch_list *now = memory_new(1, sizeof *now);
    struct cipher_word word;
    size_t offset = 0, words = 0;

    while (words++ < WORDS_MAX && cipher_word_next(string, &offset, &word)) {
        if (word.action || word.command)
            continue;
        char *start = memory_format("%.*s", (int)offset, string);
        if (scratch_expand(scratch, start, now) == SCRATCH_SELECTS)
            for (size_t i = 0; i < list->count; i++)
                if (list->items[i].position == 0 && has_suite(now, list->items[i].suite))
                    list->items[i].position = word.start + 1;
        free(start);
    }
    free(now);
}

/* --- words that change nothing --- */

struct word_list {
    struct cipher_word words[WORDS_MAX];
    bool left_out[WORDS_MAX];
    size_t count;
};

static char *join(const char *string, const struct word_list *words)
{
    struct text_buffer text = {0};

    for (size_t i = 0; i < words->count; i++) {
        const struct cipher_word *word = &words->words[i];
        if (!words->left_out[i])
            text_buffer_add(&text, "%s%.*s", text.length > 0 ? ":" : "", (int)word->length,
                            string + word->start);
    }
    text_buffer_add(&text, "%s", "");
    return text.text;
}

static bool same_effect(const struct scratch_list *a, const struct scratch_list *b)
{
    return a->count == b->count && a->level == b->level && a->suite_b == b->suite_b &&
           memcmp(a->suites, b->suites, a->count * sizeof a->suites[0]) == 0;
}

/* From the last word to the first, so that of two that do the same the later one goes. */
static bool leave_out_some(struct scratch *scratch, const char *string,
                           const struct scratch_list *whole, struct word_list *words,
                           struct scratch_list *less)
{
    bool some = false;

    for (size_t i = words->count; i-- > 0;) {
        if (words->left_out[i])
            continue;
        words->left_out[i] = true;
        char *text = join(string, words);
        if (scratch_expand(scratch, text, less) != SCRATCH_SELECTS || !same_effect(whole, less))
            words->left_out[i] = false;
        some |= words->left_out[i];
        free(text);
    }
    return some;
}

/* Without one word another may do nothing any more, such as what excluded it. */
static void leave_out(struct scratch *scratch, const char *string, const struct scratch_list *whole,
                      struct word_list *words)
{
    struct scratch_list *less = memory_new(1, sizeof *less);

    for (int pass = 0; pass < PASSES_MAX; pass++)
        if (!leave_out_some(scratch, string, whole, words, less))
            break;
    free(less);
}

static void simplify(struct scratch *scratch, const char *string, const struct scratch_list *whole,
                     const struct cipher_place *place, struct cipher_list *list,
                     struct finding_list *findings)
{
    struct word_list *words = memory_new(1, sizeof *words);
    size_t offset = 0;
    bool some = false, dropping = false;

    while (words->count < WORDS_MAX &&
           cipher_word_next(string, &offset, &words->words[words->count])) {
        words->left_out[words->count] =
            word_is_dropped(scratch, string, &words->words[words->count], &dropping);
        words->count++;
    }
    /* Longer strings are left alone: to try their words would take seconds. */
    if (words->count < WORDS_MAX)
        leave_out(scratch, string, whole, words);
    for (size_t i = 0; i < words->count; i++)
        some |= words->left_out[i];
    if (some && !(place->nginx && place->file_line[0] == '\0'))
        list->simpler = join(string, words);
    for (size_t i = 0; i < words->count && !whole->suite_b; i++)
        if (words->left_out[i])
            word_finding_idle(string, &words->words[i], place, findings);
    free(words);
}

/* --- the whole --- */

static void add_refusal(const char *string, enum scratch_answer answer,
                        const struct cipher_place *place, struct finding_list *findings)
{
    char where[CIPHER_PLACE_TEXT];

    cipher_place_text(place, 1, where);
    if (answer == SCRATCH_NOTHING)
        finding_add(findings, FINDING_ERROR, "selects nothing", string, where,
                    "name at least one suite that OpenSSL has",
                    "OpenSSL refuses the cipher string: it selects no suite of TLS 1.2 or before "
                    "(\"no cipher match\"), and a server with it does not start");
}

/* Each finding about a word comes before those about the whole. */
void ciphers_read(const char *string, const struct cipher_place *place, int default_level,
                  struct cipher_list *list, struct finding_list *findings)
{
    struct scratch scratch;
    struct scratch_list *whole = memory_new(1, sizeof *whole);

    *list = (struct cipher_list){.level = default_level, .refused = true};
    if (scratch_init(&scratch, default_level)) {
        enum scratch_answer answer = scratch_expand(&scratch, string, whole);
        word_findings(&scratch, string, answer == SCRATCH_BAD_COMMAND, place, findings);
        add_refusal(string, answer, place, findings);
        list->refused = answer != SCRATCH_SELECTS;
        for (size_t i = 0; !list->refused && i < whole->count; i++)
            list->items[list->count++] =
                (struct cipher_choice){whole->suites[i], whole->bits[i], 0};
        if (!list->refused) {
            list->level = whole->level;
            list->suite_b = whole->suite_b;
            find_positions(&scratch, string, list);
            simplify(&scratch, string, whole, place, list, findings);
        }
    }
    scratch_cleanup(&scratch);
    free(whole);
}
