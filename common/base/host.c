#include "common/base/host.h"

#include "common/base/file.h"
#include "common/base/memory.h"
#include "common/base/text.h"

#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

/* What changes the cost of TLS, as /proc/cpuinfo names it: x86-64 first, then AArch64. */
static const char *const tls_features[] = {
    "ssse3", "avx",       "avx2",       "avx512f", "avx512bw", "avx512vl", "avx512ifma", "aes",
    "vaes",  "pclmulqdq", "vpclmulqdq", "gfni",    "sha_ni",   "sha512",   "bmi2",       "adx",
    "asimd", "pmull",     "sha1",       "sha2",    "sha3",     "sve",      "sve2",
};

/* Allocators that replace malloc show by a symbol of their own. */
static const struct {
    const char *symbol, *name;
} allocators[] = {
    {"__asan_init", "AddressSanitizer"},
    {"__tsan_init", "ThreadSanitizer"},
    {"mallctl", "jemalloc"},
    {"tc_version", "tcmalloc"},
    {"mi_version", "mimalloc"},
};

/* The value of the first "key : value" line of /proc/cpuinfo; NULL where there is none. The caller
 * frees it. */
static char *cpuinfo_value(const char *key)
{
    FILE *file = fopen("/proc/cpuinfo", "re");
    if (file == NULL) {
        return NULL;
    }
    char *line = NULL, *found = NULL;
    size_t capacity = 0, length = strlen(key);
    while (found == NULL && getline(&line, &capacity, file) > 0) {
        const char *rest = line + length;
        if (strncmp(line, key, length) == 0 && rest[strspn(rest, " \t")] == ':') {
            rest += strspn(rest, " \t:");
            found = memory_format("%.*s", (int)strcspn(rest, "\n"), rest);
        }
    }
    free(line);
    fclose(file);
    return found;
}

static json_t *features(void)
{
    char *flags = cpuinfo_value("flags");
    if (flags == NULL) {
        flags = cpuinfo_value("Features");
    }
    if (flags == NULL) {
        return NULL;
    }
    struct text_list words = {0};
    text_list_add_split(&words, flags, " ");
    json_t *found = json_array();
    for (size_t i = 0; i < sizeof tls_features / sizeof tls_features[0]; i++) {
        if (text_list_has(&words, tls_features[i])) {
            json_array_append_new(found, json_string(tls_features[i]));
        }
    }
    text_list_cleanup(&words);
    free(flags);
    return found;
}

/* Of one CPU: they rarely differ. NULL where the kernel scales nothing, as in most virtual
 * machines. The caller frees it. */
static char *governor(int cpu)
{
    char *path = memory_format("/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", cpu);
    char *text = NULL;
    size_t length;
    if (file_read(path, 64, &text, &length, NULL)) {
        text[strcspn(text, "\n")] = '\0';
    }
    free(path);
    return text;
}

static char *allocator(void)
{
    for (size_t i = 0; i < sizeof allocators / sizeof allocators[0]; i++) {
        if (dlsym(RTLD_DEFAULT, allocators[i].symbol) != NULL) {
            return memory_copy_text(allocators[i].name);
        }
    }
    return memory_format("glibc %s", gnu_get_libc_version());
}

json_t *host_facts(void)
{
    struct cpu_list allowed = {0};
    bool known = host_allowed_cpus(&allowed, NULL);
    struct utsname kernel;
    bool named = uname(&kernel) == 0;
    char *cpu = cpuinfo_value("model name");
    char *scaling = known ? governor(allowed.cpus[0]) : NULL;
    char *malloc_name = allocator();

    json_t *facts =
        json_pack("{s:s?, s:o?, s:o?, s:s?, s:s?, s:s}", "cpu", cpu, "features", features(),
                  "cores", known ? json_integer((json_int_t)allowed.count) : NULL, "kernel",
                  named ? kernel.release : NULL, "governor", scaling, "allocator", malloc_name);
    free(cpu);
    free(scaling);
    free(malloc_name);
    return facts;
}
