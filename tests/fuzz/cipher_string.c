#include "client/check/ciphers.h"
#include "client/check/words.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* libFuzzer target; run it as fuzz_cipher_string tests/corpus/cipher_string. Words cover the string
 * without overlapping, and what is said about them stays inside it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_words(const char *string)
{
    struct cipher_word word;
    size_t offset = 0, end = 0, length = strlen(string);

    while (cipher_word_next(string, &offset, &word)) {
        if (word.length == 0 || word.start < end || word.start + word.length > length ||
            offset != word.start + word.length)
            abort();
        end = offset;
        free(cipher_word_copy(string, &word));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct cipher_place place = {"", true};
    struct finding_list findings = {.count = 0};
    char *string = malloc(size + 1);
    struct cipher_list *list = malloc(sizeof *list);

    if (string && list) {
        memcpy(string, data, size);
        string[size] = '\0';
        check_words(string);
        ciphers_read(string, &place, 2, list, &findings);
        cipher_list_cleanup(list);
        ciphers_read_13(string, &place, list, &findings);
        cipher_list_cleanup(list);
    }
    finding_cleanup(&findings);
    free(list);
    free(string);
    return 0;
}
