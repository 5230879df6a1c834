#include "client/report/table_parts.h"

#include "client/report/field.h"
#include "client/report/wrap.h"
#include "common/base/memory.h"
#include "common/base/text.h"

#include <stdlib.h>
#include <string.h>

#define LEAST_SHARE 0.005 /* what rounds to 0 % is not worth a word */
#define MUCH_OVER   0.05  /* shares over 100 % together, beyond what rounding makes */

/* --- where the cost is --- */

/* Fields that may tell two rows apart, in the order in which people name them. */
static const char *const label_fields[] = {"certificate", "version",     "suite",
                                           "group",       "record_size", "direction"};

static bool varies(const struct section *section, const char *name)
{
    for (size_t i = 1; i < section->row_count; i++)
        if (!json_equal(json_object_get(section->rows[0], name),
                        json_object_get(section->rows[i], name)))
            return true;
    return false;
}

static void add_label(const struct section *section, const json_t *item, struct text_buffer *text)
{
    struct text_buffer label = {0};

    for (size_t i = 0; i < sizeof label_fields / sizeof label_fields[0]; i++)
        if (varies(section, label_fields[i]))
            sentence_add_value(&label, item, label_fields[i], " ");
    if (label.length == 0)
        sentence_add_value(&label, item, "certificate", " ");
    text_buffer_add(text, "%s", text_buffer_text(&label));
    text_buffer_cleanup(&label);
}

/* The document's names of shares, and people's. */
static const struct share_name {
    const char *key, *text;
} share_names[] = {
    {"signature", "signature"},
    {"key_exchange", "key exchange"},
    {"chain", "certificate chain"},
    {"cipher", "cipher"},
    {"mac", "MAC"},
    {"libssl", "libssl"},
    {"kernel", "kernel"},
    {"rest", "sockets and event loop"},
};

static void add_shares(const json_t *shares, struct text_buffer *text)
{
    const char *separator = "";
    double rest;

    for (size_t i = 0; i < sizeof share_names / sizeof share_names[0]; i++) {
        double share;
        if (!field_number(shares, share_names[i].key, &share) || share < LEAST_SHARE)
            continue;
        text_buffer_add(text, "%s%s %.0f %%", separator, share_names[i].text, 100 * share);
        separator = ", ";
    }
    if (field_number(shares, "rest", &rest) && rest < -MUCH_OVER)
        text_buffer_add(text, " (%.0f %% over in all: each is measured apart)", -100 * rest);
}

static const json_t *shares_of(const json_t *item, const char *side)
{
    return field_at(field_at(field_at(item, "layers"), side), "shares");
}

/* What the wire costs that side, in the unit of the row's measure. */
static double wire_of(const struct section *section, const json_t *item, const char *side)
{
    bool bulk = strcmp(section->measure, "bulk") == 0;
    double cost = 0;

    (void)field_number(field_at(item, side),
                       bulk ? "cpu_ns_per_byte.median" : "cpu_us_per_handshake.median", &cost);
    return cost;
}

static const json_t *dearest_row(const struct section *section, const char *side)
{
    const json_t *dearest = NULL;

    for (size_t i = 0; i < section->row_count; i++) {
        const json_t *item = section->rows[i];
        if (shares_of(item, side) &&
            (!dearest || wire_of(section, item, side) > wire_of(section, dearest, side)))
            dearest = item;
    }
    return dearest;
}

static void add_row(const struct section *section, const json_t *item, const char *side,
                    struct text_buffer *text)
{
    text_buffer_add(text, "%s", text->length > 0 ? "; " : "Where the cost is: ");
    add_label(section, item, text);
    text_buffer_add(text, ", %s: ", side);
    add_shares(shares_of(item, side), text);
}

/* The first row and the dearest: of the server where it is known, else of the client. */
static void print_sentence(FILE *out, const struct section *section)
{
    const char *side = dearest_row(section, "server") ? "server" : "client";
    const json_t *first = section->rows[0], *dearest = dearest_row(section, side);
    struct text_buffer text = {0};

    if (!dearest)
        return;
    if (shares_of(first, side))
        add_row(section, first, side, &text);
    if (dearest != first)
        add_row(section, dearest, side, &text);
    text_buffer_add(&text, ".");
    wrap_print(out, text_buffer_text(&text), 2);
    text_buffer_cleanup(&text);
}

/* --- what the columns mean --- */

static void print_legend(FILE *out, const struct section *section)
{
    bool bulk = strcmp(section->measure, "bulk") == 0;
    const char *hint = field_text(section->rows[0], "layers.hint");
    struct text_buffer text = {0};

    text_buffer_add(
        &text,
        "prim: what the side must compute, timed alone (%s); mem: %s by libssl over memory BIOs in "
        "one thread; wire: its cost above, split into user and system time; eff%%: prim of wire. "
        "libssl: mem less prim; kernel: system time, on loopback partly the peer's.",
        bulk ? "cipher, MAC" : "signature, key exchange; no hashes, no key derivation",
        bulk ? "the same records" : "the same handshake");
    wrap_print(out, text_buffer_text(&text), 0);
    text_buffer_cleanup(&text);
    if (hint[0] != '\0') {
        text_buffer_add(&text, "The server's layers are not known from here: %s.", hint);
        wrap_print(out, text_buffer_text(&text), 2);
        text_buffer_cleanup(&text);
    }
}

static void print_reasons(FILE *out, const struct section *section)
{
    for (size_t i = 0; i < section->row_count; i++) {
        const char *reason = field_text(section->rows[i], "layers.reason");
        struct text_buffer text = {0};
        if (reason[0] == '\0')
            continue;
        text_buffer_add(&text, "no layer of %s: %s", field_text(section->rows[i], "id"), reason);
        wrap_print(out, text_buffer_text(&text), 2);
        text_buffer_cleanup(&text);
    }
}

void layers_print(FILE *out, const struct section *section)
{
    struct section layers = *section;

    layers.layers = true;
    layers.rows = memory_new(section->row_count + 1, sizeof *layers.rows);
    layers.row_count = 0;
    for (size_t i = 0; i < section->row_count; i++)
        if (section_has_figures(section->rows[i]) && field_at(section->rows[i], "layers.client"))
            layers.rows[layers.row_count++] = section->rows[i];
    if (layers.row_count > 0) {
        fputc('\n', out);
        (void)body_print(out, &layers);
        print_sentence(out, &layers);
        print_legend(out, &layers);
        print_reasons(out, &layers);
    }
    free(layers.rows);
}
