#include "common/nginx/listen.h"

#include "common/base/memory.h"

#include <string.h>

static bool listen_is_port(const char *text)
{
    return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
}

/* The forms of nginx's manual: "443", "*:443", "10.0.0.1:443", "10.0.0.1", "[::]:443", "[::]",
 * "localhost:443", "unix:/path". */
static char *listen_socket(const char *text)
{
    const char *colon = strrchr(text, ':'), *bracket = strrchr(text, ']');

    if (strncmp(text, "unix:", 5) == 0)
        return memory_copy_text(text);
    if (listen_is_port(text))
        return memory_format("0.0.0.0:%s", text);
    if (text[0] == '[')
        return bracket && bracket[1] == ':' ? memory_copy_text(text) : memory_format("%s:80", text);
    if (!colon)
        return memory_format("%s:80", text);
    if (strncmp(text, "*:", 2) == 0)
        return memory_format("0.0.0.0:%s", text + 2);
    return memory_copy_text(text);
}

void nginx_listen_read(const struct nginx_directive *directive, struct nginx_listen *listen)
{
    *listen = (struct nginx_listen){
        .directive = directive,
        .socket = listen_socket(nginx_directive_argument(directive, 0)),
    };
    for (size_t i = 2; i < directive->words.count; i++) {
        const char *word = directive->words.items[i];
        listen->ssl |= strcmp(word, "ssl") == 0;
        listen->default_server |=
            strcmp(word, "default_server") == 0 || strcmp(word, "default") == 0;
        listen->udp |= strcmp(word, "udp") == 0 || strcmp(word, "quic") == 0;
    }
}
