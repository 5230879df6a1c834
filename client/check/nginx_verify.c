#include "client/check/nginx_block.h"

#include "common/base/file.h"
#include "common/base/text.h"
#include "common/tls/settings.h"

#include <errno.h>
#include <openssl/err.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <stdlib.h>
#include <sys/stat.h>

/* nginx loads the certificates that it verifies clients with at its start, as tried with 1.22.1;
 * since 1.27.2 (its CHANGES) ssl_trusted_certificate alone is enough. */
#define TRUSTED_IS_ENOUGH 1027002

static bool has_store(const struct nginx_block *block)
{
    struct block_value value;

    block_value_of(block, block->own, NGINX_CLIENT_CERTIFICATE, &value);
    if (value.words[0] == '\0' && block->version >= TRUSTED_IS_ENOUGH)
        block_value_of(block, block->own, NGINX_TRUSTED_CERTIFICATE, &value);
    return value.words[0] != '\0';
}

/* A file of revocation lists alone will do where no names of authorities are read from it. */
static bool load(const char *path, enum nginx_setting setting, struct error *err)
{
    bool named = setting == NGINX_CLIENT_CERTIFICATE;
    X509_STORE *store = named ? tls_trust_load(path, err) : X509_STORE_new();
    bool ok = store != NULL;

    if (ok && !named && X509_STORE_load_file(store, path) != 1)
        ok = error_set(err, "%s holds no certificate in PEM, and no revocation list", path);
    X509_STORE_free(store);
    ERR_clear_error();
    return ok;
}

/* A file that is not here may be there: the configuration may come from another machine. */
static void look_at_store(const struct nginx_block *block, enum nginx_setting setting,
                          struct finding_list *findings)
{
    struct block_value value;
    struct error err;

    block_value_of(block, block->own, setting, &value);
    if (!value.directive || value.words[0] == '\0')
        return;
    char *path = nginx_tree_path(&block->config->tree, value.words);
    if (!file_is_readable(path)) {
        finding_add(findings, FINDING_WARNING, "client certificate", path, value.place,
                    "run the check where the file is", "%s",
                    setting == NGINX_CRL
                        ? "the list of revoked certificates cannot be read"
                        : "the certificates that clients are verified with cannot be read");
    } else if (!load(path, setting, &err)) {
        finding_add(findings, FINDING_ERROR, "client certificate", path, value.place,
                    "repair the file", "nginx does not start: %s", err.text);
    }
    free(path);
}

/* AES-128 or AES-256 with HMAC and a name. */
#define TICKET_KEY      48
#define LONG_TICKET_KEY 80

static void look_at_ticket_key(const struct nginx_block *block, const struct nginx_directive *line,
                               struct finding_list *findings)
{
    char *path = nginx_tree_path(&block->config->tree, nginx_directive_argument(line, 0));
    char place[BLOCK_PLACE];
    struct stat status;
    bool here = stat(path, &status) == 0;

    block_place(line, place);
    if (!here && errno == ENOENT)
        finding_add(findings, FINDING_WARNING, "ticket key", path, place,
                    "run the check where the file is", "the file is not here");
    else if (here && status.st_size != TICKET_KEY && status.st_size != LONG_TICKET_KEY)
        finding_add(findings, FINDING_ERROR, "ticket key", path, place, "openssl rand -out FILE 80",
                    "nginx does not start: the file must have %d or %d bytes, and has %lld",
                    TICKET_KEY, LONG_TICKET_KEY, (long long)status.st_size);
    free(path);
}

void block_check_verify(const struct nginx_block *block, struct finding_list *findings)
{
    const struct nginx_values *keys = &block->own->values[NGINX_TICKET_KEY];
    struct block_value value;

    block_value_of(block, block->own, NGINX_VERIFY_CLIENT, &value);
    bool verifies =
        text_equal_nocase(value.words, "on") || text_equal_nocase(value.words, "optional");
    if (verifies && !has_store(block))
        block_say_missing(block, "client certificate", "ssl_verify_client", value.place,
                          "name the authorities of the clients with ssl_client_certificate",
                          "ssl_verify_client needs ssl_client_certificate", findings);
    if (verifies || text_equal_nocase(value.words, "optional_no_ca"))
        look_at_store(block, NGINX_CLIENT_CERTIFICATE, findings);
    look_at_store(block, NGINX_TRUSTED_CERTIFICATE, findings);
    look_at_store(block, NGINX_CRL, findings);
    for (size_t i = 0; i < keys->count; i++)
        look_at_ticket_key(block, keys->items[i], findings);
}
