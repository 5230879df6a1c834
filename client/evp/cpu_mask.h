#ifndef CLIENT_EVP_CPU_MASK_H
#define CLIENT_EVP_CPU_MASK_H

#include "common/base/error.h"

#include <stdint.h>

/* What OpenSSL shall not see of an x86 CPU (OPENSSL_ia32cap(3)). The library reads the variable
 * when it is loaded, so that only a new process obeys it. */

#define CPU_MASK_TEXT  96
#define CPU_MASK_LABEL 128

#define CPU_MASK_WORDS 3
struct cpu_mask {
    uint64_t words[CPU_MASK_WORDS]; /* the bits to clear; OpenSSL 3.0 knows two of them */
    char label[CPU_MASK_LABEL];     /* the closed set: "aes, vaes" */
    char value[CPU_MASK_TEXT];      /* of OPENSSL_ia32cap: "~0x2000…:~0x200…:~0:~0:~0" */
};

#define CPU_MASK_VARIABLE "OPENSSL_ia32cap"

/* From "aes,avx2" in any case, closed over what depends on the features: without aes no vaes. An
 * unknown name is an error that lists the names; on other CPUs than x86 any is. */
bool cpu_mask_build(const char *features, struct cpu_mask *mask, struct error *err) MUST_CHECK;

/* Proves by OPENSSL_info's text of a library ("CPUINFO: OPENSSL_ia32cap=0x…:0x… env:…") that none
 * of the mask's bits is left. */
bool cpu_mask_prove(const struct cpu_mask *mask, const char *cpu_settings,
                    struct error *err) MUST_CHECK;

/* A mask that is set already would be mixed up with ours: the figures "with all features" would
 * lack some. */
bool cpu_mask_is_free(struct error *err) MUST_CHECK;

/* For a program that shall itself run without the features: starts it again as `subcommand` with
 * the variable set, unless that has been done, and then proves it. Call it before OpenSSL does
 * anything else. Returns only when there is nothing more to do (true) or it cannot. argv[0] is not
 * passed on. */
bool cpu_mask_restart(const struct cpu_mask *mask, const char *subcommand, int argc, char **argv,
                      struct error *err) MUST_CHECK;

#endif
