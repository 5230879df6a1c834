#include "client/check/nginx_block.h"

#include "common/base/text.h"

/* What nginx asks of a line before OpenSSL sees its value: tried with nginx 1.22.1. */

struct line_form {
    size_t least, most;       /* arguments */
    bool once;                /* in a block */
    const char *const *words; /* the only ones that are taken, in any case; NULL: any */
};

#define ANY_NUMBER 100

static const char *const switch_words[] = {"on", "off", NULL};
static const char *const verify_words[] = {"on", "off", "optional", "optional_no_ca", NULL};
static const char *const protocol_words[] = {"SSLv2",   "SSLv3",   "TLSv1", "TLSv1.1",
                                             "TLSv1.2", "TLSv1.3", NULL};

static const struct line_form forms[NGINX_SETTINGS] = {
    [NGINX_PROTOCOLS] = {1, ANY_NUMBER, false, protocol_words},
    [NGINX_CIPHERS] = {1, 1, true, NULL},
    [NGINX_CONF_COMMAND] = {2, 2, false, NULL},
    [NGINX_ECDH_CURVE] = {1, 1, true, NULL},
    [NGINX_PREFER_SERVER] = {1, 1, true, switch_words},
    [NGINX_CERTIFICATE] = {1, 1, false, NULL},
    [NGINX_CERTIFICATE_KEY] = {1, 1, false, NULL},
    [NGINX_PASSWORD_FILE] = {1, 1, true, NULL},
    [NGINX_DHPARAM] = {1, 1, true, NULL},
    [NGINX_SESSION_TICKETS] = {1, 1, true, switch_words},
    [NGINX_SESSION_CACHE] = {1, 2, false, NULL},
    [NGINX_VERIFY_CLIENT] = {1, 1, true, verify_words},
    [NGINX_SSL] = {1, 1, true, switch_words},
};

static bool is_one_of(const char *word, const char *const *words)
{
    for (size_t i = 0; words[i]; i++)
        if (text_equal_nocase(word, words[i]))
            return true;
    return false;
}

static const char *bad_word(const struct nginx_directive *line, const struct line_form *form)
{
    for (size_t i = 0; form->words && i + 1 < line->words.count; i++)
        if (!is_one_of(nginx_directive_argument(line, i), form->words))
            return nginx_directive_argument(line, i);
    return NULL;
}

static void refuse(const struct nginx_directive *line, const char *word, const char *remedy,
                   const char *text, struct check_subject *subject, struct finding_list *findings)
{
    char place[BLOCK_PLACE];

    finding_add(findings, FINDING_ERROR, "refused line", word, block_place(line, place), remedy,
                "%s, and nginx does not start", text);
    subject->refused = true;
}

static void look_at(const struct nginx_directive *line, const struct line_form *form, bool again,
                    struct check_subject *subject, struct finding_list *findings)
{
    const char *name = nginx_directive_name(line);
    size_t count = line->words.count - 1; /* behind the name */

    if (count < form->least || count > form->most)
        refuse(line, name,
               "one value with blanks goes between quotes; is the semicolon of the line before "
               "there?",
               "it has not the number of arguments that the directive takes", subject, findings);
    else if (bad_word(line, form))
        refuse(line, bad_word(line, form),
               "see the directive's values; is the semicolon of the line there?",
               "the directive has no such value", subject, findings);
    else if (again && form->once)
        refuse(line, name, "keep one of them", "the directive stands twice in one block", subject,
               findings);
}

void block_check_lines(const struct nginx_block *block, struct check_subject *subject,
                       struct finding_list *findings)
{
    for (int s = 0; s < NGINX_SETTINGS; s++) {
        const struct nginx_values *values = &block->own->values[s];
        for (size_t i = 0; i < values->count; i++)
            look_at(values->items[i], &forms[s], i > 0, subject, findings);
    }
}
