#include "client/check/word_findings.h"

#include "client/check/suite_b.h"
#include "common/base/memory.h"
#include "common/tls/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One word, with all that a finding about it needs. */
struct subject_word {
    const char *string;
    const struct cipher_word *word;
    const struct cipher_place *place;
    char *text; /* without its sign */
    char where[CIPHER_PLACE_TEXT];
};

static void say(struct finding_list *findings, const struct subject_word *word,
                enum finding_level level, const char *kind, const char *remedy, const char *text)
{
    finding_add(findings, level, kind, word->text, word->where, remedy, "%s", text);
}

/* --- a string that OpenSSL refuses --- */

/* BoringSSL's groups of equal preference: "[A|B]". */
static bool is_bracket_group(const char *text)
{
    return strpbrk(text, "[]|") != NULL;
}

static const char *refusal_remedy(const struct subject_word *word)
{
    if (word->word->command)
        return "@STRENGTH and @SECLEVEL=0 to 5 are the only commands";
    if (strpbrk(word->text, "\t\r\n\v\f"))
        return "separate words by \":\": a tab or the end of a line is part of a word";
    return word->text[0] != '\0' ? "leave out what is neither a suite nor a keyword"
                                 : "write a suite or a keyword behind the sign";
}

static void say_refused(struct finding_list *findings, const struct subject_word *word)
{
    if (is_bracket_group(word->text))
        say(findings, word, FINDING_ERROR, "BoringSSL group",
            "write the suites one after the other; where clients shall choose between AES and "
            "ChaCha20, take the option PrioritizeChaCha",
            "\"[A|B]\" is BoringSSL's group of equal preference; OpenSSL has no such groups and "
            "refuses the whole string");
    else
        say(findings, word, FINDING_ERROR, "invalid command", refusal_remedy(word),
            "OpenSSL refuses the whole cipher string here (\"invalid command\"), and a server "
            "with it does not start");
}

/* --- a word that selects nothing --- */

static void say_tls13(struct finding_list *findings, const struct subject_word *word)
{
    char *remedy = word->place->nginx
                       ? memory_format("remove it, or list TLS 1.3 suites with \"ssl_conf_command "
                                       "Ciphersuites %s\"",
                                       word->text)
                       : memory_copy_text("pass it to SSL_CTX_set_ciphersuites (--tls13 here)");
    say(findings, word, FINDING_WARNING, "TLS 1.3 name", remedy,
        "a TLS 1.3 suite has no effect in a cipher string, which is for TLS 1.2 and before");
    free(remedy);
}

static void say_suite(struct scratch *scratch, struct finding_list *findings,
                      const struct subject_word *word, const struct suite *suite)
{
    char remedy[128];

    if (suite_facts(suite).min_version == TLS1_3_VERSION) {
        say_tls13(findings, word);
    } else if (suite->openssl && scratch_expand(scratch, suite->openssl, NULL) == SCRATCH_SELECTS) {
        snprintf(remedy, sizeof remedy, "write %s", suite->openssl);
        say(findings, word, FINDING_WARNING,
            text_equal_nocase(word->text, suite->iana) ? "IANA name" : "spelling", remedy,
            "this OpenSSL drops it without a word: the name is not written so in cipher strings");
    } else if (!word->word->action) {
        say(findings, word, FINDING_NOTE, "not in this library", "remove it",
            "the suite exists, but not in this OpenSSL, which drops it without a word");
    }
}

/* library_expand_ciphers knows which keywords may select nothing; it is asked for this word after a
 * selection of everything, where the word only takes away. */
static bool is_meaningful(const struct subject_word *word, struct error *err)
{
    const struct suite **suites = memory_new(CIPHERS_MAX, sizeof *suites);
    size_t count;
    const char *sign = word->word->action ? "" : "-";
    char *string = memory_format("ALL:COMPLEMENTOFALL:%s%.*s:+AES", sign, (int)word->word->length,
                                 word->string + word->word->start);
    bool known = library_expand_ciphers(string, suites, CIPHERS_MAX, &count, err) ||
                 strstr(err->text, "unknown") == NULL;

    free(suites);
    free(string);
    return known;
}

static void say_unknown(struct finding_list *findings, const struct subject_word *word,
                        const struct error *err)
{
    static const char mark[] = "nearest: ";
    const char *nearest = strstr(err->text, mark);
    char remedy[128];

    snprintf(remedy, sizeof remedy, "remove it");
    if (nearest)
        snprintf(remedy, sizeof remedy, "did you mean %s?", nearest + sizeof mark - 1);
    say(findings, word, FINDING_WARNING, "unknown word", remedy,
        "OpenSSL knows no such suite or keyword and drops it without a word");
}

/* OpenSSL looks for DEFAULT at the start of the string, and reads on right behind its seven
 * letters.
 */
static void look_at_default(struct finding_list *findings, const struct subject_word *word,
                            bool first)
{
    size_t length = strlen("DEFAULT");

    if (strncmp(word->text, "DEFAULT", length) != 0)
        return;
    if (first && word->text[length] != '\0')
        say(findings, word, FINDING_WARNING, "misplaced DEFAULT", "write a \":\" behind DEFAULT",
            "OpenSSL takes DEFAULT, and what follows for a word of its own");
    else if (!first && word->text[length] == '\0')
        say(findings, word, FINDING_WARNING, "misplaced DEFAULT", "move it to the front",
            "DEFAULT counts only as the first word of a cipher string, and is dropped here");
}

static void look_at_suite_b(struct finding_list *findings, const struct subject_word *word,
                            bool first)
{
    if (!first && suite_b_starts(word->text))
        say(findings, word, FINDING_WARNING, "misplaced Suite B", "write it alone",
            "it counts only at the very start of a cipher string, and is dropped here");
}

static void look_at(struct scratch *scratch, const struct subject_word *word, bool first,
                    struct finding_list *findings)
{
    const struct suite *suite = suite_find(word->text);
    struct error err;

    if (word->word->command || scratch_expand(scratch, word->text, NULL) == SCRATCH_SELECTS) {
        look_at_default(findings, word, first);
        look_at_suite_b(findings, word, first);
        return;
    }
    if (suite)
        say_suite(scratch, findings, word, suite);
    else if (!is_meaningful(word, &err))
        say_unknown(findings, word, &err);
    else if (!word->word->action)
        say(findings, word, FINDING_NOTE, "selects nothing here", "remove it",
            "no suite of this OpenSSL is selected by this word");
}

/* Whether the string is refused up to and with this word, but not before it. */
static bool is_refused_here(struct scratch *scratch, const char *string, size_t end)
{
    char *start = memory_format("%.*s", (int)end, string);
    bool refused = scratch_expand(scratch, start, NULL) == SCRATCH_BAD_COMMAND;

    free(start);
    return refused;
}

static void say_joined(struct finding_list *findings, const struct subject_word *word)
{
    say(findings, word, FINDING_WARNING, "dropped word", "write a \":\" before it",
        "it is written right behind a command, or behind a word that OpenSSL does not know and "
        "drops together with all up to the next separator");
}

bool word_is_dropped(struct scratch *scratch, const char *string, const struct cipher_word *word,
                     bool *dropping)
{
    const char *text = string + word->start;
    bool is_default = word->start == 0 && strncmp(text, "DEFAULT", strlen("DEFAULT")) == 0;
    bool dropped = *dropping && word->joined;

    *dropping =
        dropped || word->command || (!is_default && !scratch_knows(scratch, text, word->length));
    return dropped;
}

/* What can be said of a word where it stands. False: OpenSSL reads no further. */
static bool find_word(struct scratch *scratch, const struct subject_word *word, bool refused,
                      bool *dropping, struct finding_list *findings)
{
    const struct cipher_word *own = word->word;
    size_t end = own->start + own->length;
    bool first = own->start == 0;

    if (refused && is_refused_here(scratch, word->string, end)) {
        say_refused(findings, word);
        return false;
    }
    if (word_is_dropped(scratch, word->string, own, dropping))
        say_joined(findings, word);
    else
        look_at(scratch, word, first, findings);
    return true;
}

static void say_too_many(const char *string, const struct cipher_word *word,
                         const struct cipher_place *place, struct finding_list *findings)
{
    char where[CIPHER_PLACE_TEXT];

    cipher_place_text(place, word->start + word->length + 1, where);
    if (strspn(string + word->start + word->length, ":;, ") <
        strlen(string + word->start + word->length))
        finding_add(findings, FINDING_WARNING, "long string", NULL, where, "write a shorter list",
                    "the words from here on count, but were not looked at one by one: there are "
                    "more than %d",
                    CIPHERS_MAX);
}

/* Behind a word for Suite B nothing is read. */
static void say_unread(const char *string, size_t offset, const struct cipher_place *place,
                       struct finding_list *findings)
{
    size_t start = offset + strspn(string + offset, ":;, ");
    char where[CIPHER_PLACE_TEXT];

    if (string[start] == '\0')
        return;
    cipher_place_text(place, start + 1, where);
    finding_add(findings, FINDING_WARNING, "unread words", string + start, where,
                "remove them, or the word for Suite B",
                "OpenSSL puts Suite B's suites in the place of the whole string, and binds groups "
                "and certificates to P-256 and P-384: what stands behind is not read");
}

void word_findings(struct scratch *scratch, const char *string, bool refused,
                   const struct cipher_place *place, struct finding_list *findings)
{
    struct cipher_word word;
    size_t offset = 0, count = 0;
    bool dropping = false, goes_on = true;

    while (goes_on && count < CIPHERS_MAX && cipher_word_next(string, &offset, &word)) {
        struct subject_word subject = {.string = string, .word = &word, .place = place};
        subject.text = cipher_word_copy(string, &word);
        cipher_place_text(place, word.start + 1, subject.where);
        goes_on = find_word(scratch, &subject, refused, &dropping, findings);
        free(subject.text);
        count++;
        if (count == 1 && suite_b_starts(string)) {
            say_unread(string, offset, place, findings);
            return;
        }
    }
    if (goes_on && count == CIPHERS_MAX)
        say_too_many(string, &word, place, findings);
}

/* Words that are reported for another reason are not idle but wrong. */
static bool is_reported(const struct finding_list *findings, const char *where)
{
    for (size_t i = 0; i < findings->count; i++)
        if (strcmp(findings->items[i].place, where) == 0)
            return true;
    return false;
}

void word_finding_idle(const char *string, const struct cipher_word *word,
                       const struct cipher_place *place, struct finding_list *findings)
{
    struct subject_word subject = {.string = string, .word = word, .place = place};
    const char *why = "every suite that it selects is selected by another word, or excluded";

    cipher_place_text(place, word->start + 1, subject.where);
    bool is_default = place->nginx && place->file_line[0] == '\0'; /* nobody wrote it */
    if (is_default || is_reported(findings, subject.where))
        return;
    if (word->action == '!')
        why = "it excludes nothing that the string selects in this OpenSSL";
    else if (word->action == '-')
        why = "it takes nothing away";
    else if (word->action == '+')
        why = "it moves nothing";
    else if (word->command)
        why = "the order and the level are the same without it";
    char *text = memory_format("%.*s", (int)word->length, string + word->start);
    finding_add(findings, FINDING_NOTE, "idle word", text, subject.where, "can be left out", "%s",
                why);
    free(text);
}
