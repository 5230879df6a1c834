#include "certs/store_path.h"

#include <stdio.h>

bool store_path(char *path, size_t size, const char *dir, const char *name, const char *suffix,
                struct error *err)
{
    int length = snprintf(path, size, "%s/%s%s", dir, name, suffix);
    if (length < 0 || (size_t)length >= size)
        return error_set(err, "the path of %s%s in %.64s… is too long", name, suffix, dir);
    return true;
}
