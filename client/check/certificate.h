#ifndef CLIENT_CHECK_CERTIFICATE_H
#define CLIENT_CHECK_CERTIFICATE_H

#include "client/check/finding.h"
#include "common/base/error.h"
#include "common/base/text.h"
#include "common/tls/kind.h"

#include <stdbool.h>
#include <stddef.h>

/* A certificate of the checked server, or a stand-in of the same kind where its files cannot be
 * used: keys are seldom readable, and a configuration may come from another machine. */

#define CERTIFICATES_MAX 8

struct check_certificate {
    struct certificate_kind kind; /* a row of kind_table, or made up after one for other sizes */
    bool in_table;
    int security_bits;
    bool suite_b[4];       /* whether its chain is so for flags of suite_b.h, by the flags >> 16 */
    char *file, *key_file; /* as configured; NULL: only the kind is known */
    char *pass_file;       /* of an encrypted key; NULL: none */
    bool stand_in;         /* trials use another certificate of this kind */
    bool by_command;       /* loaded in a security level of its own, and judged by that already */
    char *place;           /* of the directive or option */
};

struct certificate_set {
    struct check_certificate items[CERTIFICATES_MAX];
    size_t count;
    bool refused; /* a file of them is such that no server starts with it */
    bool keyless; /* one was left out, for its key is of another type */
};

/* Adds a certificate by kind. */
bool certificate_add_kind(struct certificate_set *set, const char *name, const char *place,
                          struct error *err) MUST_CHECK;

/* Adds a certificate from its files, checked as a server's start would check them; what is wrong is
 * a finding, and so is a file that cannot be read, when nothing is added. OpenSSL itself takes a
 * key of another type than the certificate's, for which it then has none: it is left out. */
void certificate_add_files(struct certificate_set *set, const char *file, const char *key_file,
                           const char *pass_file, const char *place, struct finding_list *findings);

/* Whether a server starts with a certificate and a key. */
enum certificate_fit {
    FIT,            /* they belong together, or one cannot be read here */
    FIT_OTHER_TYPE, /* the types differ: OpenSSL takes both, and has no pair of them */
    FIT_NOT,
};
enum certificate_fit certificate_fit(const char *file, const char *key_file, const char *pass_file);

/* Takes out the certificates with a key of this file's type; false: there is none, or the file
 * cannot be read. */
bool certificate_drop_type(struct certificate_set *set, const char *file);

/* OpenSSL keeps one certificate for each type of key, the last: earlier ones are taken out, with a
 * finding. */
void certificate_keep_last(struct certificate_set *set, struct finding_list *findings);

/* Certificates whose keys the security level does not take: findings, since a server with them does
 * not start. */
void certificate_check_level(const struct certificate_set *set, int level, const char *place,
                             struct finding_list *findings);

void certificate_cleanup(struct certificate_set *set);

#endif
