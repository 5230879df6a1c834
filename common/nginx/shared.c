#include "common/nginx/shared.h"

static const enum nginx_force setting_rows[NGINX_SETTINGS] = {
    [NGINX_PROTOCOLS] = NGINX_FORCE_DEFAULT,
    [NGINX_CIPHERS] = NGINX_FORCE_OWN, /* the security level that its @SECLEVEL sets, too */
    [NGINX_ECDH_CURVE] = NGINX_FORCE_DEFAULT,
    [NGINX_PREFER_SERVER] = NGINX_FORCE_UP_TO_12,
    [NGINX_CERTIFICATE] = NGINX_FORCE_OWN,
    [NGINX_CERTIFICATE_KEY] = NGINX_FORCE_OWN,
    [NGINX_PASSWORD_FILE] = NGINX_FORCE_OWN,
    [NGINX_DHPARAM] = NGINX_FORCE_OWN,
    [NGINX_SESSION_TICKETS] = NGINX_FORCE_BOTH,
    [NGINX_SESSION_CACHE] = NGINX_FORCE_DEFAULT,
    [NGINX_VERIFY_CLIENT] = NGINX_FORCE_OWN,
    [NGINX_CONF_COMMAND] = NGINX_FORCE_OWN, /* command by command below */
    [NGINX_CLIENT_CERTIFICATE] = NGINX_FORCE_OWN,
    [NGINX_TRUSTED_CERTIFICATE] = NGINX_FORCE_OWN,
    [NGINX_CRL] = NGINX_FORCE_OWN,
    [NGINX_TICKET_KEY] = NGINX_FORCE_OWN, /* not tried: what it changes is not judged */
    [NGINX_REJECT] = NGINX_FORCE_OWN,
    [NGINX_SSL] = NGINX_FORCE_OWN,
};

static const struct command_row {
    const char *command;
    enum nginx_force force;
} command_rows[] = {
    {"Ciphersuites", NGINX_FORCE_DEFAULT},   {"CipherString", NGINX_FORCE_OWN},
    {"Groups", NGINX_FORCE_DEFAULT},         {"Curves", NGINX_FORCE_DEFAULT},
    {"ECDHParameters", NGINX_FORCE_DEFAULT}, {"MinProtocol", NGINX_FORCE_DEFAULT},
    {"MaxProtocol", NGINX_FORCE_DEFAULT},    {"Protocol", NGINX_FORCE_DEFAULT},
    {"Options", NGINX_FORCE_UP_TO_12},
};

enum nginx_force nginx_shared_force(enum nginx_setting setting)
{
    return setting_rows[setting];
}

enum nginx_force nginx_shared_force_command(const char *command)
{
    for (size_t i = 0; i < sizeof command_rows / sizeof command_rows[0]; i++)
        if (text_equal_nocase(command_rows[i].command, command))
            return command_rows[i].force;
    return NGINX_FORCE_OWN;
}
