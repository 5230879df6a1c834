#include "client/report/check_parts.h"

#include "client/report/field.h"
#include "client/report/wrap.h"
#include "common/base/text.h"

#include <string.h>

#define INDENT 16

static void print_labelled(FILE *out, const char *label, const char *text)
{
    struct text_buffer line = {0};

    if (text[0] == '\0')
        return;
    text_buffer_add(&line, "  %-*s%s", INDENT - 2, label, text);
    wrap_print(out, text_buffer_text(&line), INDENT);
    text_buffer_cleanup(&line);
}

static void add_words(struct text_buffer *text, const json_t *array)
{
    const json_t *item;
    size_t index;

    json_array_foreach(array, index, item)
    {
        if (json_is_string(item))
            text_buffer_add(text, "%s%s", text->length ? " " : "", json_string_value(item));
    }
}

static void print_list(FILE *out, const char *label, const json_t *array, const char *place)
{
    struct text_buffer text = {0};

    add_words(&text, array);
    if (text.length > 0 && place[0] != '\0')
        text_buffer_add(&text, " (%s)", place);
    print_labelled(out, label, text_buffer_text(&text));
    text_buffer_cleanup(&text);
}

static void print_certificates(FILE *out, const json_t *subject)
{
    const json_t *certificates = field_at(subject, "certificates"), *item;
    struct text_buffer text = {0};
    size_t index;

    json_array_foreach(certificates, index, item)
    {
        const char *file = field_text(item, "file");
        text_buffer_add(&text, "%s%s", text.length ? ", " : "", field_text(item, "kind"));
        if (file[0] != '\0')
            text_buffer_add(&text, " %s", file);
        if (field_true(item, "stand_in"))
            text_buffer_add(&text, " (tried with a stand-in)");
    }
    print_labelled(out, "certificates", text_buffer_text(&text));
    text_buffer_cleanup(&text);
}

static void print_suites(FILE *out, const json_t *subject)
{
    struct text_buffer text = {0};
    double listed = 0, usable = 0, tried, negotiated, refused, surprises;

    (void)field_number(subject, "listed", &listed);
    (void)field_number(subject, "usable", &usable);
    if (!field_true(subject, "starts")) {
        text_buffer_add(&text,
                        "%.0f in the lists; none is usable: nginx does not start, see the "
                        "errors below",
                        listed);
        print_labelled(out, "suites", text_buffer_text(&text));
        text_buffer_cleanup(&text);
        return;
    }
    text_buffer_add(&text, "%.0f in the lists; %.0f pair%s of suite and certificate usable", listed,
                    usable, usable == 1 ? "" : "s");
    if (field_number(subject, "proof.tried", &tried) &&
        field_number(subject, "proof.negotiated", &negotiated) &&
        field_number(subject, "proof.refused", &refused) &&
        field_number(subject, "proof.surprises", &surprises))
        text_buffer_add(&text,
                        "; proved by %.0f handshakes: %.0f negotiated, %.0f refused, %s expected",
                        tried, negotiated, refused, surprises > 0 ? "NOT all as" : "all as");
    print_labelled(out, "suites", text_buffer_text(&text));
    text_buffer_cleanup(&text);
}

static void print_rest(FILE *out, const json_t *subject)
{
    struct text_buffer text = {0};
    double level = 0, bits;

    (void)field_number(subject, "security_level", &level);
    text_buffer_add(&text, "security level %.0f, the %s chooses the suite", level,
                    field_true(subject, "prefer_server") ? "server" : "client");
    if (field_number(subject, "dh.bits", &bits))
        text_buffer_add(&text, ", DH parameters of %.0f bits", bits);
    else
        text_buffer_add(&text, ", DH parameters: %s", field_text(subject, "dh.source"));
    print_labelled(out, "also", text_buffer_text(&text));
    text_buffer_cleanup(&text);
}

void check_heading_print(FILE *out, const json_t *subject)
{
    wrap_print(out, field_text(subject, "name"), 2);
    if (field_true(subject, "refused")) {
        print_labelled(out, "", "does not start with these settings: see the errors below");
        return;
    }
    if (field_text(subject, "same_as")[0] != '\0') {
        print_labelled(out, "same as", field_text(subject, "same_as"));
        return;
    }
    print_list(out, "versions", field_at(subject, "versions"),
               field_text(subject, "versions_set.place"));
    print_list(out, "groups", field_at(subject, "groups"), field_text(subject, "groups_set.place"));
    print_certificates(out, subject);
    print_rest(out, subject);
    print_suites(out, subject);
    print_labelled(out, "shorter", field_text(subject, "simpler"));
}
