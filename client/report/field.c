#include "client/report/field.h"

#include <string.h>

#define KEY_MAX 64

const json_t *field_at(const json_t *object, const char *path)
{
    while (object != NULL) {
        char key[KEY_MAX];
        size_t length = strcspn(path, ".");
        if (length >= sizeof key)
            return NULL;
        memcpy(key, path, length);
        key[length] = '\0';
        object = json_object_get(object, key);
        if (path[length] == '\0')
            break;
        path += length + 1;
    }
    return json_is_null(object) ? NULL : object;
}

const char *field_text(const json_t *object, const char *path)
{
    const char *text = json_string_value(field_at(object, path));

    return text != NULL ? text : "";
}

bool field_number(const json_t *object, const char *path, double *value)
{
    const json_t *number = field_at(object, path);

    if (!json_is_number(number))
        return false;
    *value = json_number_value(number);
    return true;
}

bool field_true(const json_t *object, const char *path)
{
    return json_is_true(field_at(object, path));
}
