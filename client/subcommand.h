#ifndef CLIENT_SUBCOMMAND_H
#define CLIENT_SUBCOMMAND_H

#include "common/base/error.h"

#include <stdint.h>

/* What all subcommands have in common. */

enum exit_status {
    EXIT_ALL = 0,         /* all measured, nothing found */
    EXIT_NOT_ALL = 1,     /* something was not measured, or something was found */
    EXIT_USAGE = 2,       /* wrong or unreadable input */
    EXIT_INTERRUPTED = 3, /* by a signal; the results are kept */
};

/* Prints the reason as the one line that it is, and gives the status back. */
int subcommand_complain(const struct error *err, enum exit_status status);

/* Of a text such as --help that is all there was to do: whether standard output took it, else the
 * reason is printed. */
int subcommand_printed(void);

/* A seed for --seed: short enough to be typed again, and never 0, which means that none was given.
 */
uint64_t subcommand_draw_seed(void);

#endif
