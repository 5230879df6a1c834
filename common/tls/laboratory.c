#include "common/tls/laboratory.h"

/* All but what no certificate can serve: a client that offers everything must not be given an
 * anonymous suite instead of the certificate that it asked for. */
static const char usable_ciphers[] = "ALL:COMPLEMENTOFALL:!aNULL:!PSK:!SRP";

struct tls_settings laboratory_settings(void)
{
    return (struct tls_settings){
        .role = TLS_SERVER,
        .ciphers = usable_ciphers,
        .alpn = TLS_ALPN_CONTROL "," TLS_ALPN_HTTP,
        .read_ahead = true,
    };
}
