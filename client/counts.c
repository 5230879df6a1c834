#include "client/counts.h"

/* What failed on the way to completion the server may have rejected: it never finishes those. What
 * it reads from a connection that we have ended would count for the slot after this one; but one
 * that somebody else has open is nothing to wait for. */
bool counts_are_behind(const struct client_counts *client, const struct server_counts *server)
{
    uint64_t expected = client->failed > 0 ? client->completed : client->established;
    return server->accepted < client->reached || server->finished < expected ||
           (server->left_open > 0 && server->accepted == client->reached);
}

/* Connections that others opened before the slot give themselves away by what they carry. What was
 * on its way to a connection that failed is not known. */
static bool carries_for_others(const struct client_counts *client,
                               const struct server_counts *server)
{
    return client->failed == 0 && server->payload > client->payload + client->in_flight;
}

/* A handshake that failed or was stopped here before its end may have been finished there: only
 * beyond those are there handshakes of others. And a failure is counted as one already: only what
 * was completed here can be unproved. */
struct counts_verdict counts_compare(const struct client_counts *client,
                                     const struct server_counts *server)
{
    uint64_t completed = client->completed, finished = server->finished;
    return (struct counts_verdict){
        .agree = server->accepted == client->reached && finished == client->established,
        .shared = server->accepted > client->reached || finished > client->reached ||
                  carries_for_others(client, server),
        .unproved = finished < completed ? completed - finished : 0,
    };
}
