#ifndef CLIENT_EVP_EVP_LIST_H
#define CLIENT_EVP_EVP_LIST_H

#include "client/evp/evp_plan.h"

#include <stdio.h>

/* --list: every algorithm, its operations and shapes, and whether it is here. */
void evp_list_print(FILE *out, const struct evp_options *options);

/* --dry-run: the cells, the skips with their reasons, the longest time it takes. */
void evp_list_plan(FILE *out, const struct evp_plan *plan, size_t columns);

#endif
