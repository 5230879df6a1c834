#include "client/check/nginx_lines.h"
#include "common/nginx/config.h"

#include <stddef.h>
#include <stdint.h>

/* libFuzzer target; run it as fuzz_nginx tests/corpus/nginx. Includes stay inside the input: it is
 * read as the output of `nginx -T`, whose files are in it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char marker[] = "# configuration file /etc/nginx/nginx.conf:\n";
    struct nginx_config config;
    struct finding_list findings = {.count = 0};
    struct text_buffer text = {0};
    struct error err;

    text_buffer_add_bytes(&text, marker, sizeof marker - 1);
    text_buffer_add_bytes(&text, data, size);
    if (nginx_config_read_text(&config, "fuzz", text.text, text.length, &err)) {
        for (size_t i = 0; i < config.count; i++)
            for (size_t j = 0; j < config.servers[i].listen_count; j++)
                (void)nginx_socket_default(&config, config.servers[i].listens[j].socket);
        lines_check(&config, 1022001, &findings);
        listens_check(&config, 1022001, &findings);
        sockets_check(&config, 1022001, &findings);
    }
    finding_cleanup(&findings);
    nginx_config_cleanup(&config);
    text_buffer_cleanup(&text);
    return 0;
}
