#ifndef CLIENT_CHECK_SOFT_H
#define CLIENT_CHECK_SOFT_H

#include "common/base/error.h"

#include <stdbool.h>

/* How fast a client without AES instructions encrypts: measured on this CPU by `suitemark evp` in a
 * process that does not see them (x86 only). */
struct soft_speeds {
    double aes, chacha; /* bytes/s of AES-128-GCM and ChaCha20-Poly1305, records of 16 KiB */
};

bool soft_measure(struct soft_speeds *speeds, struct error *err) MUST_CHECK;

#endif
