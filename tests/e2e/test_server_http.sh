# The server as HTTP clients see it: routes, exact lengths, keep-alive, refusals, counters.
. "$(dirname "$0")/support.sh" "$1"
. "$(dirname "$0")/server_support.sh"

serve --certs ecdsa-p256 --threads 2

# Exact lengths.
for size in 0 1 1023 16384 16385 1000000; do
    expect "/bytes/$size" "$size" "$(fetch "$URL/bytes/$size" | wc -c)"
    expect "/bytes/$size?record=1000" "$size" "$(fetch "$URL/bytes/$size?record=1000" | wc -c)"
done
becomes "payload out" stat_is payload out $((2 * (1 + 1023 + 16384 + 16385 + 1000000)))
expect "HEAD has the length" 1 "$(fetch --head "$URL/bytes/77" | grep -c '^Content-Length: 77')"
check "index" grep -q '/bytes/N' <(fetch "$URL/")

# A record is a record: TLS 1.2 AES-GCM adds 24 bytes, so 1000 become 0x0400 on the wire.
printf 'GET /bytes/3000?record=1000 HTTP/1.0\r\n\r\n' |
    timeout 120 openssl s_client -connect "$ADDRESS" -tls1_2 -cipher ECDHE-ECDSA-AES128-GCM-SHA256 -msg -ign_eof \
        >"$WORK/records" 2>&1
expect "records of 1000 bytes" 3 "$(grep -c '^ *17 03 03 04 00' "$WORK/records")"

# One connection for several requests.
expect "keep-alive" "1 0 0 " "$(fetch -w '%{num_connects} ' -o /dev/null "$URL/bytes/10" -o /dev/null "$URL/bytes/100000" \
    -o /dev/null "$URL/stats")"
expect "HTTP/1.0 closes" "1 1 " "$(fetch --http1.0 -w '%{num_connects} ' -o /dev/null "$URL/bytes/10" -o /dev/null "$URL/bytes/10")"

# Uploads: with a length (curl waits for 100 Continue), chunked, empty; what is counted is the body.
head -c 3000000 /dev/zero >"$WORK/body"
before=$(stat_of payload in)
expect "POST" 204 "$(fetch -w '%{http_code}' --data-binary @"$WORK/body" "$URL/sink")"
expect "PUT" 204 "$(fetch -w '%{http_code}' -T "$WORK/body" "$URL/sink")"
expect "chunked" 204 "$(fetch -w '%{http_code}' -H 'Transfer-Encoding: chunked' --data-binary @"$WORK/body" "$URL/sink")"
expect "empty" 204 "$(fetch -w '%{http_code}' -X POST "$URL/sink")"
expect "payload in" 9000000 $(($(stat_of payload in) - before))

# Refusals, each with its status and a clean close.
refused() { # STATUS ARG…
    local status=$1
    shift
    expect "$*" "$status close" "$(fetch -o /dev/null -D "$WORK/head" -w '%{http_code}' "$@") $(
        sed -n 's/^Connection: \([a-z-]*\).*/\1/p' "$WORK/head")"
}
refused 404 "$URL/nothing"
refused 404 "$URL/bytes"
refused 400 "$URL/bytes/x"
refused 400 "$URL/bytes/10?record=16385"
refused 400 "$URL/bytes/10?record=0"
refused 400 -X GET --data-binary body "$URL/bytes/10"
refused 400 -H 'Transfer-Encoding: gzip' --data-binary @"$WORK/body" "$URL/sink"
refused 405 -X DELETE "$URL/bytes/10"
refused 405 "$URL/sink"
check "405 says what is allowed" grep -q '^Allow: POST, PUT' "$WORK/head"
refused 431 -H "X-Long: $(head -c 9000 /dev/zero | tr '\0' x)" "$URL/"

# The reports.
stats >"$WORK/stats"
for key in schema clock_ns cpu_ns user_ns system_ns steal_ns threads connections handshakes certificates outcomes payload \
    configuration environment; do
    check "/stats has $key" grep -q "\"$key\":" "$WORK/stats"
done
check "schema" grep -q '"schema":"suitemark-stats/1"' "$WORK/stats"
check "two threads" grep -q '"threads":\[[0-9]*,[0-9]*\]' "$WORK/stats"
check "PSK, SRP and anonymous suites are skipped" grep -q '"suites":"PSK".*"suites":"SRP".*"suites":"anonymous"' "$WORK/stats"
expect "braces match" "$(tr -cd '{[' <"$WORK/stats" | wc -c)" "$(tr -cd '}]' <"$WORK/stats" | wc -c)"
fetch "$URL/metrics" >"$WORK/metrics"
expect "metrics lines" 0 "$(grep -cvE '^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[^"]+"\})? [0-9.]+)$' "$WORK/metrics")"
becomes "no connection is left" stat_is connections open 1 # the asking one
expect "no handshake failed" 0 "$(stat_of handshakes failed)"
end_server TERM
expect "exit" 0 "$STATUS"
