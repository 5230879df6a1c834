# A server under clients that mean no good, or are just many, and a short soak. The long versions are in tests/bench.
. "$(dirname "$0")/support.sh"
. "$(dirname "$0")/server_support.sh"

HOLD="$BIN/tests/bench/bench_hold"
[ -x "$HOLD" ] || skip "built without tests/bench"
SANITIZED=$(grep -qaE '__(asan|tsan)_init' "$BIN/suitemark-server" && echo yes || echo no)

# hold WHAT COUNT: opens so many clients of that sort; let_go WHAT ends them. Their output is in $WORK/WHAT.
declare -A HOLDERS INPUTS
hold() {
    mkfifo "$WORK/$1.hold"
    (
        for input in "${INPUTS[@]}"; do # of the others, which must end when we close it
            exec {input}>&-
        done
        exec "$HOLD" "$1" "$2" "$PORT" <"$WORK/$1.hold"
    ) >"$WORK/$1" 2>&1 &
    HOLDERS[$1]=$!
    exec {input}>"$WORK/$1.hold"
    INPUTS[$1]=$input
    wait_until 240 grep -q holding "$WORK/$1" || fail "$1: $(cat "$WORK/$1")"
}

let_go() {
    local input=${INPUTS[$1]}
    unset "INPUTS[$1]"
    exec {input}>&-
    wait_until 60 has_ended "${HOLDERS[$1]}" || fail "$1 does not end"
    wait "${HOLDERS[$1]}" || fail "$1 ended with $?: $(cat "$WORK/$1")"
    rm -f "$WORK/$1.hold"
}

alive() { # WHAT
    sed -n 's/^alive //p' "$WORK/$1"
}

open_at_most() { # COUNT: connections, the one that asks among them
    [ "$(stat_of connections open)" -le "$1" ]
}

rss_kib() {
    awk '/^VmRSS/ { print $2 }' "/proc/$SERVER_PID/status"
}

downloads() { # a whole body
    [ "$(fetch -o /dev/null -w '%{size_download}' "$URL/bytes/20000000")" = 20000000 ]
}

# A thousand idle connections: each costs little, all are kept, and others are served.
# What is slow here is slow on purpose: no timeout ends it, however long the test takes.
serve --certs ecdsa-p256 --threads 1 --handshake-timeout 20m --idle-timeout 20m
check "first" downloads
before=$(rss_kib)
hold idle 1000
each=$((($(rss_kib) - before) * 1024 / 1000))
[ "$SANITIZED" = yes ] || check "an idle connection has $each bytes" [ "$each" -lt $((60 * 1024)) ]
becomes "open connections" stat_is connections open 1001
check "beside idle connections" downloads
let_go idle
expect "idle connections that were kept" 1000 "$(alive idle)"
wait_until 60 open_at_most 1 || fail "idle connections that are gone are still open: $(stats)"

# Who reads nothing, uploads a byte now and then, or is slow to say hello, holds up nobody: one thread serves all.
hold reader 60
hold writer 60
hold hello 30
for _ in 1 2 3; do
    check "beside slow clients" downloads
done
result "$ADDRESS" --certs ecdsa-p256 --versions 1.3 --measure handshake --rounds 1 --duration 3s
expect "handshakes beside slow clients" '0 measured {}' "$STATUS $(json '.cases[0] | "\(.status) \(.failures)"')"
check "the slow ones are still there" [ "$(stat_of connections open)" -ge 150 ]
uploaded=$(stat_of payload in)
goes_on() {
    [ "$(stat_of payload in)" -ge $((uploaded + 120)) ]
}
wait_until 60 goes_on || fail "the slow uploads do not go on"
for what in reader writer hello; do
    let_go "$what"
done
expect "slow readers that were kept" 60 "$(alive reader)"
expect "slow writers that were kept" 60 "$(alive writer)"
wait_until 60 open_at_most 1 || fail "slow clients that are gone are still open: $(stats)"
end_server TERM
expect "exit" 0 "$STATUS"

# A flood of connections that never finish a handshake: all time out, and the server serves meanwhile and afterwards. Its
# limit of descriptors is below their number, so that it can only go on by getting rid of them.
: >"$WORK/launch.out"
(ulimit -n 400 && exec "$BIN/suitemark-server" --listen 127.0.0.1:0 --certs ecdsa-p256 --threads 1 --handshake-timeout 4s) \
    </dev/null >"$WORK/launch.out" 2>"$WORK/launch.err" &
SERVER_PID=$!
wait_ready 1
flooders=(silent half hello)
for what in "${flooders[@]}"; do
    hold "$what" 300
done
check "in the flood" downloads
timeouts() {
    stats | jq '.outcomes["handshake timeout"] // 0'
}
all_timed_out() {
    [ "$(timeouts)" -ge 900 ]
}
wait_until 120 all_timed_out || fail "the flood does not end: $(stats)"
wait_until 60 open_at_most 1 || fail "half-open connections stay: $(stats)"
check "after the flood" downloads
for what in "${flooders[@]}"; do
    let_go "$what"
    expect "$what: connections that outlive their time" 0 "$(alive "$what")"
done
end_server TERM
expect "exit" 0 "$STATUS"

# A short soak. Sanitizers keep freed memory for a while: with them only their own verdict counts.
growth=4096
[ "$SANITIZED" = yes ] && growth=1048576
SOAK_GROWTH_KIB=$growth timeout 300 "$(dirname "$0")/../bench/soak" 0.33 "$BIN" >"$WORK/soak" 2>&1 || fail "soak: $(cat "$WORK/soak")"
