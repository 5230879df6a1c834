#include "client/check/nginx_names.h"

#include "client/check/nginx_forms.h"
#include "common/base/text.h"

#include <string.h>

static const char *const switch_words[] = {"on", "off", NULL};
static const char *const leaf_words[] = {"on", "off", "leaf", NULL};
static const char *const verify_words[] = {"on", "off", "optional", "optional_no_ca", NULL};
static const char *const protocol_words[] = {"SSLv2",   "SSLv3",   "TLSv1", "TLSv1.1",
                                             "TLSv1.2", "TLSv1.3", NULL};

#define NO_END ~0U

#define SIZE    .takes = form_is_size, .form = "a size such as 16k"
#define SECONDS .takes = form_is_seconds, .form = "a time such as 1d or 10m"
#define CACHE                                                                                      \
    .takes = form_is_cache,                                                                        \
    .form = "shared:NAME:SIZE with 32k or more (such as shared:SSL:10m), builtin, "                \
            "builtin:SESSIONS, none or off"
#define OCSP_IN_STREAM .modules = NAME_HTTP, .stream_since = 1027002

static const struct name_row rows[] = {
    {"http2", 1025001, NO_END, 1, 1, .words = switch_words, .modules = NAME_HTTP},
    {"http3", 1025000, NO_END, 1, 1, .words = switch_words, .modules = NAME_HTTP},
    {"ssl", 0, 1025001, 1, 1, .words = switch_words, .modules = NAME_HTTP | NAME_MAIL},
    {"ssl_alpn", 1021004, NO_END, 1, ANY_NUMBER, .modules = NAME_STREAM},
    {"ssl_buffer_size", 1005009, NO_END, 1, 1, SIZE, .modules = NAME_HTTP},
    {"ssl_certificate", 0, NO_END, 1, 1, .often = true},
    {"ssl_certificate_cache", 1027004, NO_END, 1, 3, .words = NULL},
    {"ssl_certificate_compression", 1029001, NO_END, 1, 1, .words = switch_words},
    {"ssl_certificate_key", 0, NO_END, 1, 1, .often = true},
    {"ssl_ciphers", 0, NO_END, 1, 1, .words = NULL},
    {"ssl_client_certificate", 0, NO_END, 1, 1, .words = NULL},
    {"ssl_conf_command", 1019004, NO_END, 2, 2, .often = true},
    {"ssl_crl", 0, NO_END, 1, 1, .words = NULL},
    {"ssl_dhparam", 0, NO_END, 1, 1, .words = NULL},
    {"ssl_early_data", 1015003, NO_END, 1, 1, .words = switch_words, .modules = NAME_HTTP},
    {"ssl_ecdh_curve", 1000006, NO_END, 1, 1, .words = NULL},
    {"ssl_ech_file", 1029004, NO_END, 1, 1, .often = true},
    {"ssl_engine", 0, NO_END, 1, 1, .main = true},
    {"ssl_handshake_timeout", 1009000, NO_END, 1, 1, .takes = form_is_milliseconds,
     .form = "a time such as 60s", .modules = NAME_STREAM},
    {"ssl_object_cache_inheritable", 1027004, NO_END, 1, 1, .main = true, .words = switch_words},
    {"ssl_ocsp", 1019000, NO_END, 1, 1, .words = leaf_words, OCSP_IN_STREAM},
    {"ssl_ocsp_cache", 1019000, NO_END, 1, 1, .takes = form_is_ocsp_cache,
     .form = "shared:NAME:SIZE with 32k or more, or off", OCSP_IN_STREAM},
    {"ssl_ocsp_responder", 1019000, NO_END, 1, 1, OCSP_IN_STREAM},
    {"ssl_password_file", 1007003, NO_END, 1, 1, .words = NULL},
    {"ssl_prefer_server_ciphers", 0, NO_END, 1, 1, .words = switch_words},
    {"ssl_preread", 1011005, NO_END, 1, 1, .words = switch_words, .modules = NAME_STREAM},
    {"ssl_protocols", 0, NO_END, 1, ANY_NUMBER, .often = true, .words = protocol_words},
    {"ssl_reject_handshake", 1019004, NO_END, 1, 1, .words = switch_words, .modules = NAME_HTTP,
     .stream_since = 1025005},
    {"ssl_session_cache", 0, NO_END, 1, 2, .often = true, CACHE},
    {"ssl_session_ticket_key", 1005007, NO_END, 1, 1, .often = true},
    {"ssl_session_tickets", 1005009, NO_END, 1, 1, .words = switch_words},
    {"ssl_session_timeout", 0, NO_END, 1, 1, SECONDS},
    {"ssl_stapling", 1003007, NO_END, 1, 1, .words = switch_words, OCSP_IN_STREAM},
    {"ssl_stapling_file", 1003007, NO_END, 1, 1, OCSP_IN_STREAM},
    {"ssl_stapling_responder", 1003007, NO_END, 1, 1, OCSP_IN_STREAM},
    {"ssl_stapling_verify", 1003007, NO_END, 1, 1, .words = switch_words, OCSP_IN_STREAM},
    {"ssl_trusted_certificate", 1003007, NO_END, 1, 1, .words = NULL},
    {"ssl_verify_client", 0, NO_END, 1, 1, .words = verify_words},
    {"ssl_verify_depth", 0, NO_END, 1, 1, .takes = form_is_number, .form = "a number"},
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

bool name_is_of(const struct name_row *row, enum name_modules module, unsigned version)
{
    if (row->modules == 0 || (row->modules & (unsigned)module))
        return true;
    return module == NAME_STREAM && row->stream_since > 0 && version >= row->stream_since;
}
