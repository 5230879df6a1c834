#include "client/check/check.h"
#include "client/evp/evp.h"
#include "client/run.h"
#include "common/base/descriptors.h"

#include <locale.h>
#include <string.h>

/* Subcommands by name; what is none of them is `run`'s. */
static const struct subcommand {
    const char *name;
    int (*main)(int argc, char **argv);
} subcommands[] = {
    {"run", run_main},
    {"evp", evp_main},
    {"check", check_main},
};

int main(int argc, char **argv)
{
    descriptors_hold_standard();
    /* Column widths of UTF-8 text; nothing else depends on the locale. */
    if (!setlocale(LC_CTYPE, "C.UTF-8"))
        setlocale(LC_CTYPE, "");
    for (size_t i = 0; argc > 1 && i < sizeof subcommands / sizeof subcommands[0]; i++) {
        if (strcmp(argv[1], subcommands[i].name) == 0)
            return subcommands[i].main(argc - 1, argv + 1);
    }
    return run_main(argc, argv);
}
