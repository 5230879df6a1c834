#include "client/layers/memory.h"

#include "client/layers/cpu_lap.h"
#include "common/base/clock.h"
#include "common/tls/io.h"

/* Of payload between two readings of the clock: as much as lies in a socket's buffers. */
#define BATCH_BYTES   (256 * 1024)
#define BATCH_RECORDS 1024 /* at most, however small they are */
#define TURNS_MAX     8

/* A record's payload, written again and again and read into again and again, as both programs do:
 * it stays in cache. */
struct payload {
    unsigned char out[RECORD_SIZE_MAX], in[RECORD_SIZE_MAX];
};

static bool write_records(SSL *ssl, const struct payload *payload, uint32_t record_size,
                          size_t count, struct error *err)
{
    struct failure failure = {.class = FAILURE_NONE};
    size_t done;

    for (size_t i = 0; i < count; i++)
        if (tls_write(ssl, payload->out, record_size, &done, &failure) != IO_OK ||
            done != record_size)
            return error_set(err, "a record could not be written: %s", failure.text);
    return true;
}

static bool read_bytes(SSL *ssl, struct payload *payload, size_t bytes, struct error *err)
{
    struct failure failure = {.class = FAILURE_NONE};

    while (bytes > 0) {
        size_t done;
        if (tls_read(ssl, payload->in, sizeof payload->in, &done, &failure) != IO_OK ||
            done > bytes)
            return error_set(err, "a record could not be read: %s", failure.text);
        bytes -= done;
    }
    return true;
}

static size_t batch_of(uint32_t record_size)
{
    size_t records = BATCH_BYTES / record_size;

    return records > BATCH_RECORDS ? BATCH_RECORDS : records;
}

static bool measure(struct pair *pair, enum work_side sender, uint32_t record_size,
                    uint64_t budget_ns, struct payload *payload, double cost[static WORK_SIDES],
                    struct error *err)
{
    SSL *from = pair->ssl[sender], *to = pair->ssl[!sender];
    size_t count = batch_of(record_size), bytes = count * record_size, batches = 0;
    struct cpu_lap lap;
    double used[WORK_SIDES] = {0};

    cpu_lap_init(&lap);
    if (!write_records(from, payload, record_size, count, err) ||
        !read_bytes(to, payload, bytes, err))
        return false;
    (void)cpu_lap_ns(&lap);
    uint64_t until = clock_now_ns() + budget_ns;
    do {
        if (!write_records(from, payload, record_size, count, err))
            return false;
        used[sender] += (double)cpu_lap_ns(&lap);
        if (!read_bytes(to, payload, bytes, err))
            return false;
        used[!sender] += (double)cpu_lap_ns(&lap);
        batches++;
    } while (clock_now_ns() < until);
    for (int side = 0; side < WORK_SIDES; side++)
        cost[side] = used[side] * 1024 / ((double)batches * (double)bytes);
    return true;
}

static bool connect_pair(struct pair *pair, const struct pair_settings *settings, struct error *err)
{
    struct pair_settings kept = *settings;

    kept.end = PAIR_KEEP;
    for (int turn = 0; turn < TURNS_MAX; turn++) {
        if (!pair_step(pair, WORK_CLIENT, &kept, err) || !pair_step(pair, WORK_SERVER, &kept, err))
            return false;
        if (pair->state[WORK_CLIENT] == PAIR_DONE && pair->state[WORK_SERVER] == PAIR_DONE)
            return true;
    }
    return error_set(err, "no handshake after %d turns", TURNS_MAX);
}

bool memory_records(const struct pair_settings *settings, enum work_side sender,
                    uint32_t record_size, uint64_t budget_ns, double cost[static WORK_SIDES],
                    struct error *err)
{
    struct payload payload = {{0}, {0}};
    struct pair pair;
    bool ok = pair_init(&pair) || error_set(err, "no memory for a pair");

    ok = ok && connect_pair(&pair, settings, err) &&
         measure(&pair, sender, record_size, budget_ns, &payload, cost, err);
    pair_cleanup(&pair);
    return ok;
}
