#include "server/config.h"

#include "common/base/descriptors.h"
#include "common/base/memory.h"
#include "common/tls/group.h"
#include "common/tls/laboratory.h"
#include "common/tls/version.h"

#include <openssl/rand.h>
#include <stdlib.h>
#include <string.h>

static bool set_addresses(const struct server_options *options, struct server_config *config,
                          struct error *err)
{
    config->addresses = memory_new(options->listen.count, sizeof *config->addresses);
    for (size_t i = 0; i < options->listen.count; i++) {
        if (!listen_address_parse(options->listen.items[i], &config->addresses[i], err))
            return error_prefix(err, "--listen");
        config->address_count++;
    }
    return true;
}

static bool set_cpus(const struct server_options *options, struct server_config *config,
                     struct error *err)
{
    config->pinned = options->pin != NULL;
    if (config->pinned ? !host_parse_cpus(options->pin, &config->cpus, err)
                       : !host_allowed_cpus(&config->cpus, err))
        return error_prefix(err, config->pinned ? "--pin" : "CPUs");
    config->threads = options->threads != 0 ? options->threads : config->cpus.count;
    return true;
}

static bool set_versions(const struct text_list *versions, struct tls_settings *tls,
                         struct error *err)
{
    bool listed[TLS1_3_VERSION + 1] = {false};
    for (size_t i = 0; i < versions->count; i++) {
        const int version = tls_version_parse(versions->items[i]);
        if (version == 0)
            return error_set(err, "--versions: %s is none of 1.0, 1.1, 1.2 and 1.3",
                             versions->items[i]);
        listed[version] = true;
        if (tls->min_version == 0 || version < tls->min_version)
            tls->min_version = version;
        if (version > tls->max_version)
            tls->max_version = version;
    }
    for (int version = tls->min_version; version < tls->max_version; version++) {
        if (!listed[version])
            return error_set(err, "--versions: TLS %s is left out, but OpenSSL only has ranges",
                             tls_version_name(version));
    }
    return true;
}

/* Every context of every worker gets the same keys, so that a ticket is good on all of them. */
static bool set_ticket_keys(struct server_config *config, struct error *err)
{
    const size_t length = tls_ticket_keys_length();
    config->ticket_keys = memory_new(length, 1);
    config->tls.ticket_keys = config->ticket_keys;
    config->tls.ticket_keys_length = length;
    return (length > 0 && RAND_bytes(config->ticket_keys, (int)length) == 1) ||
           error_set(err, "no random bytes for ticket keys");
}

/* The list in OpenSSL's words, which are few and in one case only: ours and all others that
 * group_find takes are good too, and what it does not know OpenSSL may. OpenSSL refuses a list that
 * names a group twice, and gives no reason: the first counts. OpenSSL 3.5's own grammar
 * (tuples, marks) stays as it is. The caller frees. */
static char *groups_in_openssl_words(const char *list)
{
    struct text_list words = {0}, known = {0};
    struct text_buffer joined = {0};
    text_list_add_split(&words, list, strpbrk(list, "/*?") == NULL ? ":," : "");
    for (size_t i = 0; i < words.count; i++) {
        const struct tls_group *group = group_find(words.items[i]);
        const char *word = group != NULL ? group->openssl : words.items[i];
        if (text_list_has(&known, word))
            continue;
        text_list_add(&known, word);
        text_buffer_add(&joined, "%s%s", i > 0 ? ":" : "", word);
    }
    char *text = memory_copy_text(text_buffer_text(&joined));
    text_list_cleanup(&words);
    text_list_cleanup(&known);
    text_buffer_cleanup(&joined);
    return text;
}

static bool set_tls(const struct server_options *options, struct server_config *config,
                    struct error *err)
{
    struct tls_settings *tls = &config->tls;
    *tls = laboratory_settings();
    tls->security_level = (int)options->security_level;
    tls->ciphers = options->ciphers != NULL ? options->ciphers : tls->ciphers;
    tls->ciphersuites = options->ciphersuites;
    if (options->groups != NULL)
        config->groups = groups_in_openssl_words(options->groups);
    tls->groups = config->groups;
    tls->sigalgs = options->sigalgs;
    tls->prefer_server = options->prefer_server;
    tls->tickets = (unsigned)options->tickets;
    tls->session_cache = options->session_cache;
    tls->ssl_conf = options->ssl_conf.count > 0 ? &options->ssl_conf : NULL;
    if (!set_versions(&options->versions, &config->tls, err) || !set_ticket_keys(config, err))
        return false;
    config->tls.no_dh = options->dhparam != NULL && strcmp(options->dhparam, "none") == 0;
    if (options->dhparam != NULL && !config->tls.no_dh &&
        (config->tls.dh_params = tls_dh_params_load(options->dhparam, err)) == NULL)
        return error_prefix(err, "--dhparam");
    if (options->client_ca != NULL &&
        (config->tls.client_ca = tls_trust_load(options->client_ca, err)) == NULL)
        return error_prefix(err, "--client-ca");
    return true;
}

static bool provide_descriptors(const struct server_config *config, struct error *err)
{
    descriptors_raise();
    return config->max_connections == 0 ||
           descriptors_suffice(config->max_connections, config->threads, "--max-connections", err);
}

static bool try_settings(const struct tls_settings *settings, struct error *err)
{
    SSL_CTX *ctx = tls_context_new(settings, NULL, 0, err);
    SSL_CTX_free(ctx);
    return ctx != NULL;
}

/* Tries the settings on contexts without a certificate, each option alone and then all: a mistyped
 * list is told before keys are made, and with its option. */
static bool try_tls(const struct server_config *config, struct error *err)
{
    const struct tls_settings *all = &config->tls, none = laboratory_settings();
    struct tls_settings ciphers = none, ciphersuites = none, groups = none, sigalgs = none,
                        ssl_conf = none;
    ciphers.ciphers = all->ciphers;
    ciphersuites.ciphersuites = all->ciphersuites;
    groups.groups = all->groups;
    sigalgs.sigalgs = all->sigalgs;
    ssl_conf.ssl_conf = all->ssl_conf;
    const struct {
        const char *option;
        const struct tls_settings *alone;
    } rows[] = {
        {"--ciphers", &ciphers}, {"--ciphersuites", &ciphersuites}, {"--groups", &groups},
        {"--sigalgs", &sigalgs}, {"--ssl-conf", &ssl_conf},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!try_settings(rows[i].alone, err))
            return error_prefix(err, "%s", rows[i].option);
    }
    return try_settings(all, err);
}

bool server_config_build(const struct server_options *options, const struct library_facts *facts,
                         issue_progress *progress, void *context, struct server_config *config,
                         struct error *err)
{
    *config = (struct server_config){
        .handshake_timeout_ns = options->handshake_timeout_ns,
        .idle_timeout_ns = options->idle_timeout_ns,
        .max_connections = options->max_connections,
    };
    if (set_addresses(options, config, err) && set_cpus(options, config, err) &&
        provide_descriptors(config, err) && set_tls(options, config, err) && try_tls(config, err) &&
        identities_make(options, facts, progress, context, &config->identities, err) &&
        sni_plan_build(config->identities.items, config->identities.count, config->identities.own,
                       &config->sni, err))
        return true;
    server_config_cleanup(config);
    return false;
}

void server_config_cleanup(struct server_config *config)
{
    sni_plan_cleanup(&config->sni);
    identities_cleanup(&config->identities);
    EVP_PKEY_free(config->tls.dh_params);
    X509_STORE_free(config->tls.client_ca);
    free(config->ticket_keys);
    free(config->groups);
    free(config->addresses);
    *config = (struct server_config){0};
}
