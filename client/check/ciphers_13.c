#include "client/check/ciphers.h"

#include "client/check/scratch.h"
#include "common/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD_TEXT 120

static const char *tls13_candidate(size_t index, const void *context)
{
    size_t seen = 0;

    (void)context;
    for (size_t i = 0; i < suite_count; i++)
        if (suite_facts(&suite_table[i]).min_version == TLS1_3_VERSION && suite_table[i].openssl &&
            seen++ == index)
            return suite_table[i].openssl;
    return NULL;
}

/* Cipher strings may be separated by commas and blanks too, this list only by colons. */
static void say_separator(struct finding_list *findings, const char *word, const char *where)
{
    char remedy[WORD_TEXT * 2];

    snprintf(remedy, sizeof remedy, "%s", word);
    for (char *c = remedy; *c != '\0'; c++)
        if (strchr(",; ", *c))
            *c = ':';
    finding_add(findings, FINDING_WARNING, "separator", word, where, remedy,
                "TLS 1.3 suites are separated by \":\" alone; what a cipher string takes between "
                "its words makes one unknown word of them here");
}

static void look_at(const char *word, const char *where, bool known, struct finding_list *findings)
{
    const struct suite *suite = suite_find(word);
    char remedy[WORD_TEXT * 2] = "remove it";

    if (known)
        return;
    if (strpbrk(word, ",; ")) {
        say_separator(findings, word, where);
    } else if (suite && suite_facts(suite).min_version == TLS1_3_VERSION) {
        finding_add(findings, FINDING_NOTE, "not in this library", word, where, remedy,
                    "the suite exists, but not in this OpenSSL, which drops it without a word");
    } else if (suite) {
        finding_add(findings, FINDING_WARNING, "TLS 1.2 name", word, where,
                    "move it to the cipher string (ssl_ciphers)",
                    "the suite is of TLS 1.2 and has no effect among the suites of TLS 1.3");
    } else {
        const char *nearest = text_nearest(word, tls13_candidate, NULL);
        if (nearest)
            snprintf(remedy, sizeof remedy, "did you mean %s?", nearest);
        finding_add(findings, FINDING_WARNING, "unknown word", word, where, remedy,
                    "no TLS 1.3 suite has this name, and OpenSSL drops it without a word");
    }
}

static bool is_in(const struct scratch_list *list, const char *word)
{
    const struct suite *suite = suite_find(word);

    for (size_t i = 0; i < list->count; i++)
        if (list->suites[i] == suite)
            return true;
    return false;
}

static void set_position(struct cipher_list *list, const char *word, size_t position)
{
    const struct suite *suite = suite_find(word);

    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].suite == suite && list->items[i].position == 0)
            list->items[i].position = position;
}

static void read_words(const char *string, const struct scratch_list *whole,
                       const struct cipher_place *place, struct cipher_list *list,
                       struct finding_list *findings)
{
    char where[CIPHER_PLACE_TEXT];

    for (const char *next = string; *next != '\0';) {
        size_t length = strcspn(next, ":");
        char *word = memory_format("%.*s", (int)length, next);
        size_t position = (size_t)(next - string) + 1;
        cipher_place_text(place, position, where);
        if (word[0] != '\0')
            look_at(word, where, is_in(whole, word), findings);
        set_position(list, word, position);
        free(word);
        next += length + (next[length] == ':');
    }
}

void ciphers_read_13(const char *string, const struct cipher_place *place, struct cipher_list *list,
                     struct finding_list *findings)
{
    struct scratch scratch;
    struct scratch_list *whole = memory_new(1, sizeof *whole);
    char where[CIPHER_PLACE_TEXT];

    *list = (struct cipher_list){.refused = true};
    if (scratch_init(&scratch, ciphers_default_level())) {
        enum scratch_answer answer = scratch_expand_13(&scratch, string, whole);
        list->refused = answer != SCRATCH_SELECTS;
        for (size_t i = 0; i < whole->count; i++)
            list->items[list->count++] =
                (struct cipher_choice){whole->suites[i], whole->bits[i], 0};
        if (string)
            read_words(string, whole, place, list, findings);
        cipher_place_text(place, 1, where);
        if (list->refused && string && string[0] != '\0')
            finding_add(findings, FINDING_ERROR, "selects nothing", string, where,
                        "name at least one TLS 1.3 suite",
                        "OpenSSL refuses the list: it selects no TLS 1.3 suite, and a server with "
                        "it does not start");
    }
    scratch_cleanup(&scratch);
    free(whole);
}
