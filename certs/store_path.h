#ifndef CERTS_STORE_PATH_H
#define CERTS_STORE_PATH_H

#include "common/base/error.h"

#include <limits.h>
#include <stddef.h>

/* Names inside a store's folder (store.h). */
#define STORE_ROOT       "root"
#define STORE_RSA_ISSUER "issuer-rsa"
#define STORE_EC_ISSUER  "issuer-ec"

#define STORE_PATH PATH_MAX

/* DIR/NAME+SUFFIX; fails when it is longer than `size`. */
bool store_path(char *path, size_t size, const char *dir, const char *name, const char *suffix,
                struct error *err) MUST_CHECK;

#endif
