#ifndef COMMON_NGINX_NAME_H
#define COMMON_NGINX_NAME_H

#include <stdbool.h>

/* Whether a word of server_name stands for a name: exactly, by a "*" at either end, by a leading
 * dot, or as a regular expression behind "~". Of Perl's expressions those are tried that POSIX has
 * too, and the usual short forms; any other one matches nothing. */
bool nginx_name_matches(const char *word, const char *name);

/* Whether a word is an expression that is not tried. */
bool nginx_name_is_untried(const char *word);

#endif
