#include "tests/fuzz/http_head_check.h"

#include <stddef.h>
#include <stdint.h>

/* libFuzzer target; run it as fuzz_http_head tests/corpus/http_head. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_http_input((const char *)data, size);
    return 0;
}
