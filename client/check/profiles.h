#ifndef CLIENT_CHECK_PROFILES_H
#define CLIENT_CHECK_PROFILES_H

#include <stddef.h>

/* What clients offer, as facts with their source and date: "current" they are only then. Lists are
 * colon-separated, suites by OpenSSL's name or IANA's, in the order in which they are sent; GREASE
 * and signalling values are left out. */
struct client_profile {
    const char *name, *date, *source;
    int min_version, max_version;
    const char *suites_13, *suites_12, *groups, *sigalgs;
};

extern const struct client_profile profile_table[];
extern const size_t profile_count;

#endif
