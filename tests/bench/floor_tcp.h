#ifndef TESTS_BENCH_FLOOR_TCP_H
#define TESTS_BENCH_FLOOR_TCP_H

#include "common/base/error.h"

#include <stddef.h>
#include <stdint.h>

/* Bytes of a handshake's flights: ClientHello; the server's answer; the client's Finished; the
 * close_notify that each side sends. */
struct flights {
    size_t hello, answer, finished, close;
};

/* CPU time of either side's thread. */
struct tcp_cost {
    uint64_t client_ns, server_ns;
};

/* Moves these flights over loopback without TLS, by the smallest epoll loop there can be: two
 * threads, 16 connections in flight, `connections` in all. The calling thread is the server's. */
bool floor_tcp_run(const struct flights *flights, int client_cpu, int server_cpu,
                   uint64_t connections, struct tcp_cost *cost, struct error *err) MUST_CHECK;

#endif
