#include "client/check/outcome.h"

#include "client/check/outcome_parts.h"
#include "common/base/host.h"
#include "common/base/memory.h"
#include "common/tls/library.h"
#include "common/tls/version.h"

#include <stdlib.h>

static json_t *text_or_null(const char *text)
{
    json_t *value = text && text[0] ? json_string(text) : NULL;

    return value ? value : json_null();
}

/* --- subjects --- */

static json_t *value_json(const struct subject_value *value)
{
    return json_pack("{s:o, s:o}", "value", text_or_null(value->text), "place",
                     text_or_null(value->place));
}

static json_t *versions_json(const struct check_subject *subject)
{
    json_t *array = json_array();

    for (int v = 0; v < SUBJECT_VERSIONS; v++)
        if (subject->version_on[v])
            json_array_append_new(array, json_string(tls_version_name(
                                             subject_version_number((enum subject_version)v))));
    return array;
}

static json_t *certificates_json(const struct check_subject *subject)
{
    json_t *array = json_array();

    for (size_t i = 0; i < subject->certificates.count; i++) {
        const struct check_certificate *certificate = &subject->certificates.items[i];
        json_array_append_new(
            array,
            json_pack("{s:s, s:i, s:o, s:o, s:b}", "kind", certificate->kind.name, "bits",
                      certificate->kind.bits, "file", text_or_null(certificate->file), "place",
                      text_or_null(certificate->place), "stand_in", (int)certificate->stand_in));
    }
    return array;
}

static json_t *groups_json(const struct check_subject *subject)
{
    json_t *array = json_array();

    for (size_t i = 0; i < subject->group_count; i++)
        json_array_append_new(array, json_string(subject->group_list[i]->name));
    return array;
}

static json_t *dh_json(const struct check_subject *subject)
{
    if (subject->dh == DH_PARAMS)
        return json_pack("{s:s, s:i}", "source", "file", "bits", subject->dh_bits);
    return json_pack("{s:s, s:n}", "source", subject->dh == DH_AUTO ? "automatic" : "none", "bits");
}

static json_t *proof_json(const struct subject_outcome *outcome)
{
    if (!outcome->proved)
        return json_null();
    return json_pack("{s:I, s:I, s:I, s:I}", "tried", (json_int_t)outcome->proof.tried,
                     "negotiated", (json_int_t)outcome->proof.negotiated, "refused",
                     (json_int_t)outcome->proof.refused, "surprises",
                     (json_int_t)outcome->proof.surprises);
}

static json_t *subject_json(const struct subject_outcome *outcome)
{
    const struct check_subject *subject = outcome->subject;
    json_t *object =
        json_pack("{s:s, s:o, s:o, s:b, s:o, s:o, s:o, s:o}", "name", subject->name, "place",
                  text_or_null(subject->place), "same_as",
                  outcome->same_as ? json_string(outcome->same_as->name) : json_null(), "refused",
                  (int)subject->refused, "ciphers", value_json(&subject->ciphers), "ciphersuites",
                  value_json(&subject->ciphersuites), "groups_set", value_json(&subject->groups),
                  "versions_set", value_json(&subject->versions));
    json_object_set_new(object, "starts", json_boolean(subject->starts));
    json_object_set_new(object, "versions", versions_json(subject));
    json_object_set_new(object, "security_level", json_integer(subject->list.level));
    json_object_set_new(object, "prefer_server", json_boolean(subject->prefer_server));
    json_object_set_new(object, "prioritize_chacha", json_boolean(subject->prioritize_chacha));
    json_object_set_new(object, "tickets", json_boolean(subject->tickets));
    json_object_set_new(object, "groups", groups_json(subject));
    json_object_set_new(object, "certificates", certificates_json(subject));
    json_object_set_new(object, "dh", dh_json(subject));
    json_object_set_new(object, "simpler", text_or_null(subject->list.simpler));
    json_object_set_new(
        object, "listed",
        json_integer((json_int_t)subject->list.count + (json_int_t)subject->list_13.count));
    json_object_set_new(object, "usable", json_integer((json_int_t)outcome->rows.usable));
    json_object_set_new(object, "proof", proof_json(outcome));
    json_object_set_new(object, "advice", outcome_advice(outcome));
    return object;
}

/* --- the whole --- */

static const json_t *priced_document(const struct check_outcome *outcome)
{
    for (size_t i = 0; i < outcome->count; i++)
        if (outcome->subjects[i].price.document)
            return outcome->subjects[i].price.document;
    return NULL;
}

static json_t *environment_json(const struct check_outcome *outcome)
{
    const json_t *document = priced_document(outcome);

    if (document)
        return json_incref(json_object_get(document, "environment"));
    json_t *host = host_facts(), *library = library_json();
    json_object_update(host, library);
    json_object_set_new(host, "role", json_string("client"));
    json_decref(library);
    return json_pack("{s:[o]}", "hosts", host);
}

static json_t *cases_json(const struct check_outcome *outcome)
{
    json_t *cases = json_array(), *item;
    size_t index;

    for (size_t i = 0; i < outcome->count; i++) {
        const json_t *document = outcome->subjects[i].price.document;
        json_array_foreach(document ? json_object_get(document, "cases") : NULL, index, item)
        {
            json_object_set_new(item, "subject", json_string(outcome->subjects[i].subject->name));
            json_array_append(cases, item);
        }
    }
    return cases;
}

static json_t *suites_json(const struct check_outcome *outcome)
{
    json_t *suites = json_array();

    for (size_t i = 0; i < outcome->count; i++)
        outcome_add_suites(&outcome->subjects[i], suites);
    return suites;
}

static json_t *clients_json(const struct check_outcome *outcome)
{
    json_t *clients = json_array();

    for (size_t i = 0; i < outcome->count; i++)
        if (outcome->subjects[i].clients)
            outcome_add_clients(outcome->subjects[i].clients, outcome->subjects[i].subject->name,
                                clients);
    if (outcome->scan_clients)
        outcome_add_clients(outcome->scan_clients, outcome->source, clients);
    return clients;
}

json_t *outcome_json(const struct check_outcome *outcome)
{
    json_t *subjects = json_array();

    for (size_t i = 0; i < outcome->count; i++)
        json_array_append_new(subjects, subject_json(&outcome->subjects[i]));
    return json_pack(
        "{s:s, s:s, s:s, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "schema",
        "suitemark-result/1", "kind", "check", "suitemark", SUITEMARK_VERSION, "interrupted",
        (int)outcome->interrupted, "environment", environment_json(outcome), "parameters",
        json_pack("{s:s, s:s, s:f, s:b}", "source", outcome->source, "start", outcome->start_time,
                  "duration_s", (double)outcome->duration_ns / 1e9, "measured",
                  (int)outcome->measured),
        "subjects", subjects, "findings", finding_json(outcome->findings), "suites",
        suites_json(outcome), "clients", clients_json(outcome), "scan",
        outcome->scan ? outcome_scan(outcome->scan) : json_null(), "cases", cases_json(outcome));
}

void subject_outcome_cleanup(struct subject_outcome *outcome)
{
    rows_cleanup(&outcome->rows);
    price_cleanup(&outcome->price);
    advice_cleanup(&outcome->advice);
    free(outcome->clients);
    outcome->clients = NULL;
}
