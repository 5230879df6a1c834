#ifndef TESTS_FUZZ_FIXED_RANDOM_H
#define TESTS_FUZZ_FIXED_RANDOM_H

/* Random bytes of OpenSSL that are the same in every run, in two streams: what a server answers
 * then depends on nothing but what it is sent, and a client's recorded flights fit it again and
 * again. */

enum random_stream {
    RANDOM_CLIENT,
    RANDOM_SERVER,
    RANDOM_STREAMS,
};

/* Takes OpenSSL's generator over, for the whole process. */
void fixed_random_install(void);

/* The stream that the next bytes come from. */
void fixed_random_use(enum random_stream stream);

/* Begins both streams again. */
void fixed_random_restart(void);

#endif
