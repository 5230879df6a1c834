#include "client/options.h"

#include "common/base/clock.h"
#include "common/tls/version.h"

#include <inttypes.h>
#include <string.h>

#define ROW(row_name, row_letter, row_type, field)                                                 \
    .name = (row_name), .letter = (row_letter), .type = (row_type),                                \
    .offset = offsetof(struct run_options, field)
#define SNI_MAX 253 /* RFC 1035 section 2.3.4, as text */

#define HOUR (UINT64_C(3600) * NS_PER_S)

/* In the order of the enums that they fill. */
static const char *const close_words[] = {"server", "fin", "rst", NULL};
static const char *const confirm_words[] = {"auto", "response", "close", NULL};
static const char *const layers_words[] = {"auto", "on", "off", NULL};
static const char *const format_words[] = {"table", "json", NULL};

const struct option_row run_option_rows[] = {
    {.help =
         "What to measure (nothing but --measure given: the default plan; else every combination)"},
    {ROW("suites", 0, OPTION_LIST, suites), .value = "LIST",
     .help = "Cipher suites by OpenSSL or IANA name in any case, an OpenSSL cipher string, or all"},
    {ROW("certs", 0, OPTION_LIST, certs), .value = "LIST",
     .help = "Certificate kinds (rsa-2048, ecdsa-p256, ed25519, ...), or all"},
    {ROW("groups", 0, OPTION_LIST, groups), .value = "LIST",
     .help = "Key-exchange groups (x25519, p-256, X25519MLKEM768, ...), or all"},
    {ROW("versions", 0, OPTION_LIST, versions), .value = "LIST",
     .help = "TLS versions (1.0, 1.1, 1.2, 1.3), or all"},
    {ROW("measure", 0, OPTION_LIST, measures), .value = "LIST",
     .help = "handshake (full handshakes), bulk (application bytes), or both"},
    {ROW("record-sizes", 0, OPTION_LIST, record_sizes), .value = "LIST",
     .help = "Bulk: bytes of one write, 1 to 16384 (16k); 16384 when not given"},
    {ROW("direction", 0, OPTION_LIST, directions), .value = "LIST",
     .help = "Bulk: download, upload or both; download when not given"},
    {ROW("layers", 0, OPTION_CHOICE, layers), .value = "WHEN", .fallback = "auto",
     .choices = layers_words,
     .help =
         "Measure what lies under each case too: its primitives alone, and libssl over memory "
         "BIOs; auto: in the default plan with the embedded server and a --time of 30s or more"},
    {ROW("list", 0, OPTION_TEXT, list), .value = "WHAT",
     .help = "Print the suites, certs or groups that this library has, and end"},
    {ROW("dry-run", 'n', OPTION_FLAG, dry_run),
     .help = "Print the cases, the skips with their reasons and the schedule, and end"},

    {.help = "Target (a server that is not the embedded one)"},
    {ROW("sni", 0, OPTION_TEXT, sni), .value = "NAME",
     .help = "Server name to send; the target's host name when not given, none for an address"},
    {ROW("path", 0, OPTION_TEXT, path), .value = "PATH",
     .help = "Path to request of an HTTP server; the URL's when not given"},
    {ROW("ca", 0, OPTION_TEXT, ca), .value = "FILE",
     .help = "PEM file of authorities: chain and name are verified on every connection, which "
             "costs the client; without it the result says that they are not"},
    {ROW("client-cert", 0, OPTION_TEXT, client_cert), .value = "FILE",
     .help = "PEM certificate for servers that ask for one"},
    {ROW("client-key", 0, OPTION_TEXT, client_key), .value = "FILE",
     .help = "Its key; in the same file when not given"},
    {ROW("server-pid", 0, OPTION_LIST, server_pids), .value = "PID",
     .help = "Processes of a server on this host that is not suitemark-server, with all their "
             "children: fills the server's columns"},
    {ROW("source", 0, OPTION_LIST, sources), .value = "ADDR",
     .help = "Local addresses that connections come from in turn"},

    {.help = "Load"},
    {ROW("connections", 'c', OPTION_COUNT, connections), .value = "N", .min = 1, .max = 100000,
     .help = "Connections in flight, all threads together; when not given 16 a thread for "
             "handshakes and 1 a thread for bulk"},
    {ROW("threads", 't', OPTION_COUNT, threads), .value = "N", .min = 1, .max = 256,
     .help = "Client threads; 1 when not given"},
    {ROW("time", 0, OPTION_DURATION, time_ns), .value = "TIME", .fallback = "80s", .min = NS_PER_S,
     .max = 24 * HOUR,
     .help = "Length of the whole run, from which the window of a round is derived"},
    {ROW("duration", 'd', OPTION_DURATION, duration_ns), .value = "TIME", .min = 10 * NS_PER_MS,
     .max = HOUR, .help = "Length of one window, whatever the whole run then takes"},
    {ROW("rounds", 0, OPTION_COUNT, rounds), .value = "N", .fallback = "6", .min = 1, .max = 64,
     .help = "Windows of each case; fewer than 6 give a range and no interval"},
    {ROW("warmup", 0, OPTION_DURATION, warmup_ns), .value = "TIME", .fallback = "100ms",
     .max = 60 * NS_PER_S, .help = "Least time of load before each window"},
    {ROW("seed", 0, OPTION_COUNT, seed), .value = "N",
     .help = "Seed of the order of cases within a round; drawn and printed when not given"},
    {ROW("close", 0, OPTION_CHOICE, close), .value = "HOW", .fallback = "server",
     .choices = close_words,
     .help = "Who closes: the server first, the client by FIN, or the client by RST"},
    {ROW("confirm", 0, OPTION_CHOICE, confirm), .value = "HOW", .fallback = "auto",
     .choices = confirm_words,
     .help = "Proof that the server finished a handshake: the strongest that the target gives, "
             "the answer to a request, or its close_notify"},
    {ROW("tickets", 0, OPTION_COUNT, tickets), .value = "N", .fallback = "0", .max = 16,
     .help = "TLS 1.3 session tickets that the embedded server sends after each handshake"},
    {ROW("connect-timeout", 0, OPTION_DURATION, connect_timeout_ns), .value = "TIME",
     .fallback = "5s", .min = NS_PER_MS, .max = HOUR, .help = "Limit of one TCP connect"},
    {ROW("handshake-timeout", 0, OPTION_DURATION, handshake_timeout_ns), .value = "TIME",
     .fallback = "10s", .min = NS_PER_MS, .max = HOUR, .help = "Limit of one TLS handshake"},
    {ROW("pin", 0, OPTION_TEXT, pin), .value = "CPUS", .fallback = "auto",
     .help = "CPUs of the client's threads: auto, none, or a list such as 0,2-3"},
    {ROW("cert-dir", 0, OPTION_TEXT, cert_dir), .value = "DIR",
     .help = "Folder where the embedded server keeps and reuses its certificates"},
    {ROW("lean", 0, OPTION_FLAG, lean),
     .help = "Make the client cheaper than a stock OpenSSL client: only the decoders that a peer's "
             "certificate needs. Its own figures are then not those of a real client"},
    {ROW("cpu-without", 0, OPTION_TEXT, cpu_without), .value = "FEATURES",
     .help = "Run the client, and its embedded server, without these CPU features and what depends "
             "on them (aes,avx2,...)"},
    {ROW("openssl-config", 0, OPTION_FLAG, openssl_config),
     .help = "Load the system's openssl.cnf, which can change what is measured"},

    {.help = "Output"},
    {ROW("format", 'f', OPTION_CHOICE, format), .value = "FORMAT", .fallback = "table",
     .choices = format_words, .help = "Tables for people, or the whole result as JSON"},
    {ROW("output", 'o', OPTION_TEXT, output), .value = "FILE",
     .help = "Write the result there, not to standard output"},
    {ROW("baseline", 0, OPTION_TEXT, baseline), .value = "ID",
     .help = "Case that the vs column refers to; each table's first row when not given"},
    {ROW("help", 'h', OPTION_FLAG, help), .help = "Print this help, and end"},
    {ROW("version", 0, OPTION_FLAG, version),
     .help = "Print the versions of suitemark and OpenSSL, and end"},
};

const size_t run_option_count = sizeof run_option_rows / sizeof run_option_rows[0];

static bool check_versions(const struct text_list *words, struct error *err)
{
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->items[i];

        if (!text_equal_nocase(word, "all") && tls_version_parse(word) == 0)
            return error_set(err,
                             "--versions: unknown version \"%s\"; there are: 1.0, 1.1, 1.2, 1.3, "
                             "all",
                             word);
    }
    return true;
}

/* "both" stands for the two that there are. */
static void spell_out_both(struct text_list *words, const char *one, const char *other)
{
    struct text_list spelled = {0};

    for (size_t i = 0; i < words->count; i++) {
        bool both = text_equal_nocase(words->items[i], "both");

        text_list_add(&spelled, both ? one : words->items[i]);
        if (both)
            text_list_add(&spelled, other);
    }
    text_list_cleanup(words);
    *words = spelled;
}

static void spell_out(struct run_options *options)
{
    spell_out_both(&options->measures, measure_name(MEASURE_HANDSHAKE), measure_name(MEASURE_BULK));
    spell_out_both(&options->directions, direction_name(DIRECTION_DOWNLOAD),
                   direction_name(DIRECTION_UPLOAD));
}

static bool check_measures(const struct run_options *options, struct error *err)
{
    const struct text_list *words = &options->measures;
    bool bulk = words->count == 0;

    for (size_t i = 0; i < words->count; i++) {
        enum measure measure;

        if (!measure_parse(words->items[i], &measure, err))
            return error_prefix(err, "--measure");
        bulk |= measure == MEASURE_BULK;
    }
    if (!bulk && options->record_sizes.count > 0)
        return error_set(err, "--record-sizes: only bulk has record sizes; add it to --measure");
    if (!bulk && options->directions.count > 0)
        return error_set(err, "--direction: only bulk has a direction; add it to --measure");
    return true;
}

static bool check_bulk(const struct run_options *options, struct error *err)
{
    for (size_t i = 0; i < options->record_sizes.count; i++) {
        uint32_t bytes;

        if (!record_size_parse(options->record_sizes.items[i], &bytes, err))
            return error_prefix(err, "--record-sizes");
    }
    for (size_t i = 0; i < options->directions.count; i++) {
        enum direction direction;

        if (!direction_parse(options->directions.items[i], &direction, err))
            return error_prefix(err, "--direction");
    }
    return true;
}

/* A name or path goes out as it stands: no blank or control character, and not cut short. */
static bool check_sent(const char *option, const char *text, size_t most, struct error *err)
{
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++) {
        if (text[i] <= ' ' || text[i] >= 0x7f)
            return error_set(err,
                             "--%s: character %zu is a blank, a control character or not ASCII",
                             option, i + 1);
    }
    return length <= most || error_set(err, "--%s: longer than %zu characters", option, most);
}

static bool check_sent_options(const struct run_options *options, struct error *err)
{
    if (options->sni && options->sni[0] == '\0')
        return error_set(err, "--sni: the name is empty; for none name the target by its address");
    if (options->path && options->path[0] != '/')
        return error_set(err, "--path: \"%s\" does not begin with /", options->path);
    return (!options->sni || check_sent("sni", options->sni, SNI_MAX, err)) &&
           (!options->path ||
            check_sent("path", options->path, sizeof options->target.path - 1, err));
}

/* What says something of a target makes no sense of the embedded server. */
static bool check_target(const struct run_options *options, struct error *err)
{
    const char *stray = options->sni                     ? "sni"
                        : options->path                  ? "path"
                        : options->server_pids.count > 0 ? "server-pid"
                                                         : NULL;

    if (!options->have_target && stray)
        return error_set(err, "--%s needs a TARGET", stray);
    if (options->have_target && options->tickets > 0)
        return error_set(err,
                         "--tickets: only the embedded server is told; a target sends what its "
                         "own settings say (suitemark-server --tickets %" PRIu64 ")",
                         options->tickets);
    if (!options->have_target && options->ca && !options->cert_dir)
        return error_set(err,
                         "--ca needs a TARGET, or --cert-dir with the root of the embedded server");
    return check_sent_options(options, err);
}

/* The layers' own server asks for no client certificate, so their sum would lack its cost. */
static bool check_layers(const struct run_options *options, struct error *err)
{
    if (options->layers == LAYERS_ON && options->client_cert)
        return error_set(err, "--layers on: the layers have no client certificate; leave out "
                              "--client-cert or take --layers off");
    return true;
}

/* Whether such CPUs exist is asked when threads are pinned. */
static bool check_load(const struct run_options *options, struct error *err)
{
    const char *pin = options->pin;

    if (options->connections > 0 && options->threads > options->connections)
        return error_set(err,
                         "--threads: %" PRIu64 " threads need as many connections, but "
                         "--connections is %" PRIu64,
                         options->threads, options->connections);
    if (options->close == CLOSE_RST && options->confirm == 2)
        return error_set(err,
                         "--confirm close: --close rst resets before the server's close_notify "
                         "can come; take --confirm response");
    if (strcmp(pin, "auto") == 0 || strcmp(pin, "none") == 0)
        return true;
    if (pin[0] < '0' || pin[0] > '9' || pin[strspn(pin, "0123456789,-")] != '\0')
        return error_set(err, "--pin: \"%s\" is not auto, none or a list of CPUs such as 0,2-3",
                         pin);
    return true;
}

static bool check_output(const struct run_options *options, struct error *err)
{
    const char *list = options->list;

    if (list && strcmp(list, "suites") != 0 && strcmp(list, "certs") != 0 &&
        strcmp(list, "groups") != 0)
        return error_set(err, "--list: unknown list \"%s\"; there are: suites, certs, groups",
                         list);
    if (options->output && options->output[0] == '\0')
        return error_set(err, "--output: the file name is empty");
    return true;
}

static bool read_operands(struct run_options *options, const struct text_list *operands,
                          struct error *err)
{
    if (operands->count == 0)
        return true;
    if (operands->count > 1)
        return error_set(err, "one target, not %zu: \"%s\", \"%s\"", operands->count,
                         operands->items[0], operands->items[1]);
    options->have_target = true;
    return target_parse(operands->items[0], &options->target, err);
}

bool run_options_parse(int argc, char **argv, struct run_options *options, struct error *err)
{
    struct text_list operands = {0};
    bool ok;

    memset(options, 0, sizeof *options);
    ok = option_parse(run_option_rows, run_option_count, options, argc, argv, &operands, err);
    spell_out(options);
    if (ok && !options->help && !options->version)
        ok = check_versions(&options->versions, err) && check_measures(options, err) &&
             check_bulk(options, err) && check_layers(options, err) && check_load(options, err) &&
             check_output(options, err) && read_operands(options, &operands, err) &&
             check_target(options, err);
    text_list_cleanup(&operands);
    if (!ok)
        run_options_cleanup(options);
    return ok;
}

void run_options_cleanup(struct run_options *options)
{
    option_cleanup(run_option_rows, run_option_count, options);
}
