#include "client/check/input.h"

#include "common/base/memory.h"
#include "common/base/text.h"

#include <stdlib.h>

struct check_subject *input_add(struct check_input *input, const char *name, const char *place)
{
    input->subjects = memory_grow(input->subjects, input->count + 1, sizeof *input->subjects);
    struct check_subject *subject = &input->subjects[input->count++];
    *subject =
        (struct check_subject){.name = memory_copy_text(name), .place = memory_copy_text(place)};
    text_clean_utf8(subject->name);
    text_clean_utf8(subject->place);
    return subject;
}

void input_cleanup(struct check_input *input)
{
    for (size_t i = 0; i < input->count; i++)
        subject_cleanup(&input->subjects[i]);
    free(input->subjects);
    *input = (struct check_input){.count = 0};
}

bool input_add_kinds(struct check_subject *subject, const struct text_list *kinds,
                     struct error *err)
{
    static const char *const usual[] = {"rsa-2048", "ecdsa-p256"};
    size_t count = kinds->count ? kinds->count : sizeof usual / sizeof usual[0];

    for (size_t i = 0; i < count; i++)
        if (!certificate_add_kind(&subject->certificates, kinds->count ? kinds->items[i] : usual[i],
                                  NULL, err))
            return error_prefix(err, "--certs");
    return true;
}
