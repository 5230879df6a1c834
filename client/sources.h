#ifndef CLIENT_SOURCES_H
#define CLIENT_SOURCES_H

#include "client/load.h"
#include "common/base/error.h"
#include "common/base/text.h"

#include <stdint.h>

/* Local addresses that connections come from. With the client as first closer (--close fin) a port
 * stays in TIME_WAIT for a minute, so one address gives 28 000 connections a minute to one target.
 */

/* Reads literal addresses into load->sources, all of the target's family, each one of this host
 * (asked by bind(2)). With none given, --close fin on loopback IPv4 takes 127.0.0.2 to 127.0.0.251.
 */
bool sources_choose(const struct text_list *words, struct load_settings *load,
                    struct error *err) MUST_CHECK;

/* Refuses a run of `total_ns` whose connections or closing policy would use up the ports of its
 * sources. */
bool sources_suffice(const struct load_settings *load, uint64_t total_ns,
                     struct error *err) MUST_CHECK;

#endif
