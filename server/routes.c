#include "server/routes.h"

#include <string.h>

struct route {
    const char *path; /* a prefix when it ends in '/' and is longer than that */
    enum route_body body;
    const char *allow;
    bool takes_body;
    /* Reads what the path and query say; false: 400. NULL: nothing to read. */
    bool (*read)(struct http_text rest, struct http_text query, struct route_answer *answer);
};

static bool read_bytes(struct http_text rest, struct http_text query, struct route_answer *answer)
{
    struct http_text text;
    uint64_t record;
    if (!http_parse_number(rest, &answer->bytes))
        return false;
    answer->record_given = http_query_value(query, "record", &text);
    if (!answer->record_given)
        return true;
    if (!http_parse_number(text, &record) || record < 1 || record > ROUTE_RECORD_MAX)
        return false;
    answer->record = (size_t)record;
    return true;
}

static const struct route routes[] = {
    {"/", ROUTE_INDEX, "GET, HEAD", false, NULL},
    {"/bytes/", ROUTE_BYTES, "GET, HEAD", false, read_bytes},
    {"/sink", ROUTE_SINK, "POST, PUT", true, NULL},
    {"/stats", ROUTE_STATS, "GET, HEAD", false, NULL},
    {"/metrics", ROUTE_METRICS, "GET, HEAD", false, NULL},
};

static const char index_text[] =
    "suitemark-server\n"
    "\n"
    "GET  /bytes/N?record=SIZE  N bytes, SIZE (1 to 16384) in each TLS record\n"
    "POST /sink                 reads the body and answers 204\n"
    "GET  /stats                clocks, counters and configuration as JSON\n"
    "GET  /metrics              the counters as Prometheus text\n";

const char *routes_index(void)
{
    return index_text;
}

/* *rest is what follows a prefix. */
static bool path_matches(const struct route *route, struct http_text path, struct http_text *rest)
{
    const size_t length = strlen(route->path);
    const bool is_prefix = length > 1 && route->path[length - 1] == '/';
    if (path.length < length || memcmp(path.start, route->path, length) != 0)
        return false;
    *rest = (struct http_text){path.start + length, path.length - length};
    return is_prefix || rest->length == 0;
}

/* Whether a method stands in a list such as "GET, HEAD". */
static bool method_allowed(const char *allow, struct http_text method)
{
    for (const char *at = allow; at != NULL; at = strchr(at, ' ')) {
        at += strspn(at, " ");
        const size_t length = strcspn(at, ",");
        if (length == method.length && memcmp(at, method.start, length) == 0)
            return true;
    }
    return false;
}

static bool has_body(const struct http_head *request)
{
    return request->framing == HTTP_BODY_CHUNKED || request->content_length > 0;
}

static int route_status(const struct route *route, const struct http_head *request,
                        struct http_text rest, struct route_answer *answer)
{
    if (!method_allowed(route->allow, request->method)) {
        answer->allow = route->allow;
        return 405;
    }
    if (has_body(request) && !route->takes_body)
        return 400;
    if (route->read != NULL && !route->read(rest, request->query, answer))
        return 400;
    return 200;
}

void routes_answer(const struct http_head *request, struct route_answer *answer)
{
    struct http_text rest;
    *answer = (struct route_answer){.status = 404, .record = ROUTE_RECORD_MAX};
    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++) {
        if (!path_matches(&routes[i], request->path, &rest))
            continue;
        answer->status = route_status(&routes[i], request, rest, answer);
        answer->body = answer->status == 200 ? routes[i].body : ROUTE_NOTHING;
        break;
    }
    answer->head_only = http_text_is(request->method, "HEAD");
}
