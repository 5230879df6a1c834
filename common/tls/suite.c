#include "common/tls/suite.h"

#include "common/base/text.h"

#include <stdio.h>
#include <stdlib.h>

static bool suite_is_called(const struct suite *suite, const char *name)
{
    return text_equal_nocase(suite->iana, name) ||
           (suite->openssl && text_equal_nocase(suite->openssl, name));
}

static const struct suite *suite_find_exact(const char *name)
{
    for (size_t i = 0; i < suite_count; i++)
        if (suite_is_called(&suite_table[i], name))
            return &suite_table[i];
    return NULL;
}

const struct suite *suite_find(const char *name)
{
    const struct suite *suite = suite_find_exact(name);
    char renamed[64];

    if (suite || !text_starts_nocase(name, "EDH-"))
        return suite;
    /* OpenSSL 1.1 renamed EDH-RSA-DES-CBC3-SHA and its like; old configurations keep the old name.
     */
    int length = snprintf(renamed, sizeof renamed, "DHE-%s", name + 4);
    if (length < 0 || (size_t)length >= sizeof renamed)
        return NULL;
    return suite_find_exact(renamed);
}

static int suite_compare_code(const void *key, const void *row)
{
    return (int)*(const uint16_t *)key - (int)((const struct suite *)row)->code;
}

const struct suite *suite_by_code(uint16_t code)
{
    return bsearch(&code, suite_table, suite_count, sizeof suite_table[0], suite_compare_code);
}

const char *suite_name(const struct suite *suite)
{
    return suite->openssl ? suite->openssl : suite->iana;
}

/* Even places are OpenSSL's names, odd ones IANA's; so the former win where both are as near. */
static const char *suite_candidate(size_t index, const void *context)
{
    (void)context;
    if (index / 2 >= suite_count)
        return NULL;
    const struct suite *suite = &suite_table[index / 2];
    return index % 2 == 0 ? suite_name(suite) : suite->iana;
}

const char *suite_nearest(const char *word)
{
    return text_nearest(word, suite_candidate, NULL);
}
