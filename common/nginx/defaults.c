#include "common/nginx/defaults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct default_row {
    enum nginx_setting setting;
    unsigned since; /* version */
    const char *words;
};

/* The last row of a setting that is not newer than the version counts. */
static const struct default_row default_rows[] = {
    {NGINX_PROTOCOLS, 0, "TLSv1 TLSv1.1 TLSv1.2"},
    {NGINX_PROTOCOLS, 1023004, "TLSv1 TLSv1.1 TLSv1.2 TLSv1.3"},
    {NGINX_PROTOCOLS, 1027003, "TLSv1.2 TLSv1.3"},
    {NGINX_CIPHERS, 0, "HIGH:!aNULL:!MD5"},
    {NGINX_ECDH_CURVE, 0, "prime256v1"},
    {NGINX_ECDH_CURVE, 1011000, "auto"},
    {NGINX_PREFER_SERVER, 0, "off"},
    {NGINX_SESSION_TICKETS, 0, "on"},
    {NGINX_SESSION_CACHE, 0, "none"},
    {NGINX_VERIFY_CLIENT, 0, "off"},
};

const char *nginx_default(enum nginx_setting setting, unsigned version)
{
    const char *words = "";

    for (size_t i = 0; i < sizeof default_rows / sizeof default_rows[0]; i++)
        if (default_rows[i].setting == setting && default_rows[i].since <= version)
            words = default_rows[i].words;
    return words;
}

unsigned nginx_version_parse(const char *text)
{
    unsigned long parts[3] = {0};
    const char *slash = strrchr(text, '/');
    const char *next = slash ? slash + 1 : text;

    for (int i = 0; i < 3; i++) {
        char *end;
        if (*next < '0' || *next > '9')
            return 0;
        parts[i] = strtoul(next, &end, 10);
        if (parts[i] > 999)
            return 0;
        next = end;
        if (*next == '.' && i < 2)
            next++;
        else if (i < 1)
            return 0;
        else
            break;
    }
    if (*next != '\0' && !strchr(" \r\n", *next))
        return 0;
    return (unsigned)(parts[0] * 1000000 + parts[1] * 1000 + parts[2]);
}

/* sbin is not in every user's path. */
unsigned nginx_version_installed(void)
{
    static const char start[] = "nginx version: ";
    char line[256];
    unsigned version = 0;
    FILE *out = popen("PATH=\"$PATH:/usr/sbin:/usr/local/sbin\" nginx -v 2>&1", "re");

    if (!out)
        return 0;
    while (fgets(line, sizeof line, out))
        if (version == 0 && strncmp(line, start, sizeof start - 1) == 0)
            version = nginx_version_parse(line + sizeof start - 1);
    pclose(out);
    return version;
}
