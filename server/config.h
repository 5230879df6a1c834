#ifndef SERVER_CONFIG_H
#define SERVER_CONFIG_H

#include "certs/issue.h"
#include "common/base/error.h"
#include "common/base/host.h"
#include "common/tls/library.h"
#include "common/tls/settings.h"
#include "server/identities.h"
#include "server/listen_address.h"
#include "server/options.h"
#include "server/sni.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the server is to do, checked: options and library in. Nothing is bound and no thread runs.
 * Const once it is built; the options must outlive it, since the settings point to their texts. */
struct server_config {
    struct listen_address *addresses;
    size_t address_count;
    size_t threads;
    struct cpu_list cpus; /* that it may run on */
    bool pinned;          /* worker i runs on cpus[i % count] only */
    uint64_t handshake_timeout_ns, idle_timeout_ns;
    uint64_t max_connections; /* 0: no limit of ours */
    struct tls_settings tls;
    unsigned char *ticket_keys;
    char *groups; /* --groups in OpenSSL's words; NULL: not given */
    struct identities identities;
    struct sni_plan sni;
};

/* Cheap checks come first, so that a typo is told before keys are made. `progress` as in issue.h.
 */
bool server_config_build(const struct server_options *options, const struct library_facts *facts,
                         issue_progress *progress, void *context, struct server_config *config,
                         struct error *err) MUST_CHECK;
void server_config_cleanup(struct server_config *config);

#endif
