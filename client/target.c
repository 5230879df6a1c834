#include "client/target.h"

#include "common/base/text.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

enum {
    PORT_SUITEMARK = 4433,
    PORT_HTTPS = 443,
    HOST_NAME_MAX_LENGTH = 253, /* RFC 1035 section 2.3.4, as text */
};

/* Names beyond ASCII have an ASCII form (xn--…), paths have percent signs. */
static bool printable(const char *text, struct error *err)
{
    for (const char *at = text; *at != '\0'; at++) {
        unsigned char byte = (unsigned char)*at;

        if (byte <= ' ' || byte == 0x7f)
            return error_set(err, "target has a blank or control character at position %zu",
                             (size_t)(at - text) + 1);
        if (byte > 0x7f)
            return error_set(err, "target has a character outside ASCII at position %zu",
                             (size_t)(at - text) + 1);
    }
    return true;
}

static bool parse_port(const char *text, uint16_t *port, struct error *err)
{
    size_t digits = strspn(text, "0123456789");
    unsigned long value;

    if (digits == 0 || text[digits] != '\0')
        return error_set(err, "target port \"%s\" is not a number from 1 to 65535", text);
    value = digits > 5 ? 0 : strtoul(text, NULL, 10);
    if (value < 1 || value > 65535)
        return error_set(err, "target port %s is not from 1 to 65535", text);
    *port = (uint16_t)value;
    return true;
}

/* A zone ("fe80::1%eth0", RFC 4007 section 11) is the resolver's business. */
static bool is_v6(const char *host)
{
    char address[INET6_ADDRSTRLEN];
    struct in6_addr parsed;
    size_t length = strcspn(host, "%");

    if (length >= sizeof address || (host[length] == '%' && host[length + 1] == '\0'))
        return false;
    memcpy(address, host, length);
    address[length] = '\0';
    return inet_pton(AF_INET6, address, &parsed) == 1;
}

/* A name whose last label is a number is meant as an IPv4 address. */
static bool looks_v4(const char *host)
{
    const char *dot = strrchr(host, '.');
    const char *label = dot ? dot + 1 : host;

    return *label != '\0' && label[strspn(label, "0123456789")] == '\0';
}

static bool check_name(const char *host, struct error *err)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    size_t good = strspn(host, allowed);

    if (host[good] != '\0')
        return error_set(err, "target host \"%s\" has a '%c', which no host name has", host,
                         host[good]);
    if (host[0] == '.' || strstr(host, ".."))
        return error_set(err, "target host \"%s\" has an empty part", host);
    return true;
}

static bool set_host(struct target *target, const char *host, size_t length, struct error *err)
{
    if (length == 0)
        return error_set(err, "target has an empty host");
    if (length > HOST_NAME_MAX_LENGTH)
        return error_set(err, "target host is longer than %d characters", HOST_NAME_MAX_LENGTH);
    memcpy(target->host, host, length);
    target->host[length] = '\0';
    return true;
}

static bool parse_v6(struct target *target, const char *address, size_t length, struct error *err)
{
    if (!set_host(target, address, length, err))
        return false;
    if (!is_v6(target->host))
        return error_set(err, "target host \"%s\" is not an IPv6 address", target->host);
    target->literal = target->v6 = true;
    return true;
}

static bool parse_name(struct target *target, const char *name, size_t length, struct error *err)
{
    struct in_addr parsed;

    if (!set_host(target, name, length, err) || !check_name(target->host, err))
        return false;
    target->literal = inet_pton(AF_INET, target->host, &parsed) == 1;
    if (!target->literal && looks_v4(target->host))
        return error_set(err, "target host \"%s\" is not an IPv4 address", target->host);
    return true;
}

/* host, host:port, v6, [v6], [v6]:port */
static bool parse_authority(struct target *target, const char *text, struct error *err)
{
    const char *colon = strchr(text, ':');
    const char *rest;

    if (strchr(text, '@'))
        return error_set(err, "target \"%s\": user names are not supported", text);
    if (text[0] == '[') {
        const char *end = strchr(text, ']');

        if (!end)
            return error_set(err, "target \"%s\" has no ']'", text);
        if (!parse_v6(target, text + 1, (size_t)(end - text) - 1, err))
            return false;
        rest = end + 1;
        if (*rest != '\0' && *rest != ':')
            return error_set(err, "target \"%s\": only :PORT may follow ']'", text);
    } else if (colon && strchr(colon + 1, ':')) {
        return parse_v6(target, text, strlen(text), err);
    } else {
        rest = colon ? colon : text + strlen(text);
        if (!parse_name(target, text, (size_t)(rest - text), err))
            return false;
    }
    return *rest == '\0' || parse_port(rest + 1, &target->port, err);
}

/* The fragment stays with the client (RFC 9110 section 7.1); an empty path is "/". */
static bool parse_path(struct target *target, const char *text, struct error *err)
{
    size_t length = strcspn(text, "#");
    size_t slash = text[0] == '/' ? 0 : 1;

    if (length + slash >= sizeof target->path)
        return error_set(err, "target path is longer than %zu characters", sizeof target->path - 1);
    target->path[0] = '/';
    memcpy(target->path + slash, text, length);
    target->path[length + slash] = '\0';
    return true;
}

static bool parse_url(struct target *target, const char *text, struct error *err)
{
    char authority[sizeof target->host + 16];
    size_t length = strcspn(text, "/?#");

    target->url = true;
    target->port = PORT_HTTPS;
    if (length >= sizeof authority)
        return error_set(err, "target host is longer than %d characters", HOST_NAME_MAX_LENGTH);
    memcpy(authority, text, length);
    authority[length] = '\0';
    return parse_authority(target, authority, err) && parse_path(target, text + length, err);
}

bool target_parse(const char *text, struct target *target, struct error *err)
{
    const char *scheme_end = strstr(text, "://");

    *target = (struct target){.port = PORT_SUITEMARK, .path = "/"};
    if (text[0] == '\0')
        return error_set(err, "target is empty");
    if (!printable(text, err))
        return false;
    if (text_starts_nocase(text, "https://"))
        return parse_url(target, text + strlen("https://"), err);
    if (scheme_end)
        return error_set(err, "target scheme \"%.*s\" is not https",
                         (int)(scheme_end - text < 32 ? scheme_end - text : 32), text);
    if (strpbrk(text, "/?#"))
        return error_set(err, "target \"%.200s\": a path needs https:// before the host", text);
    return parse_authority(target, text, err);
}
