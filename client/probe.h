#ifndef CLIENT_PROBE_H
#define CLIENT_PROBE_H

#include "client/control.h"
#include "client/load.h"
#include "common/base/error.h"

#include <jansson.h>
#include <stdbool.h>

/* The first connection to a target: what it is. A stranger is never asked for /stats: only
 * suitemark-server selects ALPN suitemark/1. */
struct probe {
    bool suitemark;
    bool http;
    const char *no_http; /* why not; NULL with it */
    int http_status;     /* of a stranger's answer to GET path; 0: none */
    bool have_control;
    struct control control; /* valid when have_control */
    json_t *stats;          /* its first /stats document; NULL: none */
    char note[160];         /* why there is no control connection, "" */
};

/* False when nothing can be measured there: no connection, no TLS, no answer. Free with
 * probe_cleanup in any case. */
bool probe_target(const struct load_settings *load, struct probe *probe,
                  struct error *err) MUST_CHECK;
void probe_cleanup(struct probe *probe);

#endif
