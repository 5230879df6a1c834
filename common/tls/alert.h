#ifndef COMMON_TLS_ALERT_H
#define COMMON_TLS_ALERT_H

/* The words of RFC 8446 section 6 (older alerts: RFC 5246 section 7.2) for an alert's code, with
 * blanks: "handshake failure". NULL for a code that has none. */
const char *alert_name(int code);

#endif
