# Shared by the tests of suitemark-server alone: source it behind support.sh.

# launch ARG…: a suitemark-server whose output stays in $WORK/launch.out; sets SERVER_PID. LAUNCH_INPUT is its standard input.
launch() {
    : >"$WORK/launch.out"
    "$BIN/suitemark-server" "$@" <"${LAUNCH_INPUT:-/dev/null}" >"$WORK/launch.out" 2>"$WORK/launch.err" &
    SERVER_PID=$!
}

has_lines() { # FILE COUNT
    [ "$(wc -l <"$1")" -ge "$2" ]
}

# wait_ready COUNT: the launched server has printed so many lines; sets ADDRESSES, ADDRESS, PORT and URL (of the first).
wait_ready() {
    wait_until 200 has_lines "$WORK/launch.out" "$1" || {
        cat "$WORK/launch.out" "$WORK/launch.err" >&2
        echo "FAILED: the server is not ready" >&2
        exit 1
    }
    mapfile -t ADDRESSES < <(sed -n 's/^ready //p' "$WORK/launch.out")
    ADDRESS=${ADDRESSES[0]}
    PORT=${ADDRESS##*:}
    URL="https://$ADDRESS"
}

# serve ARG…: a server on a free port of 127.0.0.1, ready.
serve() {
    launch --listen 127.0.0.1:0 "$@"
    wait_ready 1
}

# end_server SIGNAL: ends it; sets STATUS.
end_server() {
    kill "-$1" "$SERVER_PID"
    wait_until 60 has_ended "$SERVER_PID" || fail "the server does not end after SIG$1"
    STATUS=0
    wait "$SERVER_PID" || STATUS=$?
}

fetch() { # ARG…
    curl --silent --insecure --max-time 120 "$@"
}

stats() { # what the server says of itself now
    fetch "$URL/stats"
}

# stat_of SECTION NAME: one number of /stats.
stat_of() {
    stats | sed -n "s/.*\"$1\":{[^}]*\"$2\":\([0-9]*\).*/\1/p"
}

stat_is() { # SECTION NAME VALUE
    [ "$(stat_of "$1" "$2")" = "$3" ]
}

stats_match() { # PATTERN
    grep -qE -- "$1" <(stats)
}

# becomes NAME TEST ARG…: what is counted of a connection may come a moment after its client has seen the end of it, and from
# another thread than the one that answers.
becomes() {
    local name=$1
    shift
    wait_until 60 "$@" || fail "$name: not $*: $(stats)"
}

# tls ARG…: a handshake with openssl s_client that ends at once; its report is the output.
tls() {
    timeout 120 openssl s_client -connect "$ADDRESS" "$@" </dev/null 2>&1
}
