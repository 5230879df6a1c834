#ifndef CLIENT_CHECK_SUBJECT_H
#define CLIENT_CHECK_SUBJECT_H

#include "client/check/certificate.h"
#include "client/check/ciphers.h"
#include "client/check/finding.h"
#include "common/base/error.h"
#include "common/tls/group.h"
#include "common/tls/library.h"

#include <stdbool.h>
#include <stddef.h>

/* One server as it is configured: what is really in force, and where each value is said. One input
 * gives one subject for each nginx server block, or a single one. */

#define SUBJECT_GROUPS 64

enum subject_version {
    SUBJECT_10,
    SUBJECT_11,
    SUBJECT_12,
    SUBJECT_13,
    SUBJECT_VERSIONS,
};

enum dh_source {
    DH_AUTO,   /* sized by the certificate (SSL_CTX_set_dh_auto(3)) */
    DH_NONE,   /* no parameters: no DHE suite up to OpenSSL 3 */
    DH_PARAMS, /* from a file */
};

/* A value as it is written. */
struct subject_value {
    char *text;  /* NULL: not said, the library's default */
    char *place; /* "nginx.conf:12"; "" for the command line and defaults */
};

struct check_subject {
    char *name;  /* "server example.org", "the cipher string" */
    char *place; /* of the server block */
    bool nginx;

    struct subject_value ciphers, ciphersuites, groups, versions, prefer, dhparam;
    /* The cipher string of the default server of the block's socket, where it is not `ciphers`: it
     * is in force until the client's name is known. */
    struct subject_value start_ciphers;
    /* The cipher string in whose security level the certificates and DH parameters are loaded,
     * where another one replaces it behind that: NULL: `ciphers`. */
    struct subject_value load_ciphers;
    bool version_on[SUBJECT_VERSIONS];
    bool prefer_server;
    bool prefer_server_13; /* differs for nginx blocks that are not their socket's default */
    bool prioritize_chacha;
    bool tickets;
    enum dh_source dh;
    int dh_bits;  /* DH_PARAMS */
    bool dh_late; /* loaded when `ciphers` are in force */
    /* Parameters that are loaded too, but replaced by those: they must be sound. */
    struct subject_value early_dhparam;
    int early_dh_bits;
    struct certificate_set certificates;

    /* Derived by subject_finish. */
    int default_level;
    struct cipher_list list, list_13;
    const struct tls_group *group_list[SUBJECT_GROUPS];
    size_t group_count;
    bool refused;     /* a server with it does not start */
    bool starts;      /* nor is it kept from it by what else the configuration says */
    int deaf_number;  /* of the version without suites that makes OpenSSL refuse every handshake */
    bool needs_start; /* without `start_ciphers` that would be otherwise: no server alone is so */
};

int subject_version_number(enum subject_version version); /* TLS1_VERSION … */

/* Reads the lists and fills what is derived from them, with everything that there is to say about
 * words. Call once all values are set. */
void subject_finish(struct check_subject *subject, const struct library_facts *library,
                    struct finding_list *findings);
void subject_cleanup(struct check_subject *subject);

void subject_set(struct subject_value *value, const char *text, const char *place);

/* The groups that OpenSSL takes where none are said, colon-separated. */
const char *subject_default_groups(const struct library_facts *library);

/* DHE parameters from a file: their bits; a file that cannot be read is a finding. */
void subject_read_dhparam(struct check_subject *subject, struct finding_list *findings);
void subject_read_early_dhparam(struct check_subject *subject, struct finding_list *findings);

#endif
