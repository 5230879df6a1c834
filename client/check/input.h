#ifndef CLIENT_CHECK_INPUT_H
#define CLIENT_CHECK_INPUT_H

#include "client/check/subject.h"

#include <stdbool.h>
#include <stddef.h>

/* What is to be checked, read from the command line or from a configuration. */
struct check_input {
    struct check_subject *subjects;
    size_t count;
    struct check_subject *asides; /* take no connection, but with an error nothing starts */
    size_t aside_count;
    bool refused;     /* whatever is said of the subjects */
    char source[256]; /* "nginx.conf, as nginx 1.22.1 reads it" */
};

/* A new subject, zeroed but for its name and place; valid until the next one is added. */
struct check_subject *input_add(struct check_input *input, const char *name, const char *place);
struct check_subject *input_add_aside(struct check_input *input, const char *name,
                                      const char *place);
void input_cleanup(struct check_input *input);

/* Certificates of these kinds, or of an RSA and an EC one where the list is empty. */
bool input_add_kinds(struct check_subject *subject, const struct text_list *kinds,
                     struct error *err) MUST_CHECK;

struct input_nginx {
    const char *path;              /* "-": standard input */
    const char *server_name;       /* NULL: every block */
    unsigned version;              /* nginx_version_parse; 0: ask an installed nginx */
    const struct text_list *kinds; /* for certificates that cannot be read */
};

/* Every server block that listens with ssl, with the settings that are really in force. False: the
 * file cannot be read, or no block is left; troubles inside it are findings. */
bool input_read_nginx(struct check_input *input, const struct input_nginx *wanted,
                      struct finding_list *findings, struct error *err) MUST_CHECK;

#endif
