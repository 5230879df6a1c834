#ifndef CLIENT_EVP_EVP_PLAN_H
#define CLIENT_EVP_EVP_PLAN_H

#include "client/evp/evp_options.h"
#include "common/primitive/primitive.h"

/* What is measured: a cell a figure. Built from the options and the loaded library; behind it
 * nothing reads an option. */

#define EVP_REASON 256

struct evp_cell {
    struct primitive_case what;
    char skipped[EVP_REASON]; /* why it is not run; "": it is */
};

struct evp_plan {
    struct evp_cell *cells; /* owned */
    size_t count;
    double precision;
    uint64_t max_time_ns, seed;
    unsigned rounds, threads;
    bool mcrypt; /* is measured beside EVP */
};

/* Unknown names are errors with the nearest ones; what the library has not, or what makes no sense,
 * is a skipped cell. */
bool evp_plan_build(const struct evp_options *options, struct evp_plan *plan,
                    struct error *err) MUST_CHECK;
void evp_plan_cleanup(struct evp_plan *plan);
size_t evp_plan_runnable(const struct evp_plan *plan);

/* "aes-128-gcm/record/encrypt/1024", "mcrypt/aes-128-cbc/…", "rsa-2048/sign". Returns `text`. */
#define EVP_ID 128
char *evp_plan_id(const struct primitive_case *what, char text[static EVP_ID]);

#endif
