#include "client/check/nginx_block.h"

#include "common/base/memory.h"
#include "common/nginx/shared.h"
#include "common/tls/version.h"

#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Each function takes one of a block's values over into the subject. */

/* The server whose value of a setting is in force. */
static const struct nginx_server *server_of(const struct nginx_block *block,
                                            enum nginx_setting setting)
{
    return nginx_shared_force(setting) == NGINX_FORCE_DEFAULT ? block->start : block->own;
}

/* --- protocol versions --- */

static void read_protocol_words(const char *words, bool version_on[SUBJECT_VERSIONS],
                                const char *place, struct finding_list *findings)
{
    struct text_list list = {0};

    text_list_add_split(&list, words, " ");
    for (size_t i = 0; i < list.count; i++) {
        int version = tls_version_parse(list.items[i]);
        if (version)
            version_on[version - TLS1_VERSION] = true;
        else if (text_starts_nocase(list.items[i], "SSLv")) /* lines_check: the others */
            finding_add(findings, FINDING_WARNING, "protocol", list.items[i], place, "remove it",
                        "this OpenSSL does not have the protocol");
    }
    text_list_cleanup(&list);
}

/* "ALL,-TLSv1.1": changes what ssl_protocols has set (SSL_CONF_cmd(3)). */
static void apply_protocol_command(const char *words, bool version_on[SUBJECT_VERSIONS])
{
    struct text_list list = {0};

    text_list_add_split(&list, words, ", ");
    for (size_t i = 0; i < list.count; i++) {
        const char *word = list.items[i];
        bool on = word[0] != '-';
        int version = tls_version_parse(word + strspn(word, "+-"));
        for (int v = 0; v < SUBJECT_VERSIONS; v++)
            if (version == subject_version_number((enum subject_version)v) ||
                text_equal_nocase(word + strspn(word, "+-"), "ALL"))
                version_on[v] = on;
    }
    text_list_cleanup(&list);
}

static void apply_bound(const struct nginx_block *block, const char *command, bool least,
                        bool version_on[SUBJECT_VERSIONS])
{
    struct block_value value;
    int bound = block_command(block, command, &value) ? tls_version_parse(value.words) : 0;

    if (value.directive && !least && strcmp(value.words, "SSLv3") == 0)
        bound = SSL3_VERSION; /* below everything */

    for (int v = 0; bound && v < SUBJECT_VERSIONS; v++) {
        int number = subject_version_number((enum subject_version)v);
        if (least ? number < bound : number > bound)
            version_on[v] = false;
    }
}

static void read_protocols(const struct nginx_block *block, struct check_subject *subject,
                           struct finding_list *findings)
{
    const struct nginx_values *commands = &block->start->values[NGINX_CONF_COMMAND];
    struct block_value value;

    block_value_of(block, server_of(block, NGINX_PROTOCOLS), NGINX_PROTOCOLS, &value);
    subject_set(&subject->versions, value.words, value.place);
    read_protocol_words(value.words, subject->version_on, value.place, findings);
    for (size_t i = 0; i < commands->count; i++)
        if (block_is_command(commands->items[i], "Protocol"))
            apply_protocol_command(nginx_directive_argument(commands->items[i], 1),
                                   subject->version_on);
    apply_bound(block, "MinProtocol", true, subject->version_on);
    apply_bound(block, "MaxProtocol", false, subject->version_on);
}

/* --- lists --- */

/* nginx runs the commands behind all that it loads: up to then ssl_ciphers counts. */
static void read_ciphers(const struct nginx_block *block, const struct nginx_server *server,
                         struct subject_value *ciphers, struct subject_value *load_ciphers)
{
    struct nginx_block same = *block;
    struct block_value value;

    same.own = server;
    block_value_of(block, server, NGINX_CIPHERS, &value);
    subject_set(ciphers, value.words, value.place);
    if (!block_command(&same, "CipherString", &value))
        return;
    if (load_ciphers)
        subject_set(load_ciphers, ciphers->text, ciphers->place);
    subject_set(ciphers, value.words, value.place);
}

/* Three names of one setting. OpenSSL passes over the "automatic" of old versions. */
static bool sets_groups(const struct nginx_directive *command)
{
    const char *value = nginx_directive_argument(command, 1);

    if (block_is_command(command, "ECDHParameters"))
        return !text_equal_nocase(value + (value[0] == '+'), "automatic") && !strchr(value, ':');
    return block_is_command(command, "Groups") || block_is_command(command, "Curves");
}

static void read_group_commands(const struct nginx_block *block, struct check_subject *subject)
{
    const struct nginx_values *commands = &block->start->values[NGINX_CONF_COMMAND];
    char place[BLOCK_PLACE];

    for (size_t i = 0; i < commands->count; i++)
        if (sets_groups(commands->items[i]))
            subject_set(&subject->groups, nginx_directive_argument(commands->items[i], 1),
                        block_place(commands->items[i], place));
}

static void read_lists(const struct nginx_block *block, struct check_subject *subject)
{
    struct block_value value;

    read_ciphers(block, block->own, &subject->ciphers, &subject->load_ciphers);
    if (block->own != block->start)
        read_ciphers(block, block->start, &subject->start_ciphers, NULL);
    if (block_command(block, "Ciphersuites", &value))
        subject_set(&subject->ciphersuites, value.words, value.place);

    block_value_of(block, server_of(block, NGINX_ECDH_CURVE), NGINX_ECDH_CURVE, &value);
    if (strcmp(value.words, "auto") != 0)
        subject_set(&subject->groups, value.words, value.place);
    read_group_commands(block, subject);
}

/* --- switches --- */

/* What the Options command says of an option: 1, -1, or 0 where it says nothing. */
static int option_of(const struct nginx_server *server, const char *option)
{
    const struct nginx_values *commands = &server->values[NGINX_CONF_COMMAND];
    int found = 0;

    for (size_t i = 0; i < commands->count; i++) {
        struct text_list words = {0};
        if (block_is_command(commands->items[i], "Options"))
            text_list_add_split(&words, nginx_directive_argument(commands->items[i], 1), ", ");
        for (size_t j = 0; j < words.count; j++)
            if (text_equal_nocase(words.items[j] + strspn(words.items[j], "+-"), option))
                found = words.items[j][0] == '-' ? -1 : 1;
        text_list_cleanup(&words);
    }
    return found;
}

static bool prefers(const struct nginx_block *block, const struct nginx_server *server,
                    struct block_value *value)
{
    int option = option_of(server, "ServerPreference");

    block_value_of(block, server, NGINX_PREFER_SERVER, value);
    return option ? option > 0 : text_equal_nocase(value->words, "on");
}

static void read_switches(const struct nginx_block *block, struct check_subject *subject)
{
    struct block_value value;

    subject->prefer_server_13 = prefers(block, block->start, &value);
    subject->prefer_server = prefers(block, block->own, &value);
    subject_set(&subject->prefer, value.words, value.place);
    subject->prioritize_chacha = option_of(block->own, "PrioritizeChaCha") > 0;
    block_value_of(block, block->start, NGINX_SESSION_TICKETS, &value);
    subject->tickets = !text_equal_nocase(value.words, "off");
    block_value_of(block, block->own, NGINX_SESSION_TICKETS, &value);
    subject->tickets &= !text_equal_nocase(value.words, "off") &&
                        option_of(block->start, "SessionTicket") >= 0 &&
                        option_of(block->own, "SessionTicket") >= 0;
}

/* --- files --- */

static char *dhparam_path(const struct nginx_block *block, const struct block_value *value)
{
    return value->words[0] ? nginx_tree_path(&block->config->tree, value->words) : NULL;
}

/* ssl_dhparam where a command replaces it. */
static void read_early_dhparam(const struct nginx_block *block, struct check_subject *subject,
                               struct finding_list *findings)
{
    struct block_value value;

    block_value_of(block, block->own, NGINX_DHPARAM, &value);
    char *path = dhparam_path(block, &value);
    if (!path)
        return;
    subject_set(&subject->early_dhparam, path, value.place);
    subject_read_early_dhparam(subject, findings);
    free(path);
}

static void read_dhparam(const struct nginx_block *block, struct check_subject *subject,
                         struct finding_list *findings)
{
    struct block_value value;

    subject->dh_late = block_command(block, "DHParameters", &value);
    if (subject->dh_late)
        read_early_dhparam(block, subject, findings);
    else
        block_value_of(block, block->own, NGINX_DHPARAM, &value);
    subject->dh = DH_NONE;
    char *path = dhparam_path(block, &value);
    if (!path)
        return;
    subject_set(&subject->dhparam, path, value.place);
    subject_read_dhparam(subject, findings);
    free(path);
}

/* What a default decides may be said in a file that was not read. */
static void say_assumed(const struct nginx_block *block, struct finding_list *findings)
{
    static const enum nginx_setting asked[] = {NGINX_PROTOCOLS, NGINX_CIPHERS};
    struct text_buffer names = {0};
    char place[BLOCK_PLACE];

    for (size_t i = 0; i < sizeof asked / sizeof asked[0] && block->config->partial; i++)
        if (server_of(block, asked[i])->values[asked[i]].count == 0)
            text_buffer_add(&names, "%s%s", names.length ? " " : "", nginx_setting_name(asked[i]));
    if (names.length > 0)
        finding_add(findings, FINDING_NOTE, "default assumed", text_buffer_text(&names),
                    block_place(block->named->directive, place),
                    "check the whole configuration, or the output of nginx -T",
                    "nginx's default is judged, and what was not read may say otherwise");
    text_buffer_cleanup(&names);
}

void block_read(const struct nginx_block *block, struct check_subject *subject,
                struct finding_list *findings)
{
    size_t errors = findings->errors;

    subject->nginx = true;
    say_assumed(block, findings);
    block_check_commands(block, findings);
    block_check_verify(block, findings);
    read_protocols(block, subject, findings);
    read_lists(block, subject);
    read_switches(block, subject);
    read_dhparam(block, subject, findings);
    subject->refused |= findings->errors > errors;
    block_read_certificates(block, subject, findings);
}
