#ifndef SERVER_CONFIGURATION_H
#define SERVER_CONFIGURATION_H

#include "common/tls/library.h"
#include "server/config.h"

#include <jansson.h>

/* The parts of /stats that never change while a server runs; new objects, the caller's. */

/* How the server was set up, with the suites that it can never serve and why. */
json_t *configuration_json(const struct server_config *config, const struct library_facts *facts);

/* The machine and the library as loaded. */
json_t *configuration_environment_json(void);

#endif
