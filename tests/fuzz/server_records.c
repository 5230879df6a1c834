#include "server/session.h"
#include "tests/fuzz/live_server.h"
#include "tests/fuzz/script.h"
#include "tests/fuzz/seal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* libFuzzer target: mutated TLS records against the server's sessions. An input chooses one of the
 * recorded conversations (script.h) and tells, step by step, what becomes of its records; what it
 * does not mention is sent as recorded. So inputs reach whatever state a genuine client reaches,
 * and few bytes of input are one mutation there.
 *
 * Held after every input: the session is freed when its client has gone. Held time and again: a
 * genuine conversation still works. */

#define LENGTHEN_MAX 18000
#define RECORD_MAX   (PIECE_MAX + SEAL_OVERHEAD + LENGTHEN_MAX)
#define CHECK_EVERY  32

struct input {
    const uint8_t *at, *end;
};

struct play {
    struct live_server *server;
    const struct script *script;
    struct seal *seal;
    size_t next; /* piece */
    struct input input;
    uint8_t record[RECORD_MAX];
    size_t length;
};

/* libFuzzer calls functions without a context: what lives through all inputs is static. */
static struct {
    struct live_server server;
    struct script scripts[SCRIPT_COUNT];
    struct seal seal;
    uint64_t inputs;
} state;

static unsigned take(struct input *input)
{
    return input->at < input->end ? *input->at++ : 0;
}

static unsigned take_two(struct input *input)
{
    const unsigned high = take(input);
    return high << 8 | take(input);
}

/* Up to `most` bytes of the input. */
static const uint8_t *take_bytes(struct input *input, size_t most, size_t *length)
{
    const uint8_t *bytes = input->at;
    const size_t left = (size_t)(input->end - input->at);
    *length = most < left ? most : left;
    input->at += *length;
    return bytes;
}

static bool more(const struct play *play)
{
    return play->next < play->script->count;
}

/* Makes the next piece into a record; the server has its turn first where the client had waited. */
static void fetch(struct play *play)
{
    const struct piece *piece = &play->script->pieces[play->next++];
    if (piece->waits)
        live_server_turn(play->server);
    if (piece->sealed) {
        play->length =
            seal_record(play->seal, play->record, piece->type, piece->bytes, piece->length, 0);
    } else {
        memcpy(play->record, piece->bytes, piece->length);
        play->length = piece->length;
    }
}

static void deliver(struct play *play)
{
    live_server_send(play->server, play->record, play->length);
}

static void set_length(struct play *play, size_t length)
{
    play->record[3] = (uint8_t)(length >> 8);
    play->record[4] = (uint8_t)length;
}

/* --- what can happen to the next record --- */

static void op_send(struct play *play)
{
    deliver(play);
}

static void op_flip(struct play *play)
{
    const size_t at = take_two(&play->input) % play->length;
    play->record[at] ^= (uint8_t)take(&play->input);
    deliver(play);
}

static void op_cut(struct play *play) /* the header still promises all of it */
{
    play->length = take_two(&play->input) % play->length;
    deliver(play);
}

static void op_shorten(struct play *play) /* the header knows */
{
    play->length = 5 + take_two(&play->input) % (play->length - 4);
    set_length(play, play->length - 5);
    deliver(play);
}

static void op_lie(struct play *play)
{
    set_length(play, take_two(&play->input));
    deliver(play);
}

static void op_lengthen(struct play *play) /* up to more than any record may have */
{
    const size_t wanted = play->length + take_two(&play->input) % LENGTHEN_MAX;
    const uint8_t fill = (uint8_t)take(&play->input);
    memset(play->record + play->length, fill, wanted - play->length);
    play->length = wanted;
    set_length(play, play->length - 5);
    deliver(play);
}

static void op_in_parts(struct play *play)
{
    const size_t part = take_two(&play->input) % play->length;
    live_server_send(play->server, play->record, part);
    live_server_turn(play->server);
    live_server_send(play->server, play->record + part, play->length - part);
}

static void op_twice(struct play *play)
{
    deliver(play);
    deliver(play);
}

static void op_skip(struct play *play)
{
    (void)play;
}

static void op_swap(struct play *play) /* behind the one that follows it */
{
    uint8_t kept[RECORD_MAX];
    const size_t length = play->length;
    memcpy(kept, play->record, length);
    if (more(play)) {
        fetch(play);
        deliver(play);
    }
    live_server_send(play->server, kept, length);
}

static void op_header(struct play *play)
{
    play->record[0] = (uint8_t)take(&play->input);
    play->record[1] = (uint8_t)take(&play->input);
    play->record[2] = (uint8_t)take(&play->input);
    deliver(play);
}

static void op_two_records(struct play *play) /* of one */
{
    const size_t body = play->length - 5, part = take_two(&play->input) % (body + 1);
    uint8_t header[5];
    memcpy(header, play->record, sizeof header);
    set_length(play, part);
    live_server_send(play->server, play->record, 5 + part);
    header[3] = (uint8_t)((body - part) >> 8);
    header[4] = (uint8_t)(body - part);
    live_server_send(play->server, header, sizeof header);
    live_server_send(play->server, play->record + 5 + part, body - part);
}

/* --- what can happen between two records --- */

static void op_raw(struct play *play)
{
    size_t length;
    const uint8_t *bytes = take_bytes(&play->input, take(&play->input), &length);
    live_server_send(play->server, bytes, length);
}

static void op_sealed(struct play *play)
{
    size_t length;
    if (!play->script->has_secret)
        return;
    const uint8_t type = (uint8_t)take(&play->input);
    const size_t padding = take(&play->input);
    const uint8_t *bytes = take_bytes(&play->input, take(&play->input), &length);
    play->length = seal_record(play->seal, play->record, type, bytes, length, padding);
    deliver(play);
}

static void op_plain(struct play *play) /* a record as if nothing were encrypted yet */
{
    size_t length;
    const uint8_t type = (uint8_t)take(&play->input);
    const uint8_t *bytes = take_bytes(&play->input, take(&play->input), &length);
    const uint8_t header[5] = {type, 3, 3, 0, (uint8_t)length};
    live_server_send(play->server, header, sizeof header);
    live_server_send(play->server, bytes, length);
}

static void expire_oldest(struct live_server *server)
{
    for (int i = 0; i < QUEUE_COUNT; i++) {
        struct session *oldest = TAILQ_FIRST(&server->worker->queues[i]);
        if (oldest != NULL) {
            session_expire(oldest);
            return;
        }
    }
}

static void op_event(struct play *play)
{
    switch (take(&play->input) % 5) {
    case 0:
        (void)shutdown(play->server->fd, SHUT_WR);
        break;
    case 1:
        expire_oldest(play->server);
        break;
    case 2:
        play->server->reads = !play->server->reads;
        break;
    case 3:
        (void)shutdown(play->server->fd, SHUT_RD);
        break;
    default:
        live_server_turn(play->server);
    }
}

static const struct op_row {
    void (*run)(struct play *play);
    bool takes_record;
} ops[] = {
    {op_send, true}, {op_flip, true},     {op_cut, true},      {op_shorten, true},
    {op_lie, true},  {op_lengthen, true}, {op_in_parts, true}, {op_twice, true},
    {op_skip, true}, {op_swap, true},     {op_header, true},   {op_two_records, true},
    {op_raw, false}, {op_sealed, false},  {op_plain, false},   {op_event, false},
};

static void play_input(struct play *play)
{
    while (play->input.at < play->input.end) {
        const struct op_row *op = &ops[take(&play->input) % (sizeof ops / sizeof *ops)];
        if (op->takes_record && !more(play))
            continue;
        if (op->takes_record)
            fetch(play);
        op->run(play);
    }
    while (more(play)) {
        fetch(play);
        deliver(play);
    }
    live_server_turn(play->server);
    live_server_hang_up(play->server);
}

static void play_script(size_t index, const uint8_t *data, size_t size)
{
    static struct play play; /* large */
    play.server = &state.server;
    play.script = &state.scripts[index];
    play.seal = &state.seal;
    play.next = 0;
    play.input = (struct input){.at = data, .end = data + size};
    if (play.script->has_secret)
        seal_start(&state.seal, play.script->secret);
    live_server_dial(&state.server);
    play_input(&play);
}

/* A script as recorded ends in a finished handshake, and no new way of ending. */
static void check_still_serves(size_t index)
{
    const struct worker_stats *stats = &state.server.worker->stats;
    const uint64_t finished =
        counter_read(&stats->finished) + counter_read(&stats->control_finished);
    const uint64_t failed = counter_read(&stats->failed), out = counter_read(&stats->payload_out);
    static const uint8_t nothing[1];
    play_script(index, nothing, 0);
    if (counter_read(&stats->finished) + counter_read(&stats->control_finished) == finished + 1 &&
        counter_read(&stats->failed) == failed &&
        (counter_read(&stats->payload_out) > out || counter_read(&stats->control) > 0))
        return;
    fprintf(stderr, "script \"%s\", unchanged, does not work\n", state.scripts[index].name);
    abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    live_server_start(&state.server);
    script_record_all(&state.server, state.scripts);
    for (size_t i = 0; i < SCRIPT_COUNT; i++)
        check_still_serves(i);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    play_script(data[0] % SCRIPT_COUNT, data + 1, size - 1);
    if (++state.inputs % CHECK_EVERY == 0)
        check_still_serves(state.inputs / CHECK_EVERY % 2 * 7); /* 1.3 and 1.2 in turn */
    return 0;
}
