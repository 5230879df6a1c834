#include "client/check/nginx_block.h"

#include "common/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The certificates of a block: ssl_certificate with ssl_certificate_key, one for each other, then
 * the commands Certificate and PrivateKey, which OpenSSL puts together by the types of the keys. */

/* NULL where there is none. */
static char *pass_file(const struct nginx_block *block)
{
    struct block_value value;

    block_value_of(block, block->own, NGINX_PASSWORD_FILE, &value);
    return value.directive ? nginx_tree_path(&block->config->tree, value.words) : NULL;
}

static void add_pair(const struct nginx_block *block, size_t index, struct check_subject *subject,
                     struct finding_list *findings)
{
    const struct nginx_directive *line = block->own->values[NGINX_CERTIFICATE].items[index];
    const struct nginx_directive *key_line = block->own->values[NGINX_CERTIFICATE_KEY].items[index];
    const char *name = nginx_directive_argument(line, 0);
    char place[BLOCK_PLACE];

    block_place(line, place);
    if (strchr(name, '$') || strncmp(name, "data:", 5) == 0) {
        finding_add(findings, FINDING_NOTE, "certificate", name, place, NULL,
                    "nginx takes this certificate from a variable, connection by connection: it "
                    "is not read here");
        return;
    }
    char *file = nginx_tree_path(&block->config->tree, name);
    char *key = nginx_tree_path(&block->config->tree, nginx_directive_argument(key_line, 0));
    char *pass = pass_file(block);
    certificate_add_files(&subject->certificates, file, key, pass, place, findings);
    free(file);
    free(key);
    free(pass);
}

/* Only a default server that turns all clients away leaves each other block of its socket in need
 * of a certificate. */
static void say_missing(const struct nginx_block *block, struct finding_list *findings)
{
    bool start_rejects = nginx_server_rejects(block->start);
    const struct nginx_server *server = start_rejects ? block->named : block->own;
    char place[BLOCK_PLACE];

    if (nginx_server_has_certificate(block->own) || nginx_server_rejects(block->named))
        return;
    block_say_missing(block, "certificate", "ssl_certificate",
                      block_place(server->directive, place), "add it",
                      start_rejects && server != block->start
                          ? "the default server rejects handshakes, and each other block on its "
                            "socket needs a certificate, also one that does not say ssl"
                          : "the default server of a socket with ssl needs a certificate, also "
                            "when it does not say ssl itself",
                      findings);
}

static void read_pairs(const struct nginx_block *block, struct check_subject *subject,
                       struct finding_list *findings)
{
    const struct nginx_values *files = &block->own->values[NGINX_CERTIFICATE];
    const struct nginx_values *keys = &block->own->values[NGINX_CERTIFICATE_KEY];
    char place[BLOCK_PLACE];

    if (files->count > keys->count) {
        subject->refused |= !block->config->partial;
        block_say_missing(block, "certificate", "ssl_certificate_key",
                          block_place(files->items[keys->count], place), "add it",
                          "each certificate needs a key", findings);
    }
    for (size_t i = 0; i < files->count && i < keys->count; i++)
        add_pair(block, i, subject, findings);
}

/* --- commands --- */

static char *command_path(const struct nginx_block *block, const struct nginx_directive *line)
{
    return nginx_tree_path(&block->config->tree, nginx_directive_argument(line, 1));
}

/* The last command PrivateKey whose file fits, else the key that a certificate of the same type
 * had. NULL: there is none. */
static char *find_key(const struct nginx_block *block, const char *file,
                      const struct certificate_set *set, const char **pass)
{
    const struct nginx_values *commands = &block->own->values[NGINX_CONF_COMMAND];

    *pass = NULL;
    for (size_t i = commands->count; i-- > 0;) {
        if (!block_is_command(commands->items[i], "PrivateKey"))
            continue;
        char *path = command_path(block, commands->items[i]);
        if (certificate_fit(file, path, NULL) == FIT)
            return path;
        free(path);
    }
    for (size_t i = 0; i < set->count; i++) {
        const struct check_certificate *item = &set->items[i];
        if (!item->key_file || certificate_fit(file, item->key_file, item->pass_file) != FIT)
            continue;
        *pass = item->pass_file;
        return memory_copy_text(item->key_file);
    }
    return NULL;
}

static void add_command(const struct nginx_block *block, const struct nginx_directive *line,
                        struct check_subject *subject, struct finding_list *findings)
{
    struct certificate_set *set = &subject->certificates;
    char *file = command_path(block, line), place[BLOCK_PLACE];
    const char *pass;
    char *key = find_key(block, file, set, &pass);

    block_place(line, place);
    if (key) {
        size_t before = set->count;
        certificate_add_files(set, file, key, pass, place, findings);
        if (set->count > before)
            set->items[before].by_command = true;
    } else {
        bool replaces = certificate_drop_type(set, file);
        set->keyless = true;
        finding_add(findings, FINDING_ERROR, "certificate", file, place,
                    "name its key with ssl_conf_command PrivateKey behind it",
                    "OpenSSL has no key for it and cannot use it%s",
                    replaces ? ", nor the certificate of the same type that it replaces" : "");
    }
    free(file);
    free(key);
}

void block_read_certificates(const struct nginx_block *block, struct check_subject *subject,
                             struct finding_list *findings)
{
    const struct nginx_values *commands = &block->own->values[NGINX_CONF_COMMAND];
    size_t errors = findings->errors;

    say_missing(block, findings);
    subject->refused |= findings->errors > errors;
    read_pairs(block, subject, findings);
    for (size_t i = 0; i < commands->count; i++)
        if (block_is_command(commands->items[i], "Certificate"))
            add_command(block, commands->items[i], subject, findings);
    subject->refused |= subject->certificates.refused;
}
