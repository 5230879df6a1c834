# The layers of a short run: primitive, memory and wire of both sides, null where they cannot be known.
. "$(dirname "$0")/support.sh"

short=(--rounds 2 --duration 300ms --versions 1.3 --groups x25519 --suites TLS_AES_128_GCM_SHA256)

# Every figure of both sides is there and a positive number; no layer is held against another, since noise moves them.
layers_are_there() { # SIDE UNIT MEASURE
    local side=$1 unit=$2 measure=$3
    json "[.cases[] | select(.measure == \"$measure\") | .layers.$side |
        (.primitive_${unit}, .memory_${unit}, .wire_${unit} | .median, .low, .high, .rounds),
        (.wire_${unit} | .user + .system), .efficiency, .components_${unit}[], .shares.libssl != null] |
        length > 0 and all(. == true or (type == \"number\" and . > 0 and . < 1e9))"
}

result --layers on --certs ecdsa-p256,rsa-2048 "${short[@]}"
expect "exit status" 0 "$STATUS"
[ "$STATUS" -eq 0 ] || cat "$WORK/said" >&2
for side in client server; do
    expect "handshake, $side" true "$(layers_are_there "$side" us handshake)"
    expect "bulk, $side" true "$(layers_are_there "$side" ns_per_kib bulk)"
done
expect "wire is the case's own cost" true "$(json 'all(.cases[]; .layers.server.wire_us == null or
    .layers.server.wire_us.median == .server.cpu_us_per_handshake.median)')"
expect "efficiency is primitive over wire" true "$(json 'all(.cases[] | select(.measure == "handshake") | .layers |
    .client, .server; (.efficiency * .wire_us.median / .primitive_us.median - 1 | fabs) < 1e-4)')"
expect "components add up to the primitive" true "$(json 'all(.cases[] | select(.measure == "handshake") |
    .layers.server; .components_us.signature > 0 and .components_us.key_exchange > 0)')"
expect "nothing failed" null "$(json '.cases[0].layers.reason')"
expect "no hint" null "$(json '.cases[0].layers.hint')"
expect "RSA signs longer than ECDSA" true "$(json '[.cases[] | select(.measure == "handshake") |
    {(.certificate): .layers.server.components_us.signature}] | add | .["rsa-2048"] > .["ecdsa-p256"]')"
grep -q "Full handshakes by layers: CPU µs per handshake" "$WORK/said" || fail "no table of layers"
grep -q "^Where the cost is: " "$WORK/said" || fail "no sentence"
# A character is a byte that does not continue one.
[ "$(LC_ALL=C sed 's/[\x80-\xBF]//g' "$WORK/said" | LC_ALL=C awk '{ if (length > widest) widest = length } END { print widest }')" \
    -le 120 ] || fail "lines over 120 columns"

# A server that is not the embedded one: its layers are not known.
start_server --certs ecdsa-p256
result --layers on --certs ecdsa-p256 --measure handshake "${short[@]}" "$ADDRESS"
expect "exit status with a target" 0 "$STATUS"
expect "client of a target" true "$(layers_are_there client us handshake)"
expect "server of a target" null "$(json '.cases[0].layers.server')"
expect "hint" 'run `suitemark evp` on the server' "$(json '.cases[0].layers.hint')"
grep -q 'run `suitemark evp` on the server' "$WORK/said" || fail "the hint is not shown"

# A list or a target: off unless asked for.
result --certs ecdsa-p256 --measure handshake "${short[@]}"
expect "off with lists" null "$(json '.cases[0].layers')"
grep -q "by layers" "$WORK/said" && fail "a table of layers that nobody asked for"

# The default plan shows what they take; no socket is opened.
plan=$("$BIN/suitemark" --dry-run) || fail "--dry-run"
grep -q ", layers [0-9]* ms; " <<<"$plan" || fail "--dry-run does not show the layers"
plan=$("$BIN/suitemark" --dry-run --layers off)
grep -q "layers" <<<"$plan" && fail "--layers off shows layers"

# Other ends of a connection, a verified chain and a client with fewer decoders.
result --layers on --certs rsa-2048 --measure handshake --close rst --tickets 2 --lean "${short[@]}"
expect "reset, tickets, lean" true "$(layers_are_there client us handshake)"
"$BIN/suitemark-certs" "$WORK/certs" --kinds ecdsa-p256 >/dev/null || fail "suitemark-certs"
result --layers on --certs ecdsa-p256 --measure handshake --cert-dir "$WORK/certs" --ca "$WORK/certs/root.crt" "${short[@]}"
expect "chain verified" true "$(json '.cases[0].layers.client.components_us.chain > 0')"

"$BIN/suitemark" --layers on --client-cert x.pem localhost >"$WORK/said" 2>&1
expect "a client certificate" 2 "$?"
