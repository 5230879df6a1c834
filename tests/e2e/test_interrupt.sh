# Nothing is lost: an interrupted run keeps its results; a killed client leaves no server behind.
. "$(dirname "$0")/support.sh"

has_server() { pgrep -P "$1" -x suitemark-serve >"$WORK/child"; }
measuring() { grep -qs ' rounds' "$WORK/plan"; }

for signal in INT TERM; do
    "$BIN/suitemark" --certs ecdsa-p256 --versions 1.3 --duration 100ms --rounds 60 --format json \
        --output "$WORK/result.json" >"$WORK/plan" 2>&1 &
    client=$!
    wait_until 120 measuring || fail "$signal: the run did not begin"
    wait_until 60 has_server "$client" || fail "$signal: no embedded server"
    kill -"$signal" "$client"
    wait "$client"
    expect "$signal: exit status" 3 "$?"
    expect "$signal: interrupted" true "$(json .interrupted)"
    expect "$signal: statuses" partial "$(json '[.cases[].status] | unique | join(" ")')"
    wait_until 60 has_ended "$(cat "$WORK/child")" || fail "$signal: the embedded server is still there"
    rm -f "$WORK/result.json" "$WORK/plan"
done

"$BIN/suitemark" --certs ecdsa-p256 --versions 1.3 --duration 100ms --rounds 60 >"$WORK/plan" 2>&1 &
client=$!
wait_until 120 measuring || fail "kill: the run did not begin"
wait_until 60 has_server "$client" || fail "kill: no embedded server"
kill -KILL "$client"
wait "$client" 2>/dev/null
wait_until 60 has_ended "$(cat "$WORK/child")" || fail "kill -9 of the client left its server $(cat "$WORK/child")"

# Before there is anything to measure, too: a target that takes no connection, that is silent, or that does not answer
# the probe's question.
. "$(dirname "$0")/peer_support.sh"
make_certificate peer -newkey ec -pkeyopt ec_paramgen_curve:P-256

ends_at_once() { # NAME SECONDS ARG…: before any timeout of its own
    local name=$1 seconds=$2 client
    shift 2
    "$BIN/suitemark" "$@" >"$WORK/said" 2>&1 &
    client=$!
    wait_until 60 takes_signals "$client" || fail "$name: it does not begin"
    kill -INT "$client"
    wait_until "$seconds" has_ended "$client" || fail "$name: it does not end"
    kill -KILL "$client" 2>/dev/null
    wait "$client"
    expect "$name: exit status" 3 "$?"
    grep -qE '^suitemark: ([0-9.:]*: )?interrupted$' "$WORK/said" || fail "$name: $(cat "$WORK/said")"
}

long=(--certs ecdsa-p256 --versions 1.3 --measure handshake --connect-timeout 60s --handshake-timeout 60s)
for mode in full-queue silent; do
    start_peer "$mode"
    ends_at_once "$mode" 30 "$ADDRESS" "${long[@]}"
done
start_peer full-queue
ends_at_once "check" 4 check --target "$ADDRESS" # it gives up after 5 s

# A report that cannot be written is a failure, said in one line, and an old file stays as it was.
status=0
"$BIN/suitemark" --certs ecdsa-p256 --versions 1.3 --measure handshake --duration 20ms --rounds 1 >/dev/full 2>"$WORK/said" || status=$?
expect "full disk: exit status" 1 "$status"
grep -q 'No space left' "$WORK/said" || fail "full disk: $(cat "$WORK/said")"
