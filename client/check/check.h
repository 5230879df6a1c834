#ifndef CLIENT_CHECK_CHECK_H
#define CLIENT_CHECK_CHECK_H

/* `suitemark check`: the subcommand whole, argv from its name on. Prints and returns the exit
 * status: 0 nothing found, 1 findings (--fail-on), 2 usage or unreadable input, 3 interrupted. */
int check_main(int argc, char **argv);

#endif
