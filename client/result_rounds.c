#include "client/result_parts.h"

static json_t *known_integer(bool known, uint64_t value)
{
    return known ? json_integer((json_int_t)value) : json_null();
}

static void add_server(json_t *object, const struct round *round, bool known)
{
    json_object_set_new(object, "server_cpu_ns", known_integer(known, round->server_cpu_ns));
    json_object_set_new(object, "server_busiest_ns",
                        known_integer(known, round->server_busiest_ns));
    json_object_set_new(object, "server_wall_ns", known_integer(known, round->server_wall_ns));
    json_object_set_new(object, "server_count", known_integer(known, round->server_count));
    json_object_set_new(object, "server_bytes", known_integer(known, round->server_bytes));
    json_object_set_new(object, "server_threads", known_integer(known, round->server_threads));
}

static json_t *round_json(const struct round *round, bool server_known)
{
    json_t *object = json_object();

    json_object_set_new(object, "round", json_integer((json_int_t)round->number + 1));
    json_object_set_new(object, "start_ns", known_integer(true, round->start_ns));
    json_object_set_new(object, "wall_ns", known_integer(true, round->wall_ns));
    json_object_set_new(object, "attempted", known_integer(true, round->attempted));
    json_object_set_new(object, "completed", known_integer(true, round->completed));
    json_object_set_new(object, "confirmed", known_integer(true, round->confirmed));
    json_object_set_new(object, "bytes", known_integer(true, round->bytes));
    json_object_set_new(object, "client_cpu_ns", known_integer(true, round->client_cpu_ns));
    json_object_set_new(object, "client_busiest_ns", known_integer(true, round->client_busiest_ns));
    add_server(object, round, server_known);
    json_object_set_new(object, "steal_ns", known_integer(true, round->steal_ns));
    json_object_set_new(object, "steal_cpus", known_integer(true, round->steal_cpus));
    json_object_set_new(object, "others_ns",
                        round->others_cpus > 0 ? json_integer(round->others_ns) : json_null());
    json_object_set_new(object, "others_cpus", known_integer(true, round->others_cpus));
    json_object_set_new(object, "speed", result_number(round->speed > 0, round->speed));
    json_object_set_new(object, "stalled_ns", known_integer(true, round->stalled_ns));
    json_object_set_new(object, "slow", json_boolean(round->slow));
    return object;
}

json_t *result_rounds(const struct case_measurement *measurement)
{
    json_t *rounds = json_array();

    for (size_t i = 0; i < measurement->round_count; i++) {
        const struct round *round = &measurement->rounds[i];
        json_array_append_new(
            rounds, round_json(round, round->server_known && !measurement->server_shared));
    }
    return rounds;
}
