#include "client/report/check_parts.h"

#include "client/report/field.h"
#include "client/report/wrap.h"
#include "common/base/text.h"

#include <string.h>

#define WORD_SHOWN 90

static void join(struct text_buffer *text, const json_t *array, const char *separator)
{
    const json_t *item;
    size_t index;

    json_array_foreach(array, index, item)
    {
        if (json_is_string(item))
            text_buffer_add(text, "%s%s", text->length ? separator : "", json_string_value(item));
    }
}

/* --- findings --- */

/* A word has no blanks to wrap at: its start will do, to the last whole UTF-8 character. */
static int shown_length(const char *word)
{
    size_t length = strlen(word);

    if (length <= WORD_SHOWN || strchr(word, ' '))
        return (int)length;
    for (length = WORD_SHOWN; length > 0 && ((unsigned char)word[length] & 0xC0) == 0x80;)
        length--;
    return (int)length;
}

static void print_finding(FILE *out, const json_t *finding)
{
    struct text_buffer line = {0};
    const char *place = field_text(finding, "place"), *word = field_text(finding, "word");
    const char *subject = field_text(finding, "subject");

    text_buffer_add(&line, "%s: ", field_text(finding, "level"));
    if (place[0] != '\0')
        text_buffer_add(&line, "%s: ", place);
    else if (subject[0] != '\0')
        text_buffer_add(&line, "%s: ", subject);
    int shown = shown_length(word);
    text_buffer_add(&line, "%s%s%.*s%s%s: %s.", field_text(finding, "kind"), word[0] ? " \"" : "",
                    shown, word, word[shown] ? "…" : "", word[0] ? "\"" : "",
                    field_text(finding, "text"));
    wrap_print(out, text_buffer_text(&line), 4);
    text_buffer_cleanup(&line);
    if (field_text(finding, "remedy")[0] == '\0')
        return;
    text_buffer_add(&line, "    → %s", field_text(finding, "remedy"));
    wrap_print(out, text_buffer_text(&line), 6);
    text_buffer_cleanup(&line);
}

void check_findings_print(FILE *out, const json_t *result)
{
    static const char *const levels[] = {"error", "warning", "note"};
    const json_t *findings = field_at(result, "findings"), *finding;
    size_t index, counts[3] = {0};

    for (int i = 0; i < 3; i++) {
        json_array_foreach(findings, index, finding)
        {
            if (strcmp(field_text(finding, "level"), levels[i]) != 0)
                continue;
            counts[i]++;
            print_finding(out, finding);
        }
    }
    if (json_array_size(findings) == 0)
        fputs("Nothing found.\n", out);
    else
        fprintf(out, "%zu error%s, %zu warning%s, %zu note%s.\n", counts[0],
                counts[0] == 1 ? "" : "s", counts[1], counts[1] == 1 ? "" : "s", counts[2],
                counts[2] == 1 ? "" : "s");
}

/* --- advice --- */

static const char *cipher_label(const json_t *advice)
{
    if (!field_true(advice, "nginx"))
        return "ciphers       ";
    return field_true(advice, "by_command") ? "ssl_conf_command CipherString " : "ssl_ciphers ";
}

/* Ready to be pasted: one line a directive, however long. */
static void print_block(FILE *out, const json_t *advice)
{
    struct text_buffer ciphers = {0}, suites = {0};
    bool nginx = field_true(advice, "nginx");
    double level;

    join(&ciphers, field_at(advice, "ciphers"), ":");
    join(&suites, field_at(advice, "ciphersuites"), ":");
    if (nginx)
        fputs("      ssl_prefer_server_ciphers on;\n", out);
    if (field_number(advice, "security_level", &level))
        text_buffer_add(&ciphers, ":@SECLEVEL=%.0f", level);
    if (json_array_size(field_at(advice, "ciphers")) > 0)
        fprintf(out, "      %s%s%s\n", cipher_label(advice), text_buffer_text(&ciphers),
                nginx ? ";" : "");
    if (suites.length > 0)
        fprintf(out,
                nginx ? "      ssl_conf_command Ciphersuites %s;\n" : "      TLS 1.3 suites %s\n",
                text_buffer_text(&suites));
    text_buffer_cleanup(&ciphers);
    text_buffer_cleanup(&suites);
}

void check_advice_print(FILE *out, const json_t *subject)
{
    const json_t *advice = field_at(subject, "advice");
    struct text_buffer line = {0};

    if (!advice)
        return;
    text_buffer_add(&line,
                    "  Advice: %s%s%s, each before another only where its measured interval "
                    "lies below (columns µs, then s/GB):",
                    field_true(advice, "removes") ? "without what is weak" : "",
                    field_true(advice, "removes") && field_true(advice, "reorders") ? ", and " : "",
                    field_true(advice, "reorders") ? "in the order of the server's cost"
                                                   : ", order unchanged");
    fputc('\n', out);
    wrap_print(out, text_buffer_text(&line), 4);
    print_block(out, advice);
    text_buffer_cleanup(&line);
    if (field_text(advice, "loses")[0] != '\0') {
        text_buffer_add(&line, "    Clients that then get nothing: %s.",
                        field_text(advice, "loses"));
        wrap_print(out, text_buffer_text(&line), 6);
        text_buffer_cleanup(&line);
    }
}

/* --- a live target --- */

static void print_words(FILE *out, const char *label, const json_t *array)
{
    struct text_buffer line = {0}, words = {0};

    join(&words, array, " ");
    text_buffer_add(&line, "  %s: %s", label, words.length ? text_buffer_text(&words) : "none");
    wrap_print(out, text_buffer_text(&line), 6);
    text_buffer_cleanup(&line);
    text_buffer_cleanup(&words);
}

void check_scan_print(FILE *out, const json_t *scan)
{
    const json_t *item;
    char label[128];
    size_t index;

    json_array_foreach(field_at(scan, "lists"), index, item)
    {
        const char *certificate = field_text(item, "certificate");
        snprintf(label, sizeof label, "TLS %s%s%s, order of the %s", field_text(item, "version"),
                 strcmp(certificate, "any") ? " with a certificate for " : "",
                 strcmp(certificate, "any") ? certificate : "", field_text(item, "preference"));
        print_words(out, label, field_at(item, "suites"));
    }
    print_words(out, "groups in TLS 1.3", json_object_get(field_at(scan, "groups"), "1.3"));
    print_words(out, "groups in TLS 1.2", json_object_get(field_at(scan, "groups"), "1.2"));
    json_array_foreach(field_at(scan, "certificates"), index, item)
    {
        double bits = 0;
        (void)field_number(item, "bits", &bits);
        fprintf(out, "  certificate: %s, %.0f bits %s\n", field_text(item, "type"), bits,
                field_text(item, "curve"));
    }
}
