#define OPENSSL_SUPPRESS_DEPRECATED  /* RAND_METHOD: there is no other way to take all bytes over  \
                                      */

#include "tests/fuzz/fixed_random.h"

#include <openssl/rand.h>
#include <stdint.h>
#include <stdlib.h>

/* The generator's functions are given no context, so the streams are static. */
static struct {
    uint64_t state[RANDOM_STREAMS];
    enum random_stream current;
} streams;

static uint64_t next(uint64_t *state) /* splitmix64 */
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static int fill(unsigned char *buffer, int length)
{
    uint64_t *state = &streams.state[streams.current];
    for (int i = 0; i < length; i++)
        buffer[i] = (unsigned char)next(state);
    return 1;
}

static int ready(void)
{
    return 1;
}

void fixed_random_install(void)
{
    static const RAND_METHOD method = {.bytes = fill, .pseudorand = fill, .status = ready};
    fixed_random_restart();
    if (RAND_set_rand_method(&method) != 1)
        abort();
}

void fixed_random_use(enum random_stream stream)
{
    streams.current = stream;
}

void fixed_random_restart(void)
{
    streams.state[RANDOM_CLIENT] = 1;
    streams.state[RANDOM_SERVER] = 2;
}
