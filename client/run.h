#ifndef CLIENT_RUN_H
#define CLIENT_RUN_H

/* `suitemark [run] [TARGET]`: the subcommand whole, argv from its name on. Prints and returns the
 * exit status: 0 all measured, 1 something was not, 2 usage, 3 interrupted with the results kept.
 */
int run_main(int argc, char **argv);

#endif
