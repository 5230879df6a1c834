# Shared by the tests that need servers of others, or a faulty one: source it behind support.sh.

end_process() { # PID: ends it and waits for it
    kill "$1" 2>/dev/null
    wait "$1" 2>/dev/null
}

# make_certificate NAME OPENSSL-REQ-ARG…: self-signed, $WORK/NAME.crt and .key.
make_certificate() {
    local name=$1
    shift
    openssl req -x509 -nodes -days 2 -subj "/CN=$name.test" -addext "subjectAltName=DNS:$name.test,DNS:localhost,IP:127.0.0.1" \
        -keyout "$WORK/$name.key" -out "$WORK/$name.crt" "$@" 2>"$WORK/openssl.err" || fail "$name: $(cat "$WORK/openssl.err")"
}

# start_peer MODE [NUMBER [CERT KEY [CERT KEY]]]: the faulty peer; sets PEER (its process) and ADDRESS.
start_peer() {
    local in="$WORK/peer.$RANDOM.in" out="$WORK/peer.$RANDOM.out" port="" word="" hold
    mkfifo "$in" "$out"
    exec {hold}<>"$in"
    "$BIN/faulty_peer" "$@" <"$in" >"$out" {hold}>&- &
    PEER=$!
    read -r -t 120 word port <"$out" || true
    [ "$word" = ready ] || fail "faulty_peer $* is not ready"
    ADDRESS=127.0.0.1:$port
}

answers() { # HOST PORT: somebody listens there
    (exec 7<>"/dev/tcp/$1/$2") 2>/dev/null
}

# launch_on_port FUNCTION: these servers want their port beforehand, so free ones are guessed until one can be bound.
# FUNCTION PORT starts it in the background and sets PEER; sets PORT and ADDRESS. False: it does not start.
launch_on_port() {
    local try
    for try in 1 2 3 4 5 6 7 8; do
        PORT=$((20000 + (RANDOM * 32768 + RANDOM) % 12000))
        answers 127.0.0.1 "$PORT" && continue
        "$1" "$PORT"
        wait_until 60 listens_or_ended "$PEER" "$PORT"
        if ! listens "$PEER" "$PORT"; then
            end_process "$PEER"
            continue
        fi
        ADDRESS=127.0.0.1:$PORT
        return 0
    done
    fail "$1: does not start: $(tail -3 "$WORK/peer.err")"
    return 1
}

have() { # PROGRAM…: all are there; says what is left out when not
    local program
    for program in "$@"; do
        command -v "$program" >/dev/null || {
            echo "left out: no $program"
            return 1
        }
    done
}
