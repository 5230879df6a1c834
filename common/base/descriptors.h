#ifndef COMMON_BASE_DESCRIPTORS_H
#define COMMON_BASE_DESCRIPTORS_H

#include "common/base/error.h"

#include <stdint.h>

/* Descriptors that this process may have open at once (RLIMIT_NOFILE in setrlimit(2)). Shells give
 * 1024 though the hard limit is mostly far above. */

/* Where standard input, output or error is closed the next file or socket would get its number, and
 * what is printed would go there. Puts a descriptor in its place that every read or write fails on.
 * The first thing a program does. */
void descriptors_hold_standard(void);

/* Raises the soft limit to the hard one, which every process may do; child processes inherit it. */
void descriptors_raise(void);

/* Whether so many connections fit beside what `threads` threads and the program itself need; the
 * reason names `option`, which asked for them. */
bool descriptors_suffice(uint64_t connections, uint64_t threads, const char *option,
                         struct error *err) MUST_CHECK;

#endif
