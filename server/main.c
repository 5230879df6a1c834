#include "common/base/descriptors.h"
#include "common/base/file.h"
#include "common/tls/library.h"
#include "server/config.h"
#include "server/lifetime.h"
#include "server/options.h"
#include "server/server.h"

#include <openssl/crypto.h>
#include <stdio.h>

enum {
    EXIT_OK = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 2,
};

static int complain(const struct error *err, int status)
{
    (void)fprintf(stderr, "suitemark-server: %s\n", err->text);
    return status;
}

static void show_progress(void *context, const char *text)
{
    (void)context;
    (void)fprintf(stderr, "%s\n", text);
}

/* Whether standard output took a text that is all there was to do. */
static int printed(void)
{
    struct error err = {0};
    return file_flush_output(&err) ? EXIT_OK : complain(&err, EXIT_FAILED);
}

static int show_help(void)
{
    (void)printf(
        "Usage: suitemark-server [OPTION]...\n"
        "A TLS server to be measured: every suite, group and certificate kind that OpenSSL "
        "has, over HTTP/1.1.\n\n");
    option_help(stdout, server_option_rows, server_option_count);
    (void)printf("\nSIGTERM or SIGINT: finish what is in flight and end; again: end at once.\n");
    return printed();
}

static int show_version(void)
{
    (void)printf("suitemark-server %s\n%s\n", SUITEMARK_VERSION, OpenSSL_version(OPENSSL_VERSION));
    return printed();
}

static int serve(struct server *server, bool exit_with_stdin)
{
    struct error err = {0};
    struct lifetime *lifetime = lifetime_new(server, exit_with_stdin, &err);
    if (lifetime == NULL)
        return complain(&err, EXIT_FAILED);
    int status = EXIT_FAILED;
    if (!server_start(server, &err)) {
        (void)complain(&err, EXIT_FAILED);
    } else {
        for (size_t i = 0; i < server_address_count(server); i++)
            (void)printf("ready %s\n", server_address(server, i));
        (void)fflush(stdout);
        status = lifetime_run(lifetime) ? EXIT_OK : EXIT_FAILED;
    }
    lifetime_free(lifetime);
    return status;
}

static int run(const struct server_options *options)
{
    struct error err = {0};
    struct library_facts facts;
    struct server_config config;
    if (!library_init(options->openssl_config, &err))
        return complain(&err, EXIT_USAGE);
    if (!library_facts_read(&facts, &err))
        return complain(&err, EXIT_FAILED);
    if (!server_config_build(options, &facts, show_progress, NULL, &config, &err))
        return complain(&err, EXIT_USAGE);
    struct server *server = server_new(&config, &facts, &err);
    const int status =
        server != NULL ? serve(server, options->exit_with_stdin) : complain(&err, EXIT_FAILED);
    server_free(server);
    server_config_cleanup(&config);
    return status;
}

int main(int argc, char **argv)
{
    struct error err = {0};
    struct server_options options;
    int status;
    descriptors_hold_standard();
    if (!server_options_parse(argc, argv, &options, &err))
        status = complain(&err, EXIT_USAGE);
    else if (options.help)
        status = show_help();
    else if (options.version)
        status = show_version();
    else
        status = run(&options);
    server_options_cleanup(&options);
    return status;
}
