#include "client/subcommand.h"

#include "common/base/file.h"

#include <stdio.h>
#include <sys/random.h>

int subcommand_complain(const struct error *err, enum exit_status status)
{
    fprintf(stderr, "suitemark: %s\n", err->text);
    return status;
}

int subcommand_printed(void)
{
    struct error err;
    return file_flush_output(&err) ? EXIT_ALL : subcommand_complain(&err, EXIT_NOT_ALL);
}

uint64_t subcommand_draw_seed(void)
{
    uint16_t seed = 0;

    (void)getrandom(&seed, sizeof seed, 0);
    return (uint64_t)seed + 1;
}
