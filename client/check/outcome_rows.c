#include "client/check/outcome_parts.h"

#include "client/check/weak.h"
#include "client/result_parts.h"
#include "client/rounds.h"
#include "common/tls/version.h"

#include <stdint.h>
#include <string.h>

/* Indexed by enum suite_exchange and enum suite_auth. */
static const char *const exchange_words[] = {
    [EXCHANGE_TLS13] = "any",   [EXCHANGE_RSA] = "RSA",   [EXCHANGE_DHE] = "DHE",
    [EXCHANGE_ECDHE] = "ECDHE", [EXCHANGE_PSK] = "PSK",   [EXCHANGE_SRP] = "SRP",
    [EXCHANGE_OTHER] = "other", [EXCHANGE_NULL] = "none",
};
static const char *const auth_words[] = {
    [AUTH_ANY] = "any", [AUTH_RSA] = "RSA",   [AUTH_ECDSA] = "ECDSA",
    [AUTH_DSS] = "DSS", [AUTH_NONE] = "none", [AUTH_OTHER] = "other",
};

/* --- figures --- */

/* The server's cost of a row's case over that of the first row that has one, from paired rounds. */
static json_t *relative_json(const struct price *price, size_t index, size_t first)
{
    struct interval ratio;
    bool of_client;

    if (index == SIZE_MAX || first == SIZE_MAX)
        return json_null();
    if (!rounds_cost_ratio(&price->results[index], &price->results[first], &ratio, &of_client) ||
        of_client)
        return json_null();
    return result_interval(&ratio);
}

/* Capacity of one core of the server: what its CPU alone would make in a second. */
static json_t *figure_json(const struct price *price, size_t index, size_t first, bool bulk)
{
    struct interval cost;

    if (!price_of(price, index, &cost))
        return json_null();
    const struct test_case *test_case = &price->plan.cases[index].test_case;
    struct interval rate = rounds_interval(&price->results[index], rounds_rate);
    return json_pack("{s:s, s:o, s:f, s:o, s:s, s:o}", "case", test_case->id,
                     bulk ? "server_cpu_ns_per_byte" : "server_cpu_us_per_handshake",
                     result_interval(&cost), "per_core",
                     bulk ? 1e9 / cost.median : 1e6 / cost.median, "rate", result_interval(&rate),
                     "measured_with", suite_name(test_case->suite), "relative",
                     relative_json(price, index, first));
}

static json_t *weaknesses_json(const struct suite *suite)
{
    struct suite_facts facts = suite_facts(suite);
    json_t *array = json_array();

    for (size_t i = 0; i < weak_count; i++)
        if (weak_table[i].applies(suite, &facts))
            json_array_append_new(array, json_string(weak_table[i].name));
    return array;
}

static const char *weak_level(const struct suite *suite)
{
    struct suite_facts facts = suite_facts(suite);
    bool some = false;

    for (size_t i = 0; i < weak_count; i++)
        some |= weak_table[i].applies(suite, &facts);
    return weak_is_warned(suite) ? finding_level_name(FINDING_WARNING)
           : some                ? finding_level_name(FINDING_NOTE)
                                 : "";
}

static json_t *works_json(const struct check_row *row)
{
    json_t *array = json_array();

    for (int v = SUBJECT_VERSIONS; v-- > 0;)
        if (row->works[v])
            json_array_append_new(array, json_string(tls_version_name(
                                             subject_version_number((enum subject_version)v))));
    return array;
}

static json_t *row_json(const struct subject_outcome *outcome, const struct check_row *row,
                        const struct check_row *first)
{
    const struct suite *suite = row->choice->suite;
    struct suite_facts facts = suite_facts(suite);
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:I, s:o, s:s, s:s, s:o, s:b, s:b, s:b, s:o, s:o}", "subject",
        outcome->subject->name, "suite", suite_name(suite), "iana", suite->iana, "position",
        (json_int_t)row->choice->position, "versions", works_json(row), "exchange",
        exchange_words[facts.exchange], "authentication", auth_words[facts.auth], "certificate",
        row->certificate ? json_string(row->certificate->kind.name) : json_null(),
        "forward_secrecy", (int)facts.forward_secret, "aead", (int)facts.aead, "usable",
        row->reason == DEAD_NOT, "reason", result_text(row->why), "weak", weaknesses_json(suite));
    json_object_set_new(object, "weak_level", result_text(weak_level(suite)));
    json_object_set_new(object, "proved",
                        outcome->proved ? json_boolean(row->proved) : json_null());
    json_object_set_new(object, "surprise", result_text(row->surprise));
    json_object_set_new(object, "handshake",
                        figure_json(&outcome->price, row->handshake_case,
                                    first ? first->handshake_case : SIZE_MAX, false));
    json_object_set_new(
        object, "bulk",
        figure_json(&outcome->price, row->bulk_case, first ? first->bulk_case : SIZE_MAX, true));
    return object;
}

void outcome_add_suites(const struct subject_outcome *outcome, json_t *suites)
{
    const struct check_row *first = NULL;
    struct interval cost;

    for (size_t i = 0; i < outcome->rows.count && !first; i++)
        if (price_of(&outcome->price, outcome->rows.items[i].handshake_case, &cost))
            first = &outcome->rows.items[i];
    for (size_t i = 0; i < outcome->rows.count; i++)
        json_array_append_new(suites, row_json(outcome, &outcome->rows.items[i], first));
}

/* --- clients --- */

static void set_negotiated(json_t *object, const struct client_outcome *client)
{
    const struct negotiated *got = &client->negotiated;
    bool some = client->negotiates;
    const struct suite *suite = some ? suite_by_code(got->suite) : NULL;

    json_object_set_new(object, "version",
                        some ? json_string(tls_version_name(got->version)) : json_null());
    json_object_set_new(object, "suite", suite ? json_string(suite_name(suite)) : json_null());
    json_object_set_new(object, "group", result_text(some ? got->group : ""));
    json_object_set_new(object, "certificate", result_text(some ? got->certificate_type : ""));
    json_object_set_new(object, "certificate_bits",
                        some ? json_integer(got->certificate_bits) : json_null());
    json_object_set_new(object, "signature", result_text(some ? got->signature : ""));
}

void outcome_add_clients(const struct client_outcome *clients, const char *subject, json_t *array)
{
    for (size_t i = 0; i < profile_count; i++) {
        const struct client_outcome *client = &clients[i];
        json_t *object = json_pack(
            "{s:s, s:s, s:s, s:s, s:b, s:o, s:o, s:b, s:o, s:b, s:o}", "subject", subject, "client",
            client->profile->name, "date", client->profile->date, "source", client->profile->source,
            "connects", (int)client->done, "reason", result_text(client->why), "unspoken",
            result_text(client->unspoken), "not_provable", (int)client->not_provable, "confirmed",
            result_text(attempt_proof_name(client->proof)), "wants_certificate", (int)client->asked,
            "http_status", client->http_status ? json_integer(client->http_status) : json_null());
        set_negotiated(object, client);
        json_array_append_new(array, object);
    }
}

/* --- advice --- */

static json_t *names_json(const struct check_row *const *rows, size_t count)
{
    json_t *array = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_string(suite_name(rows[i]->choice->suite)));
    return array;
}

/* The level belongs to the string: without it the list would be judged by the library's own. */
static json_t *level_json(const struct check_subject *subject)
{
    int level = subject->list.level;

    return level == ciphers_default_level() ? json_null() : json_integer(level);
}

json_t *outcome_advice(const struct subject_outcome *outcome)
{
    const struct advice *advice = &outcome->advice;

    if (!outcome->advised || (!advice->removes && !advice->reorders) ||
        advice->count + advice->count_13 == 0)
        return json_null();
    return json_pack("{s:o, s:o, s:b, s:b, s:b, s:b, s:o, s:o}", "ciphers",
                     names_json(advice->rows, advice->count), "ciphersuites",
                     names_json(advice->rows_13, advice->count_13), "removes", (int)advice->removes,
                     "reorders", (int)advice->reorders, "nginx", (int)outcome->subject->nginx,
                     "by_command", outcome->subject->load_ciphers.text != NULL, "security_level",
                     level_json(outcome->subject), "loses", result_text(advice->loses));
}

/* --- a live target --- */

static json_t *list_json(const struct scan_list *list)
{
    json_t *suites = json_array();

    for (size_t i = 0; i < list->count; i++)
        json_array_append_new(suites, json_string(suite_name(list->suites[i])));
    return json_pack("{s:s, s:s, s:s, s:o}", "version", tls_version_name(list->version),
                     "certificate", scan_certificate_name(list->certificate), "preference",
                     scan_preference_name(list->preference), "suites", suites);
}

static json_t *scan_groups_json(const struct scan *scan)
{
    json_t *object = json_object();

    for (size_t i = 0; i < 2; i++) {
        json_t *names = json_array();
        for (size_t j = 0; j < scan->groups[i].count; j++)
            json_array_append_new(names, json_string(scan->groups[i].groups[j]->name));
        json_object_set_new(object, tls_version_name(scan->groups[i].version), names);
    }
    return object;
}

json_t *outcome_scan(const struct scan *scan)
{
    json_t *lists = json_array(), *certificates = json_array();

    for (size_t i = 0; i < scan->count; i++)
        json_array_append_new(lists, list_json(&scan->lists[i]));
    for (size_t i = 0; i < scan->certificate_count; i++)
        json_array_append_new(certificates,
                              json_pack("{s:s, s:i, s:s}", "type",
                                        scan->certificates[i].certificate_type, "bits",
                                        scan->certificates[i].certificate_bits, "curve",
                                        scan->certificates[i].certificate_curve));
    return json_pack("{s:o, s:o, s:o, s:o, s:I}", "lists", lists, "groups", scan_groups_json(scan),
                     "certificates", certificates, "dh_bits",
                     scan->least_dh_bits ? json_integer(scan->least_dh_bits) : json_null(),
                     "handshakes", (json_int_t)scan->handshakes);
}
