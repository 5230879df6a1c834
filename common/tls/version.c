#include "common/tls/version.h"

#include "common/base/text.h"

#include <stddef.h>

static const struct {
    int version;
    const char *name;
    const char *openssl;
} version_table[] = {
    {TLS1_VERSION, "1.0", "TLSv1"},
    {TLS1_1_VERSION, "1.1", "TLSv1.1"},
    {TLS1_2_VERSION, "1.2", "TLSv1.2"},
    {TLS1_3_VERSION, "1.3", "TLSv1.3"},
};

static const size_t version_count = sizeof version_table / sizeof version_table[0];

int tls_version_parse(const char *text)
{
    const char *number = text;

    if (text_starts_nocase(text, "tlsv"))
        number += 4;
    else if (text_starts_nocase(text, "tls"))
        number += 3;
    for (size_t i = 0; i < version_count; i++)
        if (text_equal_nocase(number, version_table[i].name) ||
            text_equal_nocase(text, version_table[i].openssl))
            return version_table[i].version;
    return 0;
}

const char *tls_version_name(int version)
{
    for (size_t i = 0; i < version_count; i++)
        if (version_table[i].version == version)
            return version_table[i].name;
    return "?";
}
