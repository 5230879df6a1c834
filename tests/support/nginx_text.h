#ifndef TESTS_SUPPORT_NGINX_TEXT_H
#define TESTS_SUPPORT_NGINX_TEXT_H

/* Configurations of nginx that stand in a test, for check's reader. Header only, included behind
 * cmocka.h. */

#include "client/check/input.h"
#include "common/base/file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/suitemark-check-XXXXXX";

/* Reads a configuration whose certificates are not there: its kinds are assumed. */
static inline void read_nginx(const char *text, const char *name, unsigned version,
                              struct check_input *input, struct finding_list *findings)
{
    const struct text_list kinds = {.count = 0};
    const struct input_nginx wanted = {path, name, version, &kinds};
    struct error err;

    assert_true(file_write(path, text, strlen(text), 0600, FILE_REPLACE, &err));
    assert_true(input_read_nginx(input, &wanted, findings, &err));
}

static inline int set_up(void **state)
{
    int fd = mkstemp(path);

    (void)state;
    return fd < 0 ? -1 : close(fd);
}

static inline int tear_down(void **state)
{
    (void)state;
    return unlink(path);
}

#endif
