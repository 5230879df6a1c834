#include "common/primitive/primitive.h"

#include "common/base/text.h"
#include "common/primitive/families.h"
#include "common/primitive/primitive_alias.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct primitive_table *const tables[] = {
    &cipher_primitives, &cipher_tls_primitives, &mcrypt_primitives,   &digest_primitives,
    &mac_primitives,    &signature_primitives,  &exchange_primitives, &decryption_primitives,
    &kem_primitives,    &yardstick_primitives,
};

const struct primitive *primitive_at(size_t index)
{
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        if (index < tables[i]->count)
            return &tables[i]->rows[index];
        index -= tables[i]->count;
    }
    return NULL;
}

/* The bits behind a row's name and one hyphen, 0 where the text is something else. */
static unsigned bits_behind(const char *name, const struct primitive *row)
{
    size_t length = strlen(row->name);

    if (!row->bits_open || !text_starts_nocase(name, row->name) || name[length] != '-')
        return 0;
    const char *digits = name + length + 1;
    size_t count = strspn(digits, "0123456789");
    return count > 0 && count < 10 && digits[count] == '\0' ? (unsigned)strtoul(digits, NULL, 10)
                                                            : 0;
}

/* By the rows' own names, or by those that OpenSSL has for their algorithms. */
static const struct primitive *find(const char *name, const char *backend, bool aliases,
                                    unsigned *bits)
{
    const struct primitive *row;

    for (size_t i = 0; (row = primitive_at(i)) != NULL; i++) {
        if (strcmp(row->class->backend, backend) != 0)
            continue;
        *bits = aliases ? 0 : bits_behind(name, row);
        if (*bits > 0 || (!row->bits_open && (aliases ? primitive_alias_is(row, name)
                                                      : text_equal_nocase(row->name, name))))
            return row;
    }
    return NULL;
}

const struct primitive *primitive_find(const char *name, const char *backend, unsigned *bits)
{
    const struct primitive *row = find(name, backend, false, bits);

    return row ? row : find(name, backend, true, bits);
}

char *primitive_name(const struct primitive_case *what, char text[static PRIMITIVE_NAME])
{
    if (what->bits > 0)
        (void)snprintf(text, PRIMITIVE_NAME, "%s-%u", what->primitive->name, what->bits);
    else
        (void)snprintf(text, PRIMITIVE_NAME, "%s", what->primitive->name);
    return text;
}

/* --- what is possible --- */

/* Whether the loaded library is older than "3.2". */
static bool is_before(const char *since)
{
    char *minor;
    unsigned long major = strtoul(since, &minor, 10);

    return OpenSSL_version_num() < (major << 28 | strtoul(minor + 1, NULL, 10) << 20);
}

bool primitive_available(const struct primitive *primitive, struct error *err)
{
    ERR_set_mark(); /* what the library has not is no error of ours */
    bool available = primitive->class->available(primitive, err);
    ERR_pop_to_mark();
    if (available)
        return true;
    if (primitive->legacy)
        return error_set(err, "needs the legacy provider");
    return primitive->since && is_before(primitive->since)
               ? error_set(err, "needs OpenSSL %s", primitive->since)
               : false;
}

bool primitive_possible(const struct primitive_case *what, struct error *err)
{
    const struct primitive_class *class = what->primitive->class;

    if (!(class->operations & PRIMITIVE_BIT(what->operation)))
        return error_set(err, "there is no %s with it", primitive_operation_name(what->operation));
    if (!(class->shapes & PRIMITIVE_BIT(what->shape)))
        return error_set(err, "the shape %s does not fit it", primitive_shape_name(what->shape));
    if (class->check && !class->check(what, err))
        return false;
    return primitive_available(what->primitive, err);
}

/* --- a task's life --- */

bool primitive_open(struct primitive_task *task, const struct primitive_case *what,
                    struct key_ring *keys, struct error *err)
{
    const struct primitive_class *class = what->primitive->class;

    *task = (struct primitive_task){.what = *what, .keys = keys};
    ERR_clear_error();
    if (primitive_possible(what, err) && class->set_up(task, err) && class->verify(task, err)) {
        ERR_clear_error(); /* refusals that were wanted */
        return true;
    }
    primitive_close(task);
    return false;
}

void primitive_close(struct primitive_task *task)
{
    if (task->what.primitive)
        task->what.primitive->class->release(task->state);
    *task = (struct primitive_task){0};
}

void primitive_note(struct primitive_task *task, const char *proof)
{
    size_t length = strlen(task->verified);

    (void)snprintf(task->verified + length, sizeof task->verified - length, "%s%s",
                   length > 0 ? ", " : "", proof);
}
