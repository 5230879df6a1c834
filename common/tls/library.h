#ifndef COMMON_TLS_LIBRARY_H
#define COMMON_TLS_LIBRARY_H

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/tls/group.h"
#include "common/tls/kind.h"
#include "common/tls/suite.h"

#include <jansson.h>
#include <stdbool.h>

/* What the loaded OpenSSL has, asked of it at run time: headers and library may differ. */

/* First call of main: initialises OpenSSL without the system's openssl.cnf (METHOD 5) unless
 * `load_config`, ignores SIGPIPE (libssl uses write(2)), and drops nothing else. A configuration
 * that is not there or cannot be parsed is an error, the user's. */
bool library_init(bool load_config, struct error *err) MUST_CHECK;

/* A configuration may activate no provider, or none with algorithms: nothing works then. */
bool library_has_provider(struct error *err) MUST_CHECK;

/* Zeroed is not valid: library_facts_read fills it; a const pointer to it goes down from main.
 * Plain bools by table index, so tests can make one up. */
struct library_facts {
    bool suites[512]; /* by index into suite_table: can be enabled at security level 0 */
    bool kinds[32];   /* by index into kind_table: a key can be made and libssl has its signature
                         algorithm */
    bool groups[64];  /* by index into group_table */
    unsigned long version; /* OpenSSL_version_num() */
};

/* Fails where the library has no provider or cannot make a TLS context. */
bool library_facts_read(struct library_facts *facts, struct error *err) MUST_CHECK;

bool library_has_suite(const struct library_facts *facts, const struct suite *suite);
bool library_has_kind(const struct library_facts *facts, const struct certificate_kind *kind);
bool library_has_group(const struct library_facts *facts, const struct tls_group *group);

/* The suites that an OpenSSL cipher string ("ECDHE+AESGCM:!SHA1") selects for TLS <= 1.2 at level
 * 0, in order, as pointers into suite_table, at most `max`; *count is how many. A word that OpenSSL
 * would drop silently is an error that names it. */
bool library_expand_ciphers(const char *string, const struct suite **suites, size_t max,
                            size_t *count, struct error *err) MUST_CHECK;

/* {openssl: version text as loaded, cpu_settings: OPENSSL_info(OPENSSL_INFO_CPU_SETTINGS)}: a new
 * object. */
json_t *library_json(void);

#endif
