#ifndef CLIENT_CHECK_NGINX_FORMS_H
#define CLIENT_CHECK_NGINX_FORMS_H

#include <stdbool.h>

/* The forms of values as nginx reads them (core/ngx_parse.c and the modules), tried with 1.22.1.
 * Each is a question to one word. */

bool form_is_number(const char *word);
/* From 1. */
bool form_is_positive(const char *word);
bool form_is_switch(const char *word);
/* Bytes: "16k", "1M", "4096". */
bool form_is_size(const char *word);
/* "1d12h", "300"; units from the largest to the smallest, each once. */
bool form_is_seconds(const char *word);
/* The same with "ms". */
bool form_is_milliseconds(const char *word);
/* A word of ssl_session_cache, or of ssl_ocsp_cache. */
bool form_is_cache(const char *word);
bool form_is_ocsp_cache(const char *word);
/* so_keepalive's "on", "off", "[idle]:[interval]:[count]". */
bool form_is_keepalive(const char *word);

/* "10m" in bytes; 0: not a size. */
unsigned long long form_size(const char *word);

#endif
