#include "client/check/input.h"

#include "common/base/memory.h"
#include "common/base/text.h"

#include <stdlib.h>

static struct check_subject *add(struct check_subject **list, size_t *count, const char *name,
                                 const char *place)
{
    *list = memory_grow(*list, *count + 1, sizeof **list);
    struct check_subject *subject = &(*list)[(*count)++];
    *subject =
        (struct check_subject){.name = memory_copy_text(name), .place = memory_copy_text(place)};
    text_clean_utf8(subject->name);
    text_clean_utf8(subject->place);
    return subject;
}

struct check_subject *input_add(struct check_input *input, const char *name, const char *place)
{
    return add(&input->subjects, &input->count, name, place);
}

struct check_subject *input_add_aside(struct check_input *input, const char *name,
                                      const char *place)
{
    return add(&input->asides, &input->aside_count, name, place);
}

void input_cleanup(struct check_input *input)
{
    for (size_t i = 0; i < input->count; i++)
        subject_cleanup(&input->subjects[i]);
    for (size_t i = 0; i < input->aside_count; i++)
        subject_cleanup(&input->asides[i]);
    free(input->subjects);
    free(input->asides);
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
