#ifndef CLIENT_CHECK_NGINX_LINES_H
#define CLIENT_CHECK_NGINX_LINES_H

#include "client/check/finding.h"
#include "common/nginx/config.h"

/* What nginx asks of every line of a configuration before it looks at any server block, also of
 * lines that no block uses: one error, and it does not start. Tried with nginx 1.22.1. */

/* The TLS directives: where they stand, their number of arguments, their values. */
void lines_check(const struct nginx_config *config, unsigned version,
                 struct finding_list *findings);

/* The `listen` lines: their addresses and parameters. */
void listens_check(const struct nginx_config *config, unsigned version,
                   struct finding_list *findings);

/* What blocks that share a socket may say only once; also names that nginx ignores. */
void sockets_check(const struct nginx_config *config, unsigned version,
                   struct finding_list *findings);

/* An error about a line, at its place: "nginx does not start: " and the text. */
void lines_refuse(const struct nginx_directive *line, const char *word, const char *remedy,
                  const char *text, struct finding_list *findings);

#endif
