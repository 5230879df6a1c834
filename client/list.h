#ifndef CLIENT_LIST_H
#define CLIENT_LIST_H

#include "common/base/error.h"
#include "common/tls/library.h"

#include <stdbool.h>
#include <stdio.h>

/* --list suites|certs|groups: tables of what the loaded library has, and behind them what it lacks
 * with the reason. At most 99 columns. `what` is one of these words, else false. */
bool list_print(FILE *out, const char *what, const struct library_facts *library,
                struct error *err) MUST_CHECK;

#endif
