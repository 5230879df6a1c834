#include "client/check/nginx_names.h"

#include "common/base/text.h"

#include <stdlib.h>
#include <string.h>

static const char *const switch_words[] = {"on", "off", NULL};
static const char *const leaf_words[] = {"on", "off", "leaf", NULL};
static const char *const verify_words[] = {"on", "off", "optional", "optional_no_ca", NULL};
static const char *const protocol_words[] = {"SSLv2",   "SSLv3",   "TLSv1", "TLSv1.1",
                                             "TLSv1.2", "TLSv1.3", NULL};

#define NO_END ~0U

static const struct name_row rows[] = {
    {"ssl", 0, 1025001, 1, 1, .words = switch_words},
    {"ssl_alpn", 1021004, NO_END, 1, ANY_NUMBER, .words = NULL},
    {"ssl_buffer_size", 1005009, NO_END, 1, 1, .words = NULL},
    {"ssl_certificate", 0, NO_END, 1, 1, .often = true},
    {"ssl_certificate_cache", 1027004, NO_END, 1, 3, .words = NULL},
    {"ssl_certificate_compression", 1029001, NO_END, 1, 1, .words = switch_words},
    {"ssl_certificate_key", 0, NO_END, 1, 1, .often = true},
    {"ssl_ciphers", 0, NO_END, 1, 1, .words = NULL},
    {"ssl_client_certificate", 0, NO_END, 1, 1, .words = NULL},
    {"ssl_conf_command", 1019004, NO_END, 2, 2, .often = true},
    {"ssl_crl", 0, NO_END, 1, 1, .words = NULL},
    {"ssl_dhparam", 0, NO_END, 1, 1, .words = NULL},
    {"ssl_early_data", 1015003, NO_END, 1, 1, .words = switch_words},
    {"ssl_ecdh_curve", 1000006, NO_END, 1, 1, .words = NULL},
    {"ssl_ech_file", 1029004, NO_END, 1, 1, .often = true},
    {"ssl_engine", 0, NO_END, 1, 1, .main = true},
    {"ssl_handshake_timeout", 1009000, NO_END, 1, 1, .words = NULL},
    {"ssl_object_cache_inheritable", 1027004, NO_END, 1, 1, .main = true, .words = switch_words},
    {"ssl_ocsp", 1019000, NO_END, 1, 1, .words = leaf_words},
    {"ssl_ocsp_cache", 1019000, NO_END, 1, 1, .words = NULL},
    {"ssl_ocsp_responder", 1019000, NO_END, 1, 1, .words = NULL},
    {"ssl_password_file", 1007003, NO_END, 1, 1, .words = NULL},
    {"ssl_prefer_server_ciphers", 0, NO_END, 1, 1, .words = switch_words},
    {"ssl_preread", 1011005, NO_END, 1, 1, .words = switch_words},
    {"ssl_protocols", 0, NO_END, 1, ANY_NUMBER, .often = true, .words = protocol_words},
    {"ssl_reject_handshake", 1019004, NO_END, 1, 1, .words = switch_words},
    {"ssl_session_cache", 0, NO_END, 1, 2, .often = true},
    {"ssl_session_ticket_key", 1005007, NO_END, 1, 1, .often = true},
    {"ssl_session_tickets", 1005009, NO_END, 1, 1, .words = switch_words},
    {"ssl_session_timeout", 0, NO_END, 1, 1, .words = NULL},
    {"ssl_stapling", 1003007, NO_END, 1, 1, .words = switch_words},
    {"ssl_stapling_file", 1003007, NO_END, 1, 1, .words = NULL},
    {"ssl_stapling_responder", 1003007, NO_END, 1, 1, .words = NULL},
    {"ssl_stapling_verify", 1003007, NO_END, 1, 1, .words = switch_words},
    {"ssl_trusted_certificate", 1003007, NO_END, 1, 1, .words = NULL},
    {"ssl_verify_client", 0, NO_END, 1, 1, .words = verify_words},
    {"ssl_verify_depth", 0, NO_END, 1, 1, .words = NULL},
};

#define ROWS (sizeof rows / sizeof rows[0])

const struct name_row *name_find(const char *name)
{
    for (size_t i = 0; i < ROWS; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

static const char *name_next(size_t index, const void *context)
{
    (void)context;
    return index < ROWS ? rows[index].name : NULL;
}

const char *name_nearest(const char *name)
{
    return text_nearest(name, name_next, NULL);
}

/* --- ssl_session_cache --- */

#define CACHE_LEAST (8 * 4096) /* bytes: eight pages */

/* Decimal digits and nothing else up to the end. */
static bool is_number(const char *text, size_t length)
{
    return length > 0 && length < 19 && strspn(text, "0123456789") >= length;
}

/* "10m" and the like. 0: not a size. */
static unsigned long long size_of(const char *text)
{
    size_t length = strlen(text);
    unsigned shift = 0;

    if (length > 0 && strchr("kK", text[length - 1]))
        shift = 10;
    else if (length > 0 && strchr("mM", text[length - 1]))
        shift = 20;
    length -= shift > 0;
    if (!is_number(text, length) || length > 12)
        return 0;
    return strtoull(text, NULL, 10) << shift;
}

unsigned long long name_cache_zone(const char *word, size_t *length)
{
    static const char start[] = "shared:";
    const char *name = word + sizeof start - 1;

    if (strncmp(word, start, sizeof start - 1) != 0)
        return 0;
    *length = strcspn(name, ":");
    return *length > 0 && name[*length] == ':' ? size_of(name + *length + 1) : 0;
}

bool name_is_cache(const char *word)
{
    static const char *const words[] = {"off", "none", "builtin"};
    static const char start[] = "builtin:";
    size_t length;

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i], word) == 0)
            return true;
    if (strncmp(word, start, sizeof start - 1) == 0)
        return is_number(word + sizeof start - 1, strlen(word + sizeof start - 1));
    return name_cache_zone(word, &length) >= CACHE_LEAST;
}
