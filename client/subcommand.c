#include "client/subcommand.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

int subcommand_complain(const struct error *err, enum exit_status status)
{
    fprintf(stderr, "suitemark: %s\n", err->text);
    return status;
}

int subcommand_printed(void)
{
    struct error err;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return EXIT_ALL;
    (void)error_set(&err, "standard output: %s", strerror(errno));
    return subcommand_complain(&err, EXIT_NOT_ALL);
}

uint64_t subcommand_draw_seed(void)
{
    uint16_t seed = 0;

    (void)getrandom(&seed, sizeof seed, 0);
    return (uint64_t)seed + 1;
}
