#ifndef CLIENT_EMBEDDED_H
#define CLIENT_EMBEDDED_H

#include "client/interrupt.h"
#include "common/base/error.h"
#include "common/base/text.h"

#include <stdint.h>
#include <sys/types.h>

/* The embedded server: suitemark-server, found beside this program's own file, as a process of its
 * own on a free loopback port. It ends when its standard input closes, so that a crashed client
 * leaves no orphan. */
struct embedded {
    pid_t pid; /* 0: none */
    int in, out, log;
    uint16_t port;
    char last_line[256]; /* of its standard error: why it ended, if it did */
};

/* Called with each line that the server prints before it is ready ("making the rsa-4096 key"). May
 * be NULL. */
typedef void embedded_progress(void *context, const char *line);

/* Starts it with these arguments (behind --listen 127.0.0.1:0 --exit-with-stdin) and waits until it
 * is ready, at most two minutes: large RSA keys take time. */
bool embedded_start(struct embedded *embedded, const struct text_list *arguments,
                    struct interrupt *interrupt, embedded_progress *progress, void *context,
                    struct error *err) MUST_CHECK;

/* Closes its standard input and waits for its end; kills it when it takes longer than five seconds.
 */
void embedded_stop(struct embedded *embedded);

#endif
