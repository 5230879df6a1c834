#include "client/report/table_parts.h"

#include "client/report/field.h"
#include "client/report/wrap.h"
#include "common/base/text.h"

#include <string.h>

#define LABEL_INDENT  8
#define WINDOW_SPREAD 0.05 /* windows that differ by less are told as one length */

static void add_part(struct text_buffer *line, const char *before, const char *text,
                     const char *after)
{
    if (text[0] != '\0')
        text_buffer_add(line, "%s%s%s%s", line->length > 0 ? ", " : "", before, text, after);
}

static void add_count(struct text_buffer *line, double count, const char *unit)
{
    text_buffer_add(line, "%s%.0f %s%s", line->length > 0 ? ", " : "", count, unit,
                    count == 1 ? "" : "s");
}

static const json_t *find_host(const json_t *result, const char *role)
{
    const json_t *hosts = field_at(result, "environment.hosts"), *host;
    size_t index;

    json_array_foreach(hosts, index, host)
    {
        if (strcmp(field_text(host, "role"), role) == 0)
            return host;
    }
    return NULL;
}

void heading_describe_host(const json_t *host, struct text_buffer *line)
{
    double cores;

    add_part(line, "", field_text(host, "openssl"), "");
    add_part(line, "", field_text(host, "cpu"), "");
    if (field_number(host, "cores", &cores))
        add_count(line, cores, "core");
    add_part(line, "kernel ", field_text(host, "kernel"), "");
    add_part(line, "governor ", field_text(host, "governor"), "");
    add_part(line, "", field_text(host, "allocator"), "");
    const char *mask = strstr(field_text(host, "cpu_settings"), "env:");
    if (mask)
        add_part(line, "OPENSSL_ia32cap ", mask + strlen("env:"), "");
}

void heading_labelled(FILE *out, const char *label, const char *text)
{
    struct text_buffer line = {0};

    text_buffer_add(&line, "%-*s%s", LABEL_INDENT, label, text);
    wrap_print(out, text_buffer_text(&line), LABEL_INDENT);
    text_buffer_cleanup(&line);
}

/* Whether both sides ran the same software on one machine; pinning may differ. */
static bool same_host(const json_t *result)
{
    static const char *const fields[] = {"openssl", "cpu", "kernel", "allocator"};
    const json_t *client = find_host(result, "client"), *server = find_host(result, "server");

    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (strcmp(field_text(client, fields[i]), field_text(server, fields[i])) != 0)
            return false;
    return field_true(result, "parameters.loopback");
}

/* Where every case was skipped there was no target to talk to. */
static bool was_run(const json_t *result)
{
    return field_text(result, "parameters.address")[0] != '\0';
}

static void print_hosts(FILE *out, const json_t *result)
{
    struct text_buffer client = {0}, server = {0};

    heading_describe_host(find_host(result, "client"), &client);
    heading_describe_host(find_host(result, "server"), &server);
    heading_labelled(out, "client", text_buffer_text(&client));
    if (server.length == 0 && json_array_size(field_at(result, "parameters.server_pids")) > 0)
        heading_labelled(
            out, "server",
            "on this host: CPU by the clocks of its processes (--server-pid), counts are ours");
    else if (server.length == 0)
        heading_labelled(out, "server", "not known: the target does not tell");
    else if (same_host(result))
        heading_labelled(out, "server", "the same host and library, in a process of its own");
    else
        heading_labelled(out, "server", text_buffer_text(&server));
    if (field_true(result, "environment.same_cpu"))
        heading_labelled(out, "",
                         "both may run on the same CPU: rates and latencies are of the pair, not "
                         "of either side");
    else if (field_true(result, "environment.smt_siblings"))
        heading_labelled(out, "",
                         "both run on hardware threads of one core (SMT siblings) and slow "
                         "each other");
    text_buffer_cleanup(&client);
    text_buffer_cleanup(&server);
}

static const char *closing_text(const char *policy)
{
    if (strcmp(policy, "fin") == 0)
        return "client closes first";
    if (strcmp(policy, "rst") == 0)
        return "client resets after the proof";
    return "server closes first";
}

/* As they were: unless --duration is given, later windows share what time is left. */
static void add_windows(const json_t *result, struct text_buffer *line)
{
    const json_t *cases = field_at(result, "cases"), *item, *round;
    double least = 0, most = 0, wall;
    size_t index, number;

    json_array_foreach(cases, index, item)
    {
        json_array_foreach(json_object_get(item, "rounds"), number, round)
        {
            if (!field_number(round, "wall_ns", &wall))
                continue;
            least = least == 0 || wall < least ? wall : least;
            most = wall > most ? wall : most;
        }
    }
    if (most == 0 && field_number(result, "parameters.window_ms", &most))
        least = most *= 1e6;
    if (most > (1 + WINDOW_SPREAD) * least)
        text_buffer_add(line, "%.0f to %.0f ms", least / 1e6, most / 1e6);
    else
        text_buffer_add(line, "%.0f ms", most / 1e6);
}

static void print_method(FILE *out, const json_t *result)
{
    const json_t *parameters = field_at(result, "parameters");
    struct text_buffer line = {0};
    double rounds = 0, seed = 0, threads = 0;

    field_number(parameters, "rounds", &rounds);
    field_number(parameters, "seed", &seed);
    text_buffer_add(&line, "%.0f round%s × ", rounds, rounds == 1 ? "" : "s");
    add_windows(result, &line);
    text_buffer_add(&line, ", cases in turn (seed %.0f)", seed);
    if (field_number(parameters, "threads", &threads))
        add_count(&line, threads, "client thread");
    heading_labelled(out, "method", text_buffer_text(&line));
    text_buffer_cleanup(&line);
}

/* As they were seen: a target sends what it likes. */
static void add_tickets(const json_t *result, struct text_buffer *line)
{
    const json_t *cases = field_at(result, "cases"), *item;
    double most = 0, least = 0, tickets;
    bool seen = false;
    size_t index;

    json_array_foreach(cases, index, item)
    {
        if (!field_number(item, "tickets", &tickets))
            continue;
        most = !seen || tickets > most ? tickets : most;
        least = !seen || tickets < least ? tickets : least;
        seen = true;
    }
    if (most > 0) {
        text_buffer_add(line, ", %s%.0f ticket%s", least < most ? "up to " : "", most,
                        most > 1 ? "s" : "");
    } else if (seen) {
        add_part(line, "", "no tickets", "");
    }
}

/* What every connection does and does not, since it is part of the cost. */
static void print_connections(FILE *out, const json_t *result)
{
    const json_t *parameters = field_at(result, "parameters");
    struct text_buffer line = {0};
    bool verified = field_true(parameters, "chain_verified");

    add_part(&line, "", closing_text(field_text(parameters, "closing")), "");
    add_tickets(result, &line);
    add_part(&line, "", "no resumption", "");
    add_part(&line, "",
             field_true(parameters, "client_certificate") ? "client certificate where asked for"
                                                          : "",
             "");
    add_part(&line, "",
             field_true(parameters, "lean_client")
                 ? "client with fewer decoders than a stock one (--lean)"
                 : "",
             "");
    add_part(&line, "", verified ? "chain and name verified" : "chain not verified", "");
    heading_labelled(out, "each", text_buffer_text(&line));
    text_buffer_cleanup(&line);
}

void heading_print(FILE *out, const json_t *result)
{
    const char *target = field_text(result, "parameters.target");
    const char *address = field_text(result, "parameters.address");
    struct text_buffer line = {0};
    double seconds;

    text_buffer_add(&line, "suitemark %s: %s", field_text(result, "suitemark"),
                    was_run(result) ? target : "nothing was run");
    if (address[0] != '\0' && strcmp(address, target) != 0)
        text_buffer_add(&line, " at %s", address);
    add_part(&line, "", field_text(result, "parameters.start_time"), "");
    if (field_number(result, "parameters.duration_s", &seconds))
        text_buffer_add(&line, ", %.1f s", seconds);
    if (field_true(result, "interrupted"))
        text_buffer_add(&line, ", interrupted");
    wrap_print(out, text_buffer_text(&line), LABEL_INDENT);
    text_buffer_cleanup(&line);
    if (!was_run(result))
        return;
    print_hosts(out, result);
    print_method(out, result);
    print_connections(out, result);
}
