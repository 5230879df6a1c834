#include "common/tls/library.h"

#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <string.h>

bool library_init(bool load_config, struct error *err)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    uint64_t config = load_config ? OPENSSL_INIT_LOAD_CONFIG : OPENSSL_INIT_NO_LOAD_CONFIG;
    char reason[256];

    if (sigaction(SIGPIPE, &ignore, NULL) != 0)
        return error_set(err, "cannot ignore SIGPIPE: %s", strerror(errno));
    if (OPENSSL_init_ssl(config, NULL) == 1)
        return true;
    ERR_error_string_n(ERR_get_error(), reason, sizeof reason);
    return error_set(err, "OpenSSL cannot start%s: %s",
                     load_config ? " with the system's openssl.cnf" : "", reason);
}

bool library_has_suite(const struct library_facts *facts, const struct suite *suite)
{
    return facts->suites[suite - suite_table];
}

bool library_has_kind(const struct library_facts *facts, const struct certificate_kind *kind)
{
    return facts->kinds[kind - kind_table];
}

bool library_has_group(const struct library_facts *facts, const struct tls_group *group)
{
    return facts->groups[group - group_table];
}

json_t *library_json(void)
{
    /* "s?": null where OpenSSL knows no settings of this CPU. */
    return json_pack("{s:s, s:s?}", "openssl", OpenSSL_version(OPENSSL_VERSION), "cpu_settings",
                     OPENSSL_info(OPENSSL_INFO_CPU_SETTINGS));
}
