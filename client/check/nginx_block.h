#ifndef CLIENT_CHECK_NGINX_BLOCK_H
#define CLIENT_CHECK_NGINX_BLOCK_H

#include "client/check/finding.h"
#include "client/check/subject.h"
#include "common/nginx/config.h"
#include "common/nginx/lexer.h"

/* One server block on one socket: which of its settings are in force there; for input_nginx.c. */
struct nginx_block {
    const struct nginx_config *config;
    const struct nginx_server *named; /* the block itself */
    const struct nginx_server *own;   /* whose context its clients get: itself, or `start` */
    const struct nginx_server *start; /* the socket's default server, often the same */
    unsigned version;                 /* of nginx */
};

/* A block without a certificate gets no context of its own: its clients stay with the default
 * server's. */
void block_init(struct nginx_block *block, const struct nginx_config *config,
                const struct nginx_server *named, const struct nginx_server *start,
                unsigned version);

#define BLOCK_PLACE 4160
/* "nginx.conf:12"; "" for NULL. */
const char *block_place(const struct nginx_directive *directive, char text[static BLOCK_PLACE]);

/* The value of a setting that is in force: the last directive (of ssl_protocols the words of all of
 * the block), NULL where only the default is,
 * whose words then stand in `words`. */
struct block_value {
    const struct nginx_directive *directive;
    char words[NGINX_WORD_MAX + 1]; /* of the directive or the default, joined by blanks */
    char place[BLOCK_PLACE];
};
void block_value_of(const struct nginx_block *block, const struct nginx_server *server,
                    enum nginx_setting setting, struct block_value *value);

/* Whether a line of ssl_conf_command gives this command; OpenSSL minds no case. */
bool block_is_command(const struct nginx_directive *line, const char *name);

/* The value of the last ssl_conf_command of this name, by the server whose commands are in force
 * for it; false: there is none. */
bool block_command(const struct nginx_block *block, const char *name, struct block_value *value);

/* Something that nginx does not start without: an error, or a warning where it may stand in what
 * was not read. `text` goes on from "nginx does not start: " with "needs …". */
void block_say_missing(const struct nginx_block *block, const char *kind, const char *word,
                       const char *place, const char *remedy, const char *text,
                       struct finding_list *findings);

/* Findings about lines that have no effect since another block starts the handshake. */
void block_find_idle(const struct nginx_block *block, struct finding_list *findings);

/* Findings about lines of ssl_conf_command that nginx does not start with; for block_read. */
void block_check_commands(const struct nginx_block *block, struct finding_list *findings);

/* Findings about the verification of clients, and ticket keys, that nginx does not start with; for
 * block_read. */
void block_check_verify(const struct nginx_block *block, struct finding_list *findings);

/* The subject's certificates, by directives and commands; for block_read. */
void block_read_certificates(const struct nginx_block *block, struct check_subject *subject,
                             struct finding_list *findings);

/* Fills the subject's values; every error that is found means that nginx does not start. */
void block_read(const struct nginx_block *block, struct check_subject *subject,
                struct finding_list *findings);

#endif
