#include "client/result_parts.h"

#include "client/layers/case_layers.h"

#include <stdio.h>

/* Names of the fields with their unit, and from the summary's unit to it. */
static const struct layers_unit {
    const char *primitive, *components, *memory, *wire;
    double scale; /* of the wire's cost: ns per byte to ns per KiB */
} units[] = {
    [MEASURE_HANDSHAKE] = {"primitive_us", "components_us", "memory_us", "wire_us", 1},
    [MEASURE_BULK] = {"primitive_ns_per_kib", "components_ns_per_kib", "memory_ns_per_kib",
                      "wire_ns_per_kib", 1024},
};

#define SERVER_HINT "run `suitemark evp` on the server"

/* Only the parts that the side has. */
static json_t *components_json(const double components[static WORK_COMPONENTS])
{
    json_t *object = json_object();

    for (int i = 0; i < WORK_COMPONENTS; i++)
        if (components[i] > 0)
            json_object_set_new(object, work_component_name((enum work_component)i),
                                json_real(components[i]));
    return object;
}

static json_t *shares_json(const struct layer_summary *layers)
{
    const struct layer_shares *shares = &layers->shares;
    json_t *object;

    if (!layers->have_shares)
        return json_null();
    object = components_json(shares->components);
    json_object_set_new(object, "libssl", json_real(shares->libssl));
    json_object_set_new(object, "kernel", result_number(shares->kernel_known, shares->kernel));
    json_object_set_new(object, "rest", json_real(shares->rest));
    return object;
}

static json_t *wire_json(const struct side_summary *wire, double scale)
{
    bool split = wire->user > 0 || wire->system > 0;
    struct interval scaled = wire->cpu;
    json_t *object;

    scaled.median *= scale;
    scaled.low *= scale;
    scaled.high *= scale;
    object = wire->known ? result_interval(&scaled) : json_null();
    if (json_is_null(object))
        return object;
    json_object_set_new(object, "user", result_number(split, wire->user * scale));
    json_object_set_new(object, "system", result_number(split, wire->system * scale));
    return object;
}

static json_t *side_json(const struct case_layers *layers, enum work_side side,
                         const struct side_summary *wire, const struct layers_unit *unit)
{
    struct layer_summary summary;
    json_t *object = json_object();
    bool primitives = layers->primitive_count > 0;

    case_layers_summary(layers, side, wire->cpu.median * unit->scale, wire->user * unit->scale,
                        wire->system * unit->scale, &summary);
    json_object_set_new(object, unit->primitive, result_interval(&summary.primitive));
    json_object_set_new(object, unit->components,
                        primitives ? components_json(summary.components) : json_null());
    json_object_set_new(object, unit->memory, result_interval(&summary.memory));
    json_object_set_new(object, unit->wire, wire_json(wire, unit->scale));
    json_object_set_new(object, "efficiency",
                        result_number(summary.have_efficiency, summary.efficiency));
    json_object_set_new(object, "shares", shares_json(&summary));
    return object;
}

static json_t *reason_json(const struct case_layers *layers)
{
    char text[2 * sizeof layers->no_memory];

    (void)snprintf(text, sizeof text, "%s%s%s%s%s", layers->no_memory[0] ? "memory: " : "",
                   layers->no_memory, layers->no_memory[0] && layers->no_primitive[0] ? "; " : "",
                   layers->no_primitive[0] ? "primitive: " : "", layers->no_primitive);
    return result_text(text);
}

json_t *result_layers(const struct run_record *record, const struct case_result *result,
                      const struct case_summary *summary)
{
    const struct layers_unit *unit = &units[result->test_case->measure];
    const struct case_layers *layers = result->layers;
    json_t *server;

    if (layers == NULL || result->skipped != NULL)
        return json_null();
    server =
        record->embedded ? side_json(layers, WORK_SERVER, &summary->server, unit) : json_null();
    return json_pack("{s:o, s:o, s:o, s:o}", "client",
                     side_json(layers, WORK_CLIENT, &summary->client, unit), "server", server,
                     "reason", reason_json(layers), "hint",
                     record->embedded ? json_null() : json_string(SERVER_HINT));
}
