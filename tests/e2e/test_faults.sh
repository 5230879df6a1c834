# Whatever goes wrong is a class of its own with its reason, the run goes on, and no wrong figure is made of it.
. "$(dirname "$0")/support.sh"
. "$(dirname "$0")/peer_support.sh"

quick=(--rounds 1 --duration 1s --warmup 20ms --measure handshake --versions 1.3)
one=("${quick[@]}" --certs ecdsa-p256)
many=(--connections 64) # 64 failures in a row come at once
impatient=(--connect-timeout 3s --handshake-timeout 3s)

# patience TEXT: sets PATIENCE, short where a timeout is what is to come; what else is to come may take its time.
patience() {
    PATIENCE=()
    [[ $1 != *timeout ]] || PATIENCE=("${impatient[@]}")
}

make_certificate ec -newkey ec -pkeyopt ec_paramgen_curve:P-256
make_certificate other -newkey ec -pkeyopt ec_paramgen_curve:P-256
make_certificate rsa -newkey rsa:2048
make_certificate big -newkey rsa:3072
ec=("$WORK/ec.crt" "$WORK/ec.key")

# printed TEXT…: all that was said, with long lines joined again.
printed() {
    tr -s ' \n' ' ' <"$WORK/said" | grep -F -- "$1" >/dev/null || fail "${2:-}: \"$1\" is not in: $(cat "$WORK/said")"
}

# refuses STATUS TEXT ARG…: ends before anything is measured, with one line that says why.
refuses() {
    local wanted=$1 text=$2 status=0
    shift 2
    timeout 200 "$BIN/suitemark" "$@" >"$WORK/said" 2>&1 || status=$?
    expect "$* (status)" "$wanted" "$status"
    expect "$* (lines)" 1 "$(wc -l <"$WORK/said")"
    printed "$text" "$*"
}

# fails_with FAILURE ARG…: the case fails for this reason and has no figure.
fails_with() {
    local failure=$1
    shift
    result "$ADDRESS" "$@"
    expect "$failure" "1 failed null $failure" \
        "$STATUS $(json '.cases[0] | "\(.status) \(.rate) \(.failures | to_entries | max_by(.value).key)"')"
    printed "$failure" "$*"
}

# --- a target that is none from the start ---

test_no_target() {
    # Longer than any label of a name: nobody is asked for it.
    refuses 1 'resolve: ' "$(printf 'a%.0s' {1..70}).test" "${one[@]}"
    start_peer silent && end_process "$PEER"
    refuses 1 "$ADDRESS: connect refused" "$ADDRESS" "${one[@]}"
    local row mode text
    for row in "full-queue connect timeout" "silent handshake timeout" "slow handshake timeout" "http peer does not speak TLS" \
        "smtp peer does not speak TLS" "close closed early: end of stream during the handshake" "reset reset"; do
        mode=${row%% *} text=${row#* }
        start_peer "$mode"
        patience "$text"
        refuses 1 "$ADDRESS: $text" "$ADDRESS" "${one[@]}" "${many[@]}" "${PATIENCE[@]}"
        end_process "$PEER"
    done
}

# --- a target that goes wrong after the first handshakes ---

test_later() {
    local row
    for row in "silent:handshake timeout" "slow:handshake timeout" "http:peer does not speak TLS" "smtp:peer does not speak TLS" \
        "close:closed early: end of stream during the handshake" "reset:reset"; do
        start_peer "${row%%:*}" 5 "${ec[@]}"
        patience "$row"
        fails_with "${row#*:}" "${one[@]}" "${many[@]}" "${PATIENCE[@]}"
        end_process "$PEER"
    done

    start_peer bare-fin 1 "${ec[@]}"
    fails_with 'unconfirmed: end of stream without close_notify' "${one[@]}"
    expect "bare FIN: confirmed" 0 "$(json '.cases[0].confirmed')"
    end_process "$PEER"
    start_peer mute 1 "${ec[@]}"
    fails_with 'unconfirmed: no close_notify in time' "${one[@]}"
    end_process "$PEER"
    start_peer reset-some 1 "${ec[@]}"
    fails_with 'rejected: reset' "${one[@]}"
    end_process "$PEER"

    start_peer drift 5 "$WORK/rsa.crt" "$WORK/rsa.key" "$WORK/big.crt" "$WORK/big.key"
    fails_with 'drift: certificate key RSA 3072 instead of RSA 2048' "${quick[@]}" --certs rsa-2048
    check "drift: counted" [ "$(json '.cases[0].drifts')" -gt 0 ]
    end_process "$PEER"
    start_peer drift 5 "$WORK/rsa.crt" "$WORK/rsa.key" "${ec[@]}"
    fails_with 'alert handshake failure' "${quick[@]}" --certs rsa-2048
    end_process "$PEER"
    start_peer drift 5 "${ec[@]}" "$WORK/other.crt" "$WORK/other.key"
    fails_with 'certificate verify: self-signed certificate' "${one[@]}" --ca "$WORK/ec.crt"
    end_process "$PEER"

    # The run goes on: cases behind a failed one are tried all the same, and each says why.
    start_peer close 5 "$WORK/rsa.crt" "$WORK/rsa.key"
    result "$ADDRESS" "${quick[@]}" --certs rsa-2048 --groups x25519,p-256 --rounds 2
    expect "all cases are there" '2 failed' "$(json '[.cases[].status] | "\(length) \(unique | join(" "))"')"
    expect "all have a reason" true "$(json '[.cases[].reason | test("closed early")] | all')"
    end_process "$PEER"

    # One in many is tolerated, and printed.
    local duration
    for duration in 3s 40s; do # until a slow machine has had more than that many
        start_peer reset-some 110 "${ec[@]}"
        result "$ADDRESS" "${one[@]}" --duration "$duration"
        [ "$(json '.cases[0].attempted > 150')" = true ] && break
        end_process "$PEER"
    done
    expect "few resets" '0 measured' "$STATUS $(json '.cases[0].status')"
    check "few resets: counted" [ "$(json '.cases[0].failures["rejected: reset"]')" -gt 0 ]
    printed 'failed: rejected: reset' "few resets"
    end_process "$PEER"
}

# --- limits of our own ---

test_descriptors() {
    (ulimit -n 100 && refuses 2 '--connections: 200 connections need 237 descriptors, and this process may open 100' \
        --connections 200 "${one[@]}" && exit "$FAILURES") || FAILURES=$((FAILURES + 1))
    # The soft limit is no obstacle.
    (ulimit -Sn 40 && result --connections 60 "${one[@]}" --duration 2s && exit "$STATUS")
    expect "soft descriptor limit" '0 measured' "$? $(json '.cases[0].status')"
    local status=0
    (ulimit -n 100 && exec "$BIN/suitemark-server" --listen 127.0.0.1:0 --certs ecdsa-p256 --max-connections 1000) \
        >"$WORK/said" 2>&1 </dev/null || status=$?
    expect "server: descriptor limit (status)" 2 "$status"
    printed '--max-connections: 1000 connections need ' "server"

    # Taken away in the middle of the run, where one case has its event loops and the other has none yet: both say
    # why they failed.
    have prlimit || return
    start_server --certs ecdsa-p256
    : >"$WORK/said"
    "$BIN/suitemark" --format json "$ADDRESS" "${quick[@]}" --certs ecdsa-p256 --groups x25519,p-256 --duration 30s \
        >"$WORK/result.json" 2>"$WORK/said" & # a descriptor that is open already
    await_begin $!
    prlimit --pid "$CLIENT" --nofile=8:8 # five are open before a case begins
    end_client
    expect "descriptors lost" '1 2 failed' "$STATUS $(json '[.cases[].status] | "\(length) \(unique | join(" "))"')"
    expect "descriptors lost: all say so" true \
        "$(json '[.cases[].failures["local limit: no free descriptor (EMFILE)"] > 0] | all')"
    end_process "$SERVER_PID"
}

test_ports() {
    if ! unshare -n true 2>/dev/null; then
        echo "left out: no network namespaces here"
        return
    fi
    local few='ip link set lo up && echo "40000 40019" >/proc/sys/net/ipv4/ip_local_port_range && exec "$@"'
    STATUS=0
    timeout 200 unshare -n sh -c "$few" - "$BIN/suitemark" "${one[@]}" --connections 40 >"$WORK/said" 2>&1 || STATUS=$?
    expect "more connections than ports" 2 "$STATUS"
    printed '--connections: 40 connections need more than the 20 local ports' "ports"
    STATUS=0
    timeout 200 unshare -n sh -c "$few" - "$BIN/suitemark" "${one[@]}" --connections 19 --format json --output "$WORK/result.json" \
        >"$WORK/said" 2>&1 || STATUS=$?
    expect "no port left" '1 failed' "$STATUS $(json '.cases[0].status')"
    printed 'local limit: no free port (EADDRNOTAVAIL)' "no port left"
}

test_first_closer() {
    refuses 2 '--close fin keeps every port in TIME_WAIT for 60 s' 127.0.0.1:"$PORT" "${one[@]}" --duration 30s \
        --close fin --source 127.0.0.1
    result 127.0.0.1:"$PORT" "${one[@]}" --duration 1s --close fin
    expect "--close fin" '0 measured {}' "$STATUS $(json '.cases[0] | "\(.status) \(.failures | tojson)"')"
}

# Sanitizers want more address space than any limit leaves them.
test_memory() {
    if grep -q 'SUITEMARK_SANITIZE:STRING=.' "$BIN/CMakeCache.txt" 2>/dev/null; then
        echo "left out: no memory limit under sanitizers"
        return
    fi
    (ulimit -n 3100) 2>/dev/null || {
        echo "left out: no 3000 connections here"
        return
    }
    # How much address space a program needs to begin with differs between systems.
    local kilobytes
    for kilobytes in 60000 80000 100000 150000; do
        rm -f "$WORK/result.json"
        (ulimit -v "$kilobytes" && result 127.0.0.1:"$PORT" "${one[@]}" --connections 3000 --duration 1s && exit "$STATUS")
        STATUS=$?
        grep -q 'local limit: out of memory' "$WORK/said" && break
    done
    expect "no memory" '1 failed' "$STATUS $(json '.cases[0].status')"
    printed 'local limit: out of memory' "no memory"
}

# --- while it runs ---

give_up() { # TEXT…: what follows would only wait for what cannot come
    fail "$@"
    exit 1
}

# start_client ARG…: in the background, until it measures; sets CLIENT.
start_client() {
    : >"$WORK/said"
    rm -f "$WORK/result.json"
    "$BIN/suitemark" --format json --output "$WORK/result.json" "$@" >"$WORK/said" 2>&1 &
    await_begin $!
}

await_begin() { # PID
    CLIENT=$1
    wait_until 120 grep -q ' round' "$WORK/said" || give_up "the run does not begin: $(cat "$WORK/said")"
}

end_client() { # sets STATUS
    wait_until 200 has_ended "$CLIENT" || fail "the run does not end"
    STATUS=0
    wait "$CLIENT" || STATUS=$?
}

cpu_ticks() { # PID
    sed 's/.*) //' "/proc/$1/stat" | { read -ra fields && echo $((fields[11] + fields[12])); }
}

has_used() { # PID TICKS
    [ "$(cpu_ticks "$1")" -ge "$2" ]
}

# wait_busy PID TICKS: from now on it uses so much CPU time, 10 ms each.
wait_busy() {
    wait_until 120 has_used "$1" $(($(cpu_ticks "$1") + $2)) || give_up "process $1 has nothing to do"
}

# Killed and started again on its port: rounds before and behind are whole, those between are missing.
test_restart() {
    start_server --certs ecdsa-p256
    start_client "$ADDRESS" "${quick[@]}" --certs ecdsa-p256 --groups x25519,p-256 --rounds 10 --duration 700ms \
        --connect-timeout 60s
    wait_busy "$SERVER_PID" 15
    kill -KILL "$SERVER_PID"
    wait "$SERVER_PID" 2>/dev/null
    start_server --certs ecdsa-p256 --listen "$ADDRESS"
    end_client
    expect "restart (status)" 1 "$STATUS"
    expect "restart: statuses" true "$(json '[.cases[].status] | all(. == "partial" or . == "measured")')"
    expect "restart: one was hit" true "$(json '[.cases[].status] | any(. == "partial")')"
    expect "restart: rounds were kept on both sides of it" true "$(json '[.cases[].rounds | length] | all(. >= 6 and . <= 10)')"
    expect "restart: every round has both sides" true \
        "$(json '[.cases[].rounds[] | .confirmed > 0 and .server_cpu_ns > 0 and .server_count > 0] | all')"
    # As rates, each over its own time: the two looks at a busy machine are not at the same moment.
    expect "restart: both sides counted alike" true "$(json '[.cases[].rounds[] |
        ((.server_count / .server_wall_ns - .confirmed / .wall_ns) * .wall_ns | fabs) < 100 + .confirmed / 2] | all')"
    expect "restart: no stranger seen" false "$(json '[.cases[].server_shared] | any')"
    printed 'rounds' "restart"
    end_process "$SERVER_PID"
}

test_two_runs() {
    start_server --certs ecdsa-p256
    "$BIN/suitemark" "$ADDRESS" "${one[@]}" --rounds 60 --duration 500ms --format json --output "$WORK/second.json" \
        >"$WORK/second.said" 2>&1 &
    local second=$!
    wait_busy "$SERVER_PID" 10 # the other one goes on until it is told to end
    result "$ADDRESS" "${one[@]}" --rounds 2 --duration 2s
    kill -INT "$second"
    wait "$second"
    expect "two runs (status)" '0 3' "$STATUS $?"
    expect "two runs: both see it" 'true null' "$(json '.cases[0] | "\(.server_shared) \(.server)"')"
    expect "two runs: the other too" 'true null' "$(jq -r '.cases[0] | "\(.server_shared) \(.server)"' "$WORK/second.json")"
    printed 'server shared' "two runs"
    end_process "$SERVER_PID"
}

# stop_client: for two seconds, in the middle of a window.
stop_client() {
    wait_busy "$1" 8
    kill -STOP "$CLIENT"
    sleep 2
    kill -CONT "$CLIENT"
}

# A stopped client: the round is dropped and repeated; when that is stopped too, it is marked.
test_stopped() {
    start_server --certs ecdsa-p256
    start_client "$ADDRESS" "${one[@]}" --duration 6s
    stop_client "$SERVER_PID"
    end_client
    # Not the two seconds: a busy machine may have stopped it too, for less.
    expect "stopped once" '0 measured true' "$STATUS $(json '.cases[0] | "\(.status) \(.rounds[0].stalled_ns < 1500000000)"')"
    check "stopped once: it is a second window" [ "$(json '.cases[0].rounds[0].start_ns')" -gt 6000000000 ]

    start_client "$ADDRESS" "${one[@]}" --duration 3s --rounds 2
    local tries=200
    while ! has_ended "$CLIENT" && [ $((tries -= 1)) -gt 0 ]; do # in every window of it
        kill -STOP "$CLIENT" 2>/dev/null
        sleep 0.3
        kill -CONT "$CLIENT" 2>/dev/null
        sleep 0.2
    done
    end_client
    expect "stopped always" 'true true' "$(json '.cases[0].rounds | "\(length > 0) \(all(.stalled_ns > 200000000 and .slow))"')"
    printed 'it was stopped' "stopped always"
    end_process "$SERVER_PID"
}

test_signals() {
    start_server --certs ecdsa-p256
    for signal in INT TERM; do
        start_client "$ADDRESS" "${one[@]}" --rounds 60 --duration 200ms
        wait_busy "$SERVER_PID" 20
        kill -"$signal" "$CLIENT"
        end_client
        expect "SIG$signal" '3 true partial' "$STATUS $(json '"\(.interrupted) \(.cases[0].status)"')"
        printed ' of 60 rounds' "SIG$signal"
    done
}

# The result is not lost where only one of the places for it is full or gone.
test_output() {
    local status=0
    "$BIN/suitemark" 127.0.0.1:"$PORT" "${one[@]}" --output /dev/full >"$WORK/said" 2>&1 || status=$?
    expect "full disk (status)" 1 "$status"
    printed 'No space left on device' "full disk"
    printed 'Full handshakes' "full disk: the table is printed instead"
    local reader writer # of a pipe that nobody reads any more when the run begins
    mkfifo "$WORK/pipe"
    exec {reader}<>"$WORK/pipe" {writer}>"$WORK/pipe" {reader}>&-
    status=0
    "$BIN/suitemark" 127.0.0.1:"$PORT" "${one[@]}" --format json --output "$WORK/kept.json" >&"$writer" 2>"$WORK/said" || status=$?
    exec {writer}>&-
    expect "closed pipe (status)" 1 "$status"
    printed 'standard output: Broken pipe' "closed pipe"
    expect "closed pipe: the file" measured "$(jq -r '.cases[0].status' "$WORK/kept.json")"
}

test_no_target
test_later
test_descriptors
test_ports
test_restart
test_two_runs
test_stopped
test_signals # its server stays
test_output
test_first_closer
test_memory
