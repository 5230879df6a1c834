#include "client/case.h"

#include "common/base/text.h"
#include "common/base/units.h"
#include "common/tls/version.h"

#include <inttypes.h>
#include <stdio.h>

const char *measure_name(enum measure measure)
{
    return measure == MEASURE_BULK ? "bulk" : "handshake";
}

const char *direction_name(enum direction direction)
{
    return direction == DIRECTION_UPLOAD ? "upload" : "download";
}

bool measure_parse(const char *word, enum measure *measure, struct error *err)
{
    for (int i = MEASURE_HANDSHAKE; i <= MEASURE_BULK; i++) {
        if (text_equal_nocase(word, measure_name((enum measure)i))) {
            *measure = (enum measure)i;
            return true;
        }
    }
    return error_set(err, "unknown measure \"%s\"; there are: handshake, bulk", word);
}

bool direction_parse(const char *word, enum direction *direction, struct error *err)
{
    for (int i = DIRECTION_DOWNLOAD; i <= DIRECTION_UPLOAD; i++) {
        if (text_equal_nocase(word, direction_name((enum direction)i))) {
            *direction = (enum direction)i;
            return true;
        }
    }
    return error_set(err, "unknown direction \"%s\"; there are: download, upload", word);
}

bool record_size_parse(const char *word, uint32_t *bytes, struct error *err)
{
    uint64_t size = 0;

    if (!units_parse_size(word, &size, err))
        return false;
    if (size < 1 || size > RECORD_SIZE_MAX)
        return error_set(err, "record size \"%s\" is not from 1 to %d bytes", word,
                         RECORD_SIZE_MAX);
    *bytes = (uint32_t)size;
    return true;
}

void case_set_id(struct test_case *test_case)
{
    char bulk[32] = "";

    if (test_case->measure == MEASURE_BULK)
        snprintf(bulk, sizeof bulk, "/%" PRIu32 "/%s", test_case->record_size,
                 direction_name(test_case->direction));
    snprintf(test_case->id, sizeof test_case->id, "%s/%s/%s/%s/%s%s",
             measure_name(test_case->measure), tls_version_name(test_case->version),
             suite_name(test_case->suite), test_case->kind->name,
             test_case->group ? test_case->group->name : "-", bulk);
}

bool case_has_group(const struct suite *suite)
{
    enum suite_exchange exchange = suite_facts(suite).exchange;

    return exchange == EXCHANGE_TLS13 || exchange == EXCHANGE_ECDHE;
}
