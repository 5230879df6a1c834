#include "client/evp/cpu_mask.h"

#include "common/base/memory.h"
#include "common/base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__i386__)
#define IS_X86 true
#else
#define IS_X86 false
#endif

/* A feature, its bits in the first words, and the features that OpenSSL's code takes only together
 * with it, or would take in its place: RSA by AVX-IFMA where there is no AVX-512. AVX-512 is the
 * five parts that OpenSSL asks for. */
static const struct feature {
    const char *name;
    uint64_t words[CPU_MASK_WORDS];
    const char *dependants; /* comma-separated; closed by repetition */
} features[] = {
    {"aes", {UINT64_C(1) << 57, 0, 0}, "vaes"},
    {"pclmul", {UINT64_C(1) << 33, 0, 0}, "vpclmul"},
    {"ssse3", {UINT64_C(1) << 41, 0, 0}, "avx,sha"},
    {"avx", {UINT64_C(1) << 60, 0, 0}, "avx2"},
    {"avx2", {0, UINT64_C(1) << 5, 0}, "avx512,avxifma,vaes,vpclmul,sha512"},
    {"avx512", {0, UINT64_C(0xC0230000), 0}, ""},
    {"avxifma", {0, 0, UINT64_C(1) << 55}, ""},
    {"vaes", {0, UINT64_C(1) << 41, 0}, ""},
    {"vpclmul", {0, UINT64_C(1) << 42, 0}, ""},
    {"sha", {0, UINT64_C(1) << 29, 0}, "sha512"},
    {"sha512", {0, 0, UINT64_C(1) << 32}, ""},
    {"bmi2", {0, UINT64_C(1) << 8, 0}, ""},
    {"adx", {0, UINT64_C(1) << 19, 0}, ""},
};

#define FEATURES (sizeof features / sizeof features[0])

static const char *next_name(size_t index, const void *context)
{
    (void)context;
    return index < FEATURES ? features[index].name : NULL;
}

static const struct feature *find(const char *name)
{
    for (size_t i = 0; i < FEATURES; i++)
        if (text_equal_nocase(features[i].name, name))
            return &features[i];
    return NULL;
}

static bool refuse(const char *name, struct error *err)
{
    const char *nearest = text_nearest(name, next_name, NULL);
    struct text_buffer names = {0};

    for (size_t i = 0; i < FEATURES; i++)
        text_buffer_add(&names, "%s%s", i > 0 ? ", " : "", features[i].name);
    (void)error_set(err, "unknown CPU feature \"%s\"%s%s; there are: %s", name,
                    nearest ? ", did you mean " : "", nearest ? nearest : "", names.text);
    text_buffer_cleanup(&names);
    return false;
}

/* Adds the features of a list, and all that depend on them. */
static bool add(const char *list, bool off[static FEATURES], struct error *err)
{
    struct text_list names = {0};
    bool ok = true;

    text_list_add_split(&names, list, ",");
    for (size_t i = 0; i < names.count && ok; i++) {
        const struct feature *feature = find(names.items[i]);
        if (!feature) {
            ok = refuse(names.items[i], err);
        } else if (!off[feature - features]) {
            off[feature - features] = true;
            ok = add(feature->dependants, off, err);
        }
    }
    text_list_cleanup(&names);
    return ok;
}

bool cpu_mask_build(const char *list, struct cpu_mask *mask, struct error *err)
{
    bool off[FEATURES] = {false};
    size_t length = 0;

    *mask = (struct cpu_mask){0};
    if (!IS_X86)
        return error_set(err, "CPU features can be left out on x86 only");
    if (!add(list, off, err))
        return false;
    for (size_t i = 0; i < FEATURES; i++) {
        if (!off[i])
            continue;
        for (size_t word = 0; word < CPU_MASK_WORDS; word++)
            mask->words[word] |= features[i].words[word];
        length += (size_t)snprintf(mask->label + length, sizeof mask->label - length, "%s%s",
                                   length > 0 ? ", " : "", features[i].name);
    }
    if (length == 0)
        return error_set(err, "no CPU feature is named");
    /* OpenSSL 3.5 has five words, and clears those that are left out. */
    (void)snprintf(mask->value, sizeof mask->value,
                   "~0x%" PRIx64 ":~0x%" PRIx64 ":~%s%" PRIx64 ":~0:~0", mask->words[0],
                   mask->words[1], mask->words[2] ? "0x" : "", mask->words[2]);
    return true;
}

bool cpu_mask_prove(const struct cpu_mask *mask, const char *cpu_settings, struct error *err)
{
    const char *start = cpu_settings ? strstr(cpu_settings, "ia32cap=") : NULL;
    char *end;

    if (!start)
        return error_set(err, "OpenSSL does not tell which CPU features it uses");
    bool left = false;
    start += strlen("ia32cap=");
    for (size_t word = 0; word < CPU_MASK_WORDS; word++) {
        left |= (strtoull(start, &end, 16) & mask->words[word]) != 0;
        if (*end != ':') /* a version that knows fewer words */
            break;
        start = end + 1;
    }
    if (!left)
        return true;
    return error_set(err, "OpenSSL did not obey %s=%s: %s", CPU_MASK_VARIABLE, mask->value,
                     cpu_settings);
}

bool cpu_mask_is_free(struct error *err)
{
    const char *set = getenv(CPU_MASK_VARIABLE);

    return !set || error_set(err, "%s is set already (%s): unset it, or leave --cpu-without out",
                             CPU_MASK_VARIABLE, set);
}

static bool start_again(const char *subcommand, int argc, char **argv, struct error *err)
{
    char **again = memory_new((size_t)argc + 2, sizeof *again);

    again[0] = memory_copy_text("suitemark");
    again[1] = memory_copy_text(subcommand);
    for (int i = 1; i < argc; i++)
        again[i + 1] = argv[i];
    (void)execv("/proc/self/exe", again);
    (void)error_set(err, "cannot start this program again: %s", strerror(errno));
    free(again[0]);
    free(again[1]);
    free(again);
    return false;
}

bool cpu_mask_restart(const struct cpu_mask *mask, const char *subcommand, int argc, char **argv,
                      struct error *err)
{
    const char *set = getenv(CPU_MASK_VARIABLE);

    if (set && strcmp(set, mask->value) == 0)
        return cpu_mask_prove(mask, OPENSSL_info(OPENSSL_INFO_CPU_SETTINGS), err);
    if (!cpu_mask_is_free(err))
        return false;
    if (setenv(CPU_MASK_VARIABLE, mask->value, 1) != 0)
        return error_set(err, "setenv: %s", strerror(errno));
    return start_again(subcommand, argc, argv, err);
}
