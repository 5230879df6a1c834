#include "client/check/options.h"

#include "common/base/clock.h"
#include "common/nginx/defaults.h"
#include "common/tls/version.h"

#include <string.h>

#define ROW(row_name, row_letter, row_type, field)                                                 \
    .name = (row_name), .letter = (row_letter), .type = (row_type),                                \
    .offset = offsetof(struct check_options, field)

static const char *const level_words[] = {"note", "warning", "error", NULL};
static const char *const format_words[] = {"table", "json", NULL};

const struct option_row check_option_rows[] = {
    {.help = "A cipher string (the operand), as OpenSSL takes it"},
    {ROW("tls13", 0, OPTION_TEXT, tls13), .value = "LIST",
     .help = "Suites of TLS 1.3, colon-separated; the library's default when not given"},
    {ROW("groups", 0, OPTION_TEXT, groups), .value = "LIST",
     .help = "Key-exchange groups, colon-separated; the library's default when not given"},
    {ROW("versions", 0, OPTION_LIST, versions), .value = "LIST",
     .help = "Protocol versions that are on; 1.2,1.3 when not given"},
    {ROW("prefer-server", 0, OPTION_FLAG, prefer_server),
     .help = "The server chooses the suite by its own order"},
    {ROW("certs", 0, OPTION_LIST, certs), .value = "KINDS",
     .help = "Kinds of the server's certificates (rsa-2048,ecdsa-p256 when nothing is known); with "
             "--nginx for those that cannot be read"},
    {ROW("cert", 0, OPTION_REPEAT, cert), .value = "FILE",
     .help = "The server's certificate chain (PEM); may be repeated, each with its --key"},
    {ROW("key", 0, OPTION_REPEAT, key), .value = "FILE", .help = "Private key of the --cert"},
    {ROW("key-pass-file", 0, OPTION_TEXT, key_pass_file), .value = "FILE",
     .help = "File of pass phrases of encrypted keys, each in a line"},
    {ROW("dhparam", 0, OPTION_TEXT, dhparam), .value = "FILE",
     .help = "Diffie-Hellman parameters (PEM), or none; sized by the certificate when not given"},

    {.help = "nginx"},
    {ROW("nginx", 0, OPTION_TEXT, nginx), .value = "FILE",
     .help = "Check every server block of a configuration that listens with ssl; also takes the "
             "output of nginx -T, and - for standard input"},
    {ROW("server-name", 0, OPTION_TEXT, server_name), .value = "NAME",
     .help = "Only the server blocks with this server_name"},
    {ROW("nginx-version", 0, OPTION_TEXT, nginx_version), .value = "VERSION",
     .help = "Version whose defaults count; asked of the installed nginx when not given"},

    {.help = "A running server"},
    {ROW("target", 0, OPTION_TEXT, target_text), .value = "HOST:PORT",
     .help = "Ask a live server for its versions, suites, orders, groups and certificates; it is "
             "not measured"},

    {.help = "What is done"},
    {ROW("no-measure", 0, OPTION_FLAG, no_measure),
     .help = "Look at the words alone: no server, no handshake, no measurement"},
    {ROW("time", 0, OPTION_DURATION, time_ns), .value = "TIME", .fallback = "40s",
     .min = 2 * NS_PER_S, .max = UINT64_C(3600) * NS_PER_S,
     .help = "Length of all measurements together"},
    {ROW("fail-on", 0, OPTION_CHOICE, fail_on), .value = "LEVEL", .fallback = "note",
     .choices = level_words, .help = "Exit with 1 only for findings of this level or above"},
    {ROW("format", 'f', OPTION_CHOICE, format), .value = "FORMAT", .fallback = "table",
     .choices = format_words, .help = "Tables for people, or the whole result as JSON"},
    {ROW("output", 'o', OPTION_TEXT, output), .value = "FILE",
     .help = "Write the result there, not to standard output"},
    {ROW("help", 'h', OPTION_FLAG, help), .help = "Print this help, and end"},
};

const size_t check_option_count = sizeof check_option_rows / sizeof check_option_rows[0];

static bool check_versions(const struct text_list *words, struct error *err)
{
    for (size_t i = 0; i < words->count; i++)
        if (tls_version_parse(words->items[i]) == 0)
            return error_set(err,
                             "--versions: unknown version \"%s\"; there are: 1.0, 1.1, 1.2, 1.3",
                             words->items[i]);
    return true;
}

/* Options that would be passed over in silence are refused. */
static bool check_input(const struct check_options *options, struct error *err)
{
    bool of_string = options->tls13 || options->groups || options->versions.count > 0 ||
                     options->prefer_server || options->cert.count > 0 || options->dhparam;
    int inputs =
        (options->string != NULL) + (options->nginx != NULL) + (options->target_text != NULL);

    if (inputs == 0 && !of_string)
        return error_set(err, "nothing to check: give a cipher string, --nginx FILE or --target "
                              "HOST:PORT");
    if (inputs > 1)
        return error_set(err, "a cipher string, --nginx and --target exclude each other");
    if (of_string && (options->nginx || options->target_text))
        return error_set(err,
                         "--tls13, --groups, --versions, --prefer-server, --cert and "
                         "--dhparam go with a cipher string: %s has its own",
                         options->nginx ? "nginx.conf" : "the target");
    if ((options->server_name || options->nginx_version) && !options->nginx)
        return error_set(err, "--server-name and --nginx-version go with --nginx");
    if (options->nginx_version && nginx_version_parse(options->nginx_version) == 0)
        return error_set(err, "--nginx-version: \"%s\" is not a version such as 1.22.1",
                         options->nginx_version);
    return true;
}

static bool check_pairs(const struct check_options *options, struct error *err)
{
    if (options->cert.count != options->key.count)
        return error_set(err, "each --cert needs its --key: %zu and %zu are given",
                         options->cert.count, options->key.count);
    if (options->output && options->output[0] == '\0')
        return error_set(err, "--output: the file name is empty");
    return true;
}

static bool check_all(struct check_options *options, const struct text_list *operands, char **argv,
                      int argc, struct error *err)
{
    if (operands->count > 1)
        return error_set(err, "one cipher string, not %zu: put it between quotes", operands->count);
    /* The operand's own copy goes with the list; argv has it as long as the program runs. */
    for (int i = 1; i < argc && operands->count == 1; i++)
        if (strcmp(argv[i], operands->items[0]) == 0)
            options->string = argv[i];
    return check_input(options, err) && check_versions(&options->versions, err) &&
           check_pairs(options, err) &&
           (!options->target_text || target_parse(options->target_text, &options->target, err));
}

bool check_options_parse(int argc, char **argv, struct check_options *options, struct error *err)
{
    struct text_list operands = {0};

    *options = (struct check_options){.help = false};
    bool ok =
        option_parse(check_option_rows, check_option_count, options, argc, argv, &operands, err);
    if (ok && !options->help)
        ok = check_all(options, &operands, argv, argc, err);
    text_list_cleanup(&operands);
    if (!ok)
        check_options_cleanup(options);
    return ok;
}

void check_options_cleanup(struct check_options *options)
{
    option_cleanup(check_option_rows, check_option_count, options);
}
