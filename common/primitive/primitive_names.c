#include "common/base/text.h"
#include "common/primitive/primitive.h"

static const char *const family_names[FAMILY_COUNT] = {
    [FAMILY_CIPHER] = "cipher",       [FAMILY_DIGEST] = "digest",     [FAMILY_MAC] = "mac",
    [FAMILY_SIGNATURE] = "signature", [FAMILY_EXCHANGE] = "exchange", [FAMILY_KEM] = "kem",
    [FAMILY_YARDSTICK] = "yardstick",
};

static const char *const operation_names[OPERATION_COUNT] = {
    [OPERATION_ENCRYPT] = "encrypt",
    [OPERATION_DECRYPT] = "decrypt",
    [OPERATION_DIGEST] = "digest",
    [OPERATION_MAC] = "mac",
    [OPERATION_SIGN] = "sign",
    [OPERATION_VERIFY] = "verify",
    [OPERATION_KEYGEN] = "keygen",
    [OPERATION_DERIVE] = "derive",
    [OPERATION_EXCHANGE] = "exchange",
    [OPERATION_ENCAPSULATE] = "encapsulate",
    [OPERATION_DECAPSULATE] = "decapsulate",
    [OPERATION_COPY] = "copy",
    [OPERATION_NOTHING] = "nothing",
};

static const char *const shape_names[SHAPE_COUNT + 1] = {
    [SHAPE_STREAM] = "stream",
    [SHAPE_MESSAGE] = "message",
    [SHAPE_RECORD] = "record",
    [SHAPE_ONESHOT] = "oneshot",
};

const char *primitive_family_name(enum primitive_family family)
{
    return family_names[family];
}

const char *primitive_operation_name(enum primitive_operation operation)
{
    return operation_names[operation];
}

const char *primitive_shape_name(enum primitive_shape shape)
{
    return shape_names[shape];
}

static const char *next_shape(size_t index, const void *context)
{
    (void)context;
    return shape_names[index];
}

bool primitive_shape_parse(const char *text, enum primitive_shape *shape, struct error *err)
{
    for (int i = 0; i < SHAPE_COUNT; i++) {
        if (text_equal_nocase(text, shape_names[i])) {
            *shape = (enum primitive_shape)i;
            return true;
        }
    }
    const char *nearest = text_nearest(text, next_shape, NULL);
    return error_set(err, "unknown shape \"%s\"%s%s; there are: stream, message, record, oneshot",
                     text, nearest ? ", did you mean " : "", nearest ? nearest : "");
}
