#include "server/configuration.h"

#include "common/base/clock.h"
#include "common/base/host.h"
#include "common/tls/suite.h"
#include "common/tls/version.h"

static json_t *certificates_json(const struct identities *identities)
{
    json_t *names = json_array();
    for (size_t i = 0; i < identities->count; i++)
        (void)json_array_append_new(names, json_string(identities->items[i].name));
    return names;
}

static json_t *default_certificates_json(const struct server_config *config)
{
    json_t *names = json_array();
    for (size_t i = 0; i < config->identities.count; i++) {
        if ((config->sni.base >> i & 1) != 0)
            (void)json_array_append_new(names, json_string(config->identities.items[i].name));
    }
    return names;
}

static json_t *server_names_json(const struct sni_plan *sni)
{
    json_t *names = json_array();
    for (size_t i = 0; i < sni->count; i++)
        (void)json_array_append_new(names, json_string(sni->names[i].name));
    return names;
}

static json_t *versions_json(const struct tls_settings *tls)
{
    json_t *names = json_array();
    const int min = tls->min_version != 0 ? tls->min_version : TLS1_VERSION;
    const int max = tls->max_version != 0 ? tls->max_version : TLS1_3_VERSION;
    for (int version = min; version <= max; version++)
        (void)json_array_append_new(names, json_string(tls_version_name(version)));
    return names;
}

static json_t *cpus_json(const struct cpu_list *cpus)
{
    json_t *numbers = json_array();
    for (size_t i = 0; i < cpus->count; i++)
        (void)json_array_append_new(numbers, json_integer(cpus->cpus[i]));
    return numbers;
}

static bool is_psk(const struct suite_facts *facts)
{
    return facts->exchange == EXCHANGE_PSK;
}

static bool is_srp(const struct suite_facts *facts)
{
    return facts->exchange == EXCHANGE_SRP;
}

static bool is_anonymous(const struct suite_facts *facts)
{
    return facts->auth == AUTH_NONE && !is_psk(facts) && !is_srp(facts);
}

/* Suites that the library has and this server never negotiates. */
static const struct skip_row {
    const char *suites, *reason;
    bool (*matches)(const struct suite_facts *facts);
} skip_rows[] = {
    {"PSK", "needs a key that both sides share beforehand", is_psk},
    {"SRP", "needs a password that both sides share beforehand", is_srp},
    {"anonymous", "has no certificate, so there is nothing to compare", is_anonymous},
};

static json_t *skipped_json(const struct library_facts *library)
{
    json_t *skipped = json_array();
    for (size_t row = 0; row < sizeof skip_rows / sizeof skip_rows[0]; row++) {
        json_int_t count = 0;
        for (size_t i = 0; i < suite_count; i++) {
            const struct suite_facts facts = suite_facts(&suite_table[i]);
            if (library_has_suite(library, &suite_table[i]) && skip_rows[row].matches(&facts))
                count++;
        }
        if (count > 0)
            (void)json_array_append_new(skipped,
                                        json_pack("{s:s,s:I,s:s}", "suites", skip_rows[row].suites,
                                                  "count", count, "reason", skip_rows[row].reason));
    }
    return skipped;
}

json_t *configuration_json(const struct server_config *config, const struct library_facts *facts)
{
    const struct tls_settings *tls = &config->tls;
    return json_pack("{s:o,s:o,s:o,s:i,s:b,s:I,s:I,s:b,s:o,s:i,s:o,s:b,s:o}", "certificates",
                     certificates_json(&config->identities), "default_certificates",
                     default_certificates_json(config), "server_names",
                     server_names_json(&config->sni), "tickets", (int)tls->tickets, "session_cache",
                     tls->session_cache, "threads", (json_int_t)config->threads, "idle_timeout_ms",
                     (json_int_t)(config->idle_timeout_ns / NS_PER_MS),
                     "client_certificate_required", tls->client_ca != NULL, "versions",
                     versions_json(tls), "security_level", tls->security_level, "cpus",
                     cpus_json(&config->cpus), "pinned", config->pinned, "skipped",
                     skipped_json(facts));
}

json_t *configuration_environment_json(void)
{
    json_t *environment = host_facts();
    json_t *library = library_json();
    (void)json_object_set_new(environment, "role", json_string("server"));
    (void)json_object_update(environment, library);
    json_decref(library);
    return environment;
}
