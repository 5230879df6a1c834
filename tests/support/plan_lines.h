#ifndef TESTS_SUPPORT_PLAN_LINES_H
#define TESTS_SUPPORT_PLAN_LINES_H

/* Plans of command lines, by libraries of known content and by the one that is here. Header only,
 * included behind cmocka.h. */

#include "client/plan.h"

#include <string.h>

#define PLAN_LINES_WORDS 12

/* A library as OpenSSL 3.0 builds are: nothing weak, nothing of later versions. */
static inline void plan_lines_old(struct library_facts *facts)
{
    static const char *const weak[] = {"_RC4_",  "_DES_", "3DES", "_IDEA_",
                                       "_SEED_", "_RC2_", "DES40"};

    memset(facts, 0, sizeof *facts);
    facts->version = 0x30000130UL; /* 3.0.19 */
    for (size_t i = 0; i < suite_count; i++) {
        struct suite_facts suite = suite_facts(&suite_table[i]);

        facts->suites[i] = suite_table[i].openssl && suite.exchange != EXCHANGE_OTHER &&
                           suite.exchange != EXCHANGE_NULL &&
                           (suite.exchange != EXCHANGE_TLS13 ||
                            (suite_table[i].code >= 0x1301 && suite_table[i].code <= 0x1305));
        for (size_t w = 0; w < sizeof weak / sizeof weak[0]; w++) {
            if (strstr(suite_table[i].iana, weak[w]))
                facts->suites[i] = false;
        }
    }
    for (size_t i = 0; i < kind_count; i++)
        facts->kinds[i] = strncmp(kind_table[i].name, "ml-", 3) != 0;
    for (size_t i = 0; i < group_count; i++)
        facts->groups[i] =
            !strstr(group_table[i].name, "MLKEM") && !strstr(group_table[i].name, "tls13");
}

/* The same with what OpenSSL 3.5 brought. */
static inline void plan_lines_new(struct library_facts *facts)
{
    plan_lines_old(facts);
    facts->version = 0x30500000UL;
    memset(facts->kinds, true, sizeof facts->kinds);
    memset(facts->groups, true, sizeof facts->groups);
}

struct libraries {
    struct library_facts old, new, real;
};

static inline int make_libraries(void **state)
{
    static struct libraries libraries;
    struct error err = {""};

    plan_lines_old(&libraries.old);
    plan_lines_new(&libraries.new);
    if (!library_init(false, &err) || !library_facts_read(&libraries.real, &err))
        fail_msg("%s", err.text);
    *state = &libraries;
    return 0;
}

/* Builds the plan of a command line, words separated by single blanks. */
static inline bool build(const char *line, const struct library_facts *library, struct plan *plan,
                         struct error *err)
{
    struct text_list words = {0};
    struct run_options options;
    char *argv[PLAN_LINES_WORDS + 1] = {(char *)(uintptr_t) "run"};
    bool ok;

    text_list_add_split(&words, line, " ");
    assert_true(words.count <= PLAN_LINES_WORDS);
    for (size_t i = 0; i < words.count; i++)
        argv[i + 1] = words.items[i];
    *plan = (struct plan){.count = 0};
    ok = run_options_parse((int)words.count + 1, argv, &options, err);
    if (ok) {
        ok = plan_build(&options, library, plan, err);
        run_options_cleanup(&options);
    }
    text_list_cleanup(&words);
    return ok;
}
/* The plan as text: an id a line, with ": reason" behind skips. */
static inline void print_plan(const struct plan *plan, struct text_buffer *text)
{
    for (size_t i = 0; i < plan->count; i++) {
        const struct planned_case *planned = &plan->cases[i];

        text_buffer_add(text, "%s%s%s\n", planned->test_case.id, planned->skipped[0] ? ": " : "",
                        planned->skipped);
    }
}
#endif
