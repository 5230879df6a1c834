#include "certs/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#define ARGUMENTS_MAX 6

/* A library that has every kind but ed448. */
static struct library_facts make_library(void)
{
    struct library_facts library = {.version = 0x30000000UL};
    for (size_t i = 0; i < kind_count; i++)
        library.kinds[i] = strcmp(kind_table[i].name, "ed448") != 0;
    return library;
}

static int count_of(const char *const *arguments)
{
    int count = 0;
    while (count < ARGUMENTS_MAX && arguments[count] != NULL)
        count++;
    return count;
}

static const struct {
    const char *arguments[ARGUMENTS_MAX];
    const char *reason; /* of a refusal; NULL: taken */
    const char *kinds;  /* in order, or NULL: not looked at */
} rows[] = {
    {{"x", "dir"}, NULL, NULL},
    {{"x", "dir", "--kinds", "ed25519,rsa-2048"}, NULL, "rsa-2048 ed25519 "},
    {{"x", "--kinds=RSA-2048", "dir", "--kinds", "rsa-2048"}, NULL, "rsa-2048 "},
    {{"x", "--kinds", "ecdsa-p256", "-f", "--", "dir"}, NULL, "ecdsa-p256 "},
    {{"x", "dir", "--kinds", "ecdsa-p265"}, "did you mean ecdsa-p256?", NULL},
    {{"x", "dir", "--kinds", "zzzzzzzz"}, "unknown certificate kind \"zzzzzzzz\"", NULL},
    {{"x", "dir", "--kinds", "ed448"}, "cannot make ed448", NULL},
    {{"x", "dir", "--kinds", ","}, "the list is empty", NULL},
    {{"x"}, "the folder is missing", NULL},
    {{"x", ""}, "the folder's name is empty", NULL},
    {{"x", "dir", "other"}, "\"other\" is one too many", NULL},
    {{"x", "dir", "--forse"}, "--force", NULL},
};

static void add_kinds(const struct certificate_kind *const *kinds, size_t count,
                      struct text_buffer *text)
{
    for (size_t i = 0; i < count; i++)
        text_buffer_add(text, "%s ", kinds[i]->name);
}

static void takes_and_refuses(void **state)
{
    (void)state;
    const struct library_facts library = make_library();
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char **arguments = (char **)(uintptr_t)rows[i].arguments;
        struct certs_options options = {0};
        struct text_list operands = {0};
        struct text_buffer names = {0};
        struct error err = {{0}};
        const struct certificate_kind *kinds[32];
        size_t count = 0;
        bool ok = certs_options_parse(&options, count_of(rows[i].arguments), arguments, &operands,
                                      &err) &&
                  certs_options_kinds(&options, &library, kinds, &count, &err);
        if (ok != (rows[i].reason == NULL) || (!ok && strstr(err.text, rows[i].reason) == NULL))
            fail_msg("row %zu: \"%s\"", i, err.text);
        add_kinds(kinds, count, &names);
        if (rows[i].kinds != NULL)
            assert_string_equal(text_buffer_text(&names), rows[i].kinds);
        else if (ok)
            assert_int_equal(count, kind_count - 1);
        text_buffer_cleanup(&names);
        certs_options_cleanup(&options);
        text_list_cleanup(&operands);
    }
}

static void help_needs_no_folder(void **state)
{
    (void)state;
    static const char *const words[] = {"--help", "-h", "--version"};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        const char *arguments[] = {"x", words[i], NULL};
        struct certs_options options = {0};
        struct text_list operands = {0};
        struct error err = {{0}};
        assert_true(
            certs_options_parse(&options, 2, (char **)(uintptr_t)arguments, &operands, &err));
        assert_true(options.help != options.version);
        certs_options_cleanup(&options);
        text_list_cleanup(&operands);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_and_refuses),
        cmocka_unit_test(help_needs_no_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
