#include "client/check/nginx_block.h"

#include "common/base/file.h"
#include "common/base/text.h"
#include "common/tls/settings.h"

#include <openssl/x509.h>
#include <stdlib.h>

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
                    "run the check where the file is",
                    "the certificates that clients are verified with cannot be read");
    } else {
        X509_STORE *store = tls_trust_load(path, &err);
        if (!store)
            finding_add(findings, FINDING_ERROR, "client certificate", path, value.place,
                        "repair the file", "nginx does not start: %s", err.text);
        X509_STORE_free(store);
    }
    free(path);
}

void block_check_verify(const struct nginx_block *block, struct finding_list *findings)
{
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
}
