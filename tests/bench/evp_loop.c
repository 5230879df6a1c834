#include "common/primitive/timed_loop.h"
#include "common/stats/sample.h"

#include "common/base/clock.h"

#include <openssl/evp.h>
#include <stdio.h>

/* What the timed loop adds to an operation:
 *   nothing      a function that does nothing, called through a pointer as a library's is
 *   beside EVP   AES-128-ECB of 16 bytes in our loop, less the same call in a bare loop, from
 *                paired rounds
 *   bench_evp_loop     prints both in ns an operation with their 95 % intervals; exit 1 where the
 *                      median is 5 ns or more */

#define ROUNDS 21
#define COUNT  UINT64_C(400000)
#define LIMIT  5.0

/* What anybody would write: one call, its result checked. */
static bool direct_loop(EVP_CIPHER_CTX *ctx, unsigned char *text, double *ns)
{
    int length;
    uint64_t start = clock_now_ns();

    for (uint64_t i = 0; i < COUNT; i++)
        if (EVP_EncryptUpdate(ctx, text, &length, text, 16) != 1)
            return false;
    *ns = (double)(clock_now_ns() - start) / (double)COUNT;
    return true;
}

static bool our_loop(struct primitive_task *task, double *ns, struct error *err)
{
    struct timed_batch batch;
    bool ok = timed_loop_run(task, COUNT, &batch, err);

    *ns = (double)batch.ns / (double)COUNT;
    return ok;
}

static bool open_task(const char *name, enum primitive_operation operation,
                      enum primitive_shape shape, size_t size, struct primitive_task *task,
                      struct error *err)
{
    unsigned bits;
    struct primitive_case what = {.primitive = primitive_find(name, "evp", &bits),
                                  .operation = operation,
                                  .shape = shape,
                                  .size = size};
    return primitive_open(task, &what, NULL, err);
}

static void print(const char *name, const double *values)
{
    struct interval interval = sample_interval(values, ROUNDS);

    printf("%-12s %6.2f ns an operation (%.2f to %.2f)\n", name, interval.median, interval.low,
           interval.high);
}

static bool measure(EVP_CIPHER_CTX *ctx, double *nothing, double *beside, struct error *err)
{
    struct primitive_task null_task = {0}, ecb_task = {0};
    unsigned char text[16] = {0};
    bool ok = open_task("nothing", OPERATION_NOTHING, SHAPE_MESSAGE, 0, &null_task, err) &&
              open_task("aes-128-ecb", OPERATION_ENCRYPT, SHAPE_STREAM, 16, &ecb_task, err);

    for (int i = 0; i < ROUNDS && ok; i++) {
        double direct = 0, ours = 0;
        ok = our_loop(&null_task, &nothing[i], err) && our_loop(&ecb_task, &ours, err) &&
             (direct_loop(ctx, text, &direct) || error_set(err, "the bare loop fails"));
        beside[i] = ok ? ours - direct : 0;
    }
    primitive_close(&null_task);
    primitive_close(&ecb_task);
    return ok;
}

int main(void)
{
    static const unsigned char key[16] = {1};
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, "AES-128-ECB", NULL);
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    double nothing[ROUNDS], beside[ROUNDS];
    struct error err = {"no AES-128-ECB"};
    bool ok = cipher && ctx && EVP_EncryptInit_ex2(ctx, cipher, key, NULL, NULL) == 1 &&
              measure(ctx, nothing, beside, &err);

    EVP_CIPHER_CTX_free(ctx);
    EVP_CIPHER_free(cipher);
    if (!ok) {
        fprintf(stderr, "bench_evp_loop: %s\n", err.text);
        return 2;
    }
    print("nothing", nothing);
    print("beside EVP", beside);
    return sample_median(nothing, ROUNDS) < LIMIT && sample_median(beside, ROUNDS) < LIMIT ? 0 : 1;
}
