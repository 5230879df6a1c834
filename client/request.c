#include "client/request.h"

#include "common/http/head.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

/* More than any window can move: bulk ends when the drain stops it. */
#define ENDLESS (UINT64_C(1) << 50)

size_t request_write(char text[static REQUEST_MAX], const struct test_case *test_case,
                     const struct load_settings *load, enum confirmation confirm)
{
    char path[64];
    bool bulk = test_case->measure == MEASURE_BULK;
    if (bulk && test_case->direction == DIRECTION_UPLOAD)
        return http_write_request(text, REQUEST_MAX, "POST", "/sink", load->host, ENDLESS, true);
    if (bulk && load->suitemark_names) {
        (void)snprintf(path, sizeof path, "/bytes/%" PRIu64 "?record=%u", ENDLESS,
                       test_case->record_size);
        return http_write_request(text, REQUEST_MAX, "GET", path, load->host, UINT64_MAX, true);
    }
    if (bulk || confirm == CONFIRM_RESPONSE)
        return http_write_request(text, REQUEST_MAX, "GET", load->path, load->host, UINT64_MAX,
                                  bulk);
    return 0;
}
