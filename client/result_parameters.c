#include "client/result_parts.h"

#include "client/loopback.h"
#include "common/base/clock.h"

#include <stdio.h>

static json_t *milliseconds(uint64_t ns)
{
    return json_real((double)ns / NS_PER_MS);
}

static json_t *timeouts_json(const struct load_settings *load)
{
    return json_pack("{s:o, s:o, s:o}", "connect", milliseconds(load->connect_timeout_ns),
                     "handshake", milliseconds(load->handshake_timeout_ns), "close",
                     milliseconds(load->close_timeout_ns));
}

/* The CPU of each client thread, null for those that run anywhere. */
static json_t *pins_json(const struct load_settings *load)
{
    json_t *pins = json_array();

    for (unsigned i = 0; i < load->threads && i < sizeof load->pins / sizeof load->pins[0]; i++)
        json_array_append_new(pins, load->pins[i] < 0 ? json_null() : json_integer(load->pins[i]));
    return pins;
}

static json_t *pids_json(const struct processes *processes)
{
    json_t *pids = json_array();

    for (size_t i = 0; processes && i < processes->count; i++)
        json_array_append_new(pids, json_integer(processes->pids[i]));
    return pids;
}

static void add_schedule(json_t *parameters, const struct schedule *schedule)
{
    json_object_set_new(parameters, "seed", json_integer((json_int_t)schedule->seed));
    json_object_set_new(parameters, "rounds", json_integer(schedule->rounds));
    json_object_set_new(parameters, "window_ms", milliseconds(schedule->window_ns));
    json_object_set_new(parameters, "warmup_ms", milliseconds(schedule->warmup_ns));
    json_object_set_new(parameters, "unloaded_ms", milliseconds(schedule->unloaded_ns));
}

static void add_load(json_t *parameters, const struct load_settings *load)
{
    char loop[64];

    snprintf(loop, sizeof loop, "closed, %u in flight", load->connections);
    json_object_set_new(parameters, "loop", json_string(loop));
    json_object_set_new(parameters, "connections", json_integer(load->connections));
    json_object_set_new(parameters, "bulk_connections", json_integer(load->bulk_connections));
    json_object_set_new(parameters, "threads", json_integer(load->threads));
    json_object_set_new(parameters, "pins", pins_json(load));
    json_object_set_new(parameters, "closing", json_string(close_policy_name(load->close)));
    json_object_set_new(parameters, "timeouts_ms", timeouts_json(load));
    json_object_set_new(parameters, "path", result_text(load->path));
}

json_t *result_parameters(const struct run_record *record)
{
    const struct load_settings *load = &record->plan->load;
    json_t *parameters = json_object();

    json_object_set_new(parameters, "target", result_text(record->target));
    json_object_set_new(parameters, "address", result_text(record->address));
    json_object_set_new(parameters, "sni", result_text(record->server_name));
    json_object_set_new(parameters, "chain_verified",
                        json_boolean(load->credentials && load->credentials->trust));
    json_object_set_new(parameters, "lean_client",
                        json_boolean(load->credentials && load->credentials->library));
    json_object_set_new(parameters, "client_certificate",
                        json_boolean(load->credentials && load->credentials->have_identity));
    json_object_set_new(parameters, "server_pids", pids_json(record->processes));
    json_object_set_new(parameters, "sources", json_integer(load->source_count));
    json_object_set_new(parameters, "embedded", json_boolean(record->embedded));
    json_object_set_new(parameters, "loopback",
                        json_boolean(record->embedded || loopback_address(&load->address)));
    json_object_set_new(parameters, "start_time", result_text(record->start_time));
    json_object_set_new(parameters, "duration_s",
                        json_real((double)record->duration_ns / NS_PER_S));
    add_schedule(parameters, &record->plan->schedule);
    add_load(parameters, load);
    json_object_set_new(parameters, "tickets", /* a target's own settings are not known */
                        record->embedded ? json_integer(load->tickets) : json_null());
    json_object_set_new(
        parameters, "confirm", /* each case's confirmed_by names what it came to */
        json_string(record->plan->confirm_forced ? confirmation_name(load->confirm) : "auto"));
    json_object_set_new(parameters, "baseline", result_text(record->baseline));
    return parameters;
}

static json_t *host_json(const char *role, const json_t *facts)
{
    json_t *host = json_pack("{s:s}", "role", role);

    if (facts != NULL)
        json_object_update(host, (json_t *)facts); /* jansson reads it only, but takes no const */
    json_object_set_new(host, "role", json_string(role));
    return host;
}

/* A target on this host is as near as an embedded server, but where it runs is seldom known. */
static bool may_share_cpu(const struct run_record *record)
{
    if (record->embedded)
        return record->same_core;
    return loopback_address(&record->plan->load.address) && !record->apart;
}

json_t *result_environment(const struct run_record *record)
{
    json_t *hosts = json_array();

    json_array_append_new(hosts, host_json("client", record->client_environment));
    if (record->server_environment != NULL)
        json_array_append_new(hosts, host_json("server", record->server_environment));
    return json_pack("{s:o, s:b, s:b}", "hosts", hosts, "smt_siblings", (int)record->siblings,
                     "same_cpu", (int)may_share_cpu(record));
}
