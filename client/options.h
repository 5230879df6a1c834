#ifndef CLIENT_OPTIONS_H
#define CLIENT_OPTIONS_H

#include "client/case.h"
#include "client/load.h"
#include "client/target.h"
#include "common/base/error.h"
#include "common/base/option.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum output_format {
    FORMAT_TABLE,
    FORMAT_JSON,
};

/* Whether the layers under each case are measured too. */
enum layers_choice {
    LAYERS_AUTO, /* in the default run, where it is long enough */
    LAYERS_ON,
    LAYERS_OFF,
};

/* `suitemark [run] [TARGET]` as typed. Ends at the plan: nothing behind it reads an option. */
struct run_options {
    bool help, version;

    /* What to measure; empty lists mean the default plan, any given makes the cross product. */
    struct text_list suites, certs, groups, versions, measures, directions;
    struct text_list record_sizes;
    const char *list; /* --list suites|certs|groups; NULL: not given */
    bool dry_run;

    /* Load. 0 where it says "0: default" means: not given. */
    uint64_t connections; /* 0: default */
    uint64_t threads;     /* 0: default */
    uint64_t duration_ns; /* of a window; 0: derived from time_ns */
    uint64_t time_ns;
    uint64_t rounds;
    uint64_t warmup_ns;
    uint64_t seed; /* 0: drawn at start, printed */
    int close;     /* enum close_policy */
    int confirm;   /* 0 auto, 1 response, 2 close */
    int layers;    /* enum layers_choice */
    uint64_t tickets;
    uint64_t connect_timeout_ns, handshake_timeout_ns;
    const char *pin;      /* "auto", "none" or a CPU list */
    const char *cert_dir; /* embedded server */
    const char *sni, *path;
    const char *ca, *client_cert, *client_key;
    struct text_list server_pids, sources;
    bool lean;               /* a library context with fewer decoders */
    bool openssl_config;     /* load the system's openssl.cnf */
    const char *cpu_without; /* CPU features that OpenSSL shall not use; NULL: uses all */

    /* Output. */
    int format;           /* enum output_format */
    const char *output;   /* -o FILE; NULL: standard output */
    const char *baseline; /* id of the row that "vs" refers to; NULL: the table's first */

    bool have_target;
    struct target target;
};

extern const struct option_row run_option_rows[];
extern const size_t run_option_count;

/* Parses argv behind the subcommand's name; argv[0] is skipped. Checks everything that needs no
 * library and no network; with --help or --version nothing but the options themselves. Texts point
 * into argv. After a failure there is nothing to clean up. */
bool run_options_parse(int argc, char **argv, struct run_options *options,
                       struct error *err) MUST_CHECK;
void run_options_cleanup(struct run_options *options);

#endif
