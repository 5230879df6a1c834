# What other tools report wrongly.
. "$(dirname "$0")/support.sh"

quick=(--rounds 1 --duration 500ms --warmup 10ms)

# A TLS 1.3 server that requires a client certificate: the client is done before it is refused. Nothing counts.
"$BIN/suitemark-certs" "$WORK/certs" --kinds ecdsa-p256 >"$WORK/said" 2>&1 || fail "suitemark-certs: $(cat "$WORK/said")"
start_server --client-ca "$WORK/certs/root.crt" --certs ecdsa-p256
result "$ADDRESS" "${quick[@]}" --certs ecdsa-p256 --versions 1.3 --measure handshake
expect "client certificate required, 1.3 (status)" 1 "$STATUS"
expect "client certificate required, 1.3" 'failed 0 null' "$(json '.cases[0] | "\(.status) \(.confirmed) \(.rate)"')"
expect "its reason" 'rejected: alert certificate required' "$(json '.cases[0].failures | keys[0]')"
grep -q 'rejected: alert certificate required' "$WORK/said" || fail "the table does not name the alert: $(cat "$WORK/said")"
result "$ADDRESS" "${quick[@]}" --certs ecdsa-p256 --versions 1.2 --measure handshake
expect "client certificate required, 1.2 (status)" 1 "$STATUS"
expect "client certificate required, 1.2" 'failed 0' "$(json '.cases[0] | "\(.status) \(.confirmed)"')"
result "$ADDRESS" "${quick[@]}" --certs ecdsa-p256 --versions 1.3 --measure bulk
expect "client certificate required, bulk" '1 failed null' "$STATUS $(json '.cases[0] | "\(.status) \(.rate)"')"

# The same by OpenSSL's own server.
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$WORK/key.pem" -out "$WORK/cert.pem" \
    -days 2 -subj /CN=localhost 2>"$WORK/said" || fail "openssl req: $(cat "$WORK/said")"

# Counts of both ends agree exactly after the drain; full handshakes never resume; tickets are not payload.
for tickets in 0 2; do
    result "${quick[@]}" --rounds 2 --tickets "$tickets" --certs ecdsa-p256,rsa-2048 --versions 1.2,1.3
    expect "tickets $tickets (status)" 0 "$STATUS"
    expect "tickets $tickets: counts agree" 'true' "$(json '[.cases[].counts_agree] | all')"
    expect "tickets $tickets: confirmed" 'true' "$(json '[.cases[] | .confirmed == .completed and .completed > 0] | all')"
    expect "tickets $tickets: by" 'server' "$(json '[.cases[].confirmed_by] | unique | join(" ")')"
    expect "tickets $tickets: resumed" 'false' "$(json '[.cases[].negotiated.resumed] | unique | join(" ")')"
    expect "tickets $tickets: seen" "$tickets" "$(json '.cases[] | select(.version == "1.3" and .measure == "handshake") | .tickets' | sort -u)"
    expect "tickets $tickets: payload of handshakes" 0 "$(json '[.cases[] | select(.measure == "handshake") | .rounds[].bytes] | add')"
done

# Nothing is divided by nothing: a page of 0 bytes has no rate.
"$BIN/suitemark" "https://$ADDRESS/bytes/0" "${quick[@]}" --certs ecdsa-p256 --measure bulk >"$WORK/said" 2>&1
grep -Eq '(^|[^0-9.])0\.00|nan|inf ' "$WORK/said" && fail "a number for nothing: $(cat "$WORK/said")"

# A record's observed size is that of payload records: heads are longer than the smallest ones.
result "${quick[@]}" --rounds 1 --measure bulk --suites TLS_AES_128_GCM_SHA256 --certs ecdsa-p256 --record-sizes 16,4k
expect "observed record sizes" '16 4096' "$(json '[.cases[].record_size_observed] | join(" ")')"

# A ticket's bytes are those of its record. OpenSSL's tickets are whole 16-byte blocks; around one stand 25 bytes of its
# message and 22 of its record (header, content type, tag): 47, for two of them 94, which is 14 more than whole blocks.
result "${quick[@]}" --rounds 1 --tickets 2 --measure handshake --suites TLS_AES_128_GCM_SHA256 --certs ecdsa-p256
expect "bytes of two tickets beyond blocks" 14 "$(json '.cases[0].ticket_bytes % 16')"
true
