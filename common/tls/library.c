#include "common/tls/library.h"

#include "common/tls/reason.h"

#include <errno.h>
#include <openssl/conf.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static bool file_is_readable(const char *path, struct error *err)
{
    FILE *file = fopen(path, "re");
    bool ok = file && (fgetc(file) != EOF || !ferror(file)); /* a directory opens, too */

    if (!ok)
        (void)error_set(err, "OpenSSL's configuration %s: %s", path, strerror(errno));
    if (file)
        (void)fclose(file);
    return ok;
}

static bool file_is_configuration(const char *path, struct error *err)
{
    CONF *conf = NCONF_new(NULL);
    long line = 0;

    (void)OPENSSL_init_crypto(OPENSSL_INIT_LOAD_CRYPTO_STRINGS, NULL); /* for the reason */
    ERR_clear_error();
    bool ok = conf && NCONF_load(conf, path, &line) > 0;
    NCONF_free(conf);
    return ok || reason_error(err, "OpenSSL's configuration %s, line %ld", path, line);
}

/* OpenSSL says nothing of a configuration that it cannot read. */
static bool config_is_readable(struct error *err)
{
    char *path = CONF_get1_default_config_file(); /* that of OPENSSL_CONF, where it is set */
    bool ok = path ? file_is_readable(path, err) && file_is_configuration(path, err)
                   : error_set(err, "OpenSSL does not tell where its configuration is");

    OPENSSL_free(path);
    return ok;
}

bool library_init(bool load_config, struct error *err)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    uint64_t config = load_config ? OPENSSL_INIT_LOAD_CONFIG : OPENSSL_INIT_NO_LOAD_CONFIG;
    char reason[256];

    if (sigaction(SIGPIPE, &ignore, NULL) != 0)
        return error_set(err, "cannot ignore SIGPIPE: %s", strerror(errno));
    if (load_config && !config_is_readable(err))
        return false;
    if (OPENSSL_init_ssl(config, NULL) == 1)
        return true;
    ERR_error_string_n(ERR_get_error(), reason, sizeof reason);
    return error_set(err, "OpenSSL cannot start%s: %s",
                     load_config ? " with the system's openssl.cnf" : "", reason);
}

bool library_has_provider(struct error *err)
{
    ERR_set_mark();
    EVP_MD *digest = EVP_MD_fetch(NULL, "SHA2-256", NULL);
    ERR_pop_to_mark();
    EVP_MD_free(digest);
    return digest || error_set(err, "OpenSSL has no provider with algorithms as it is configured");
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
