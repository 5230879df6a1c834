#include "client/check/nginx_block.h"

#include "common/base/file.h"
#include "common/base/text.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The commands of a block are given to a context as nginx gives them at its start, behind its
 * certificates. */

#define COMMAND_FLAGS                                                                              \
    (SSL_CONF_FLAG_FILE | SSL_CONF_FLAG_SERVER | SSL_CONF_FLAG_CLIENT | SSL_CONF_FLAG_CERTIFICATE)

/* What becomes of a command that OpenSSL takes. */
static const struct command_row {
    const char *name;
    bool by_words; /* its value is judged word by word, OpenSSL is not asked here */
} command_rows[] = {
    {"Ciphersuites", true}, {"CipherString", true},  {"Groups", true},
    {"Curves", true},       {"MinProtocol", false},  {"MaxProtocol", false},
    {"Protocol", false},    {"Options", false},      {"Certificate", false},
    {"PrivateKey", false},  {"DHParameters", false}, {"ECDHParameters", false},
};

static const struct command_row *find_row(const char *name)
{
    for (size_t i = 0; i < sizeof command_rows / sizeof command_rows[0]; i++)
        if (text_equal_nocase(command_rows[i].name, name))
            return &command_rows[i];
    return NULL;
}

struct commands {
    const struct nginx_block *block;
    SSL_CTX *ctx;
    SSL_CONF_CTX *conf;
    int level; /* of security, as the strings before a command leave it */
    struct finding_list *findings;
};

static bool is_path(SSL_CONF_CTX *conf, const char *name)
{
    int type = SSL_CONF_cmd_value_type(conf, name);

    return type == SSL_CONF_TYPE_FILE || type == SSL_CONF_TYPE_DIR;
}

/* OpenSSL reads a directory in the place of a file for ever, nginx with it. */
static bool can_be_read(SSL_CONF_CTX *conf, const char *name, const char *path)
{
    struct stat status;

    if (SSL_CONF_cmd_value_type(conf, name) == SSL_CONF_TYPE_FILE)
        return file_is_readable(path);
    return access(path, R_OK) == 0 && stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static void say_refused(const struct commands *commands, const struct nginx_directive *line)
{
    const char *name = nginx_directive_argument(line, 0);
    const char *value = nginx_directive_argument(line, 1);
    bool known = SSL_CONF_cmd_value_type(commands->conf, name) != SSL_CONF_TYPE_UNKNOWN;
    const char *why = known ? ERR_reason_error_string(ERR_peek_error()) : NULL;
    char place[BLOCK_PLACE];

    finding_add(commands->findings, FINDING_ERROR, "ssl_conf_command", known ? value : name,
                block_place(line, place), "see SSL_CONF_cmd(3)",
                known ? "nginx does not start: OpenSSL refuses this value of the command %s%s%s%s"
                      : "nginx does not start: OpenSSL has no command %s%s%s%s",
                name, why ? " (" : "", why ? why : "", why ? ")" : "");
}

/* Its value may be on another machine, or what it changes is none of the check's questions. */
static void say_unjudged(const struct commands *commands, const struct nginx_directive *line,
                         bool unread)
{
    const char *name = nginx_directive_argument(line, 0);
    char place[BLOCK_PLACE];

    finding_add(commands->findings,
                unread || text_starts_nocase(name, "Sig") ? FINDING_WARNING : FINDING_NOTE,
                "not judged", name, block_place(line, place),
                unread ? "run the check where the file is" : NULL,
                unread ? "its file cannot be read here, and what the command does is not judged"
                       : "OpenSSL takes the command, and what it changes is not judged here");
}

/* A string that OpenSSL refuses is told of elsewhere. */
static void apply_level(struct commands *commands, const char *ciphers)
{
    SSL_CTX_set_security_level(commands->ctx, commands->level);
    (void)SSL_CTX_set_cipher_list(commands->ctx, ciphers);
    commands->level = SSL_CTX_get_security_level(commands->ctx);
    ERR_clear_error();
}

/* Only certificates are judged by their level here: DH parameters are elsewhere. */
static bool run(const struct commands *commands, const char *name, const char *value)
{
    bool by_level = text_equal_nocase(name, "Certificate");

    ERR_clear_error();
    SSL_CTX_set_security_level(commands->ctx, by_level ? commands->level : 0);
    return SSL_CONF_cmd(commands->conf, name, value) > 0;
}

static void look_at(struct commands *commands, const struct nginx_directive *line)
{
    const char *name = nginx_directive_argument(line, 0);
    const struct command_row *row = find_row(name);
    char *path = nginx_tree_path(&commands->block->config->tree, nginx_directive_argument(line, 1));
    bool is_file = is_path(commands->conf, name);

    if (row && row->by_words) {
        if (block_is_command(line, "CipherString"))
            apply_level(commands, nginx_directive_argument(line, 1));
        free(path);
        return;
    }
    if (is_file && !can_be_read(commands->conf, name, path))
        say_unjudged(commands, line, true);
    else if (!run(commands, name, is_file ? path : nginx_directive_argument(line, 1)))
        say_refused(commands, line);
    else if (!row)
        say_unjudged(commands, line, false);
    free(path);
}

/* What cannot be loaded is said by block_read_certificates. */
static void load_pairs(const struct commands *commands)
{
    const struct nginx_values *files = &commands->block->own->values[NGINX_CERTIFICATE];
    const struct nginx_values *keys = &commands->block->own->values[NGINX_CERTIFICATE_KEY];
    const struct nginx_tree *tree = &commands->block->config->tree;

    for (size_t i = 0; i < files->count && i < keys->count; i++) {
        char *file = nginx_tree_path(tree, nginx_directive_argument(files->items[i], 0));
        char *key = nginx_tree_path(tree, nginx_directive_argument(keys->items[i], 0));
        if (can_be_read(commands->conf, "Certificate", file) &&
            can_be_read(commands->conf, "PrivateKey", key) &&
            SSL_CTX_use_certificate_chain_file(commands->ctx, file) == 1)
            (void)SSL_CTX_use_PrivateKey_file(commands->ctx, key, SSL_FILETYPE_PEM);
        free(file);
        free(key);
    }
}

/* Nothing ever asks the terminal for a pass phrase. */
static int no_pass_phrase(char *buffer, int size, int writes, void *context)
{
    (void)buffer, (void)size, (void)writes, (void)context;
    return 0;
}

void block_check_commands(const struct nginx_block *block, struct finding_list *findings)
{
    const struct nginx_values *lines = &block->own->values[NGINX_CONF_COMMAND];
    struct commands commands = {.block = block, .findings = findings};
    struct block_value ciphers;

    if (lines->count == 0)
        return;
    commands.ctx = SSL_CTX_new(TLS_server_method());
    commands.conf = SSL_CONF_CTX_new();
    if (commands.ctx && commands.conf) {
        SSL_CTX_set_security_level(commands.ctx, 0);
        SSL_CTX_set_default_passwd_cb(commands.ctx, no_pass_phrase);
        SSL_CONF_CTX_set_flags(commands.conf, COMMAND_FLAGS);
        SSL_CONF_CTX_set_ssl_ctx(commands.conf, commands.ctx);
        load_pairs(&commands);
        commands.level = ciphers_default_level();
        block_value_of(block, block->own, NGINX_CIPHERS, &ciphers);
        apply_level(&commands, ciphers.words);
        for (size_t i = 0; i < lines->count; i++)
            look_at(&commands, lines->items[i]);
    }
    ERR_clear_error();
    SSL_CONF_CTX_free(commands.conf);
    SSL_CTX_free(commands.ctx);
}
