#include "client/check/ciphers.h"

#include "client/check/scratch.h"
#include "common/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    char *remedy = memory_copy_text(word);

    for (char *c = remedy; *c != '\0'; c++)
        if (strchr(",; ", *c))
            *c = ':';
    finding_add(findings, FINDING_WARNING, "separator", word, where, remedy,
                "TLS 1.3 suites are separated by \":\" alone; what a cipher string takes between "
                "its words makes one unknown word of them here");
    free(remedy);
}

static void look_at(const char *word, const char *where, bool known, struct finding_list *findings)
{
    const struct suite *suite = suite_find(word);
    char remedy[128] = "remove it";

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

/* False: it stands in the list already. */
static bool set_position(struct cipher_list *list, const char *word, size_t position)
{
    const struct suite *suite = suite_find(word);

    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].suite != suite)
            continue;
        if (list->items[i].position > 0)
            return false;
        list->items[i].position = position;
    }
    return true;
}

/* OpenSSL takes blanks off both ends of a word. */
static void read_words(const char *string, const struct scratch_list *whole,
                       const struct cipher_place *place, struct cipher_list *list,
                       struct finding_list *findings)
{
    static const char blanks[] = " \t\n\v\f\r";
    char where[CIPHER_PLACE_TEXT];

    for (const char *next = string; *next != '\0';) {
        size_t blank = strspn(next, blanks);
        size_t whole_length = strcspn(next, ":"), length = whole_length;
        while (length > blank && strchr(blanks, next[length - 1]))
            length--;
        char *word =
            memory_format("%.*s", (int)(length > blank ? length - blank : 0), next + blank);
        size_t position = (size_t)(next + blank - string) + 1;
        cipher_place_text(place, position, where);
        if (word[0] != '\0')
            look_at(word, where, is_in(whole, word), findings);
        if (word[0] != '\0' && !set_position(list, word, position))
            finding_add(findings, FINDING_NOTE, "idle word", word, where, "can be left out",
                        "the suite stands in the list before");
        free(word);
        next += whole_length + (next[whole_length] == ':');
    }
}

/* Each once: OpenSSL keeps a suite as often as it is named. */
static void take_suites(const struct scratch_list *whole, struct cipher_list *list)
{
    for (size_t i = 0; i < whole->count; i++) {
        bool known = false;
        for (size_t j = 0; j < list->count && !known; j++)
            known = list->items[j].suite == whole->suites[i];
        if (!known)
            list->items[list->count++] =
                (struct cipher_choice){whole->suites[i], whole->bits[i], 0};
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
        take_suites(whole, list);
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
