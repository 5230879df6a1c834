#include "common/tls/reason.h"

#include <openssl/err.h>
#include <stdarg.h>
#include <stdio.h>

const char *reason_take(void)
{
    unsigned long code = ERR_get_error();
    ERR_clear_error();
    if (code == 0)
        return "OpenSSL gives no reason";
    const char *text = ERR_reason_error_string(code);
    return text != NULL ? text : "OpenSSL has no words for the reason";
}

bool reason_error(struct error *err, const char *format, ...)
{
    char what[sizeof(err->text)];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof(what), format, arguments);
    va_end(arguments);
    return error_set(err, "%s: %s", what, reason_take());
}
