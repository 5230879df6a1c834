# Shared by the end-to-end tests: source it with the build folder as $1. Starts servers on free ports, waits for lines and
# never for a time, and ends what it started.
set -uo pipefail

BIN=${1:?usage: test_NAME.sh BUILD_DIR}
WORK=$(mktemp -d)
PIDS=()
FAILURES=0

finish() {
    local status=$?
    for pid in "${PIDS[@]:-}"; do
        [ -n "$pid" ] && kill "$pid" 2>/dev/null
    done
    wait 2>/dev/null
    rm -rf "$WORK"
    [ "$status" -ne 0 ] && exit "$status"
    [ "$FAILURES" -eq 0 ] || exit 1
}
trap finish EXIT

fail() { # TEXT…: counts a failure and goes on
    echo "FAILED: $*" >&2
    FAILURES=$((FAILURES + 1))
}

skip() { # REASON: the whole test cannot run here
    echo "skipped: $*"
    exit 77
}

check() { # NAME COMMAND…: the command succeeds
    local name=$1
    shift
    "$@" || fail "$name: $*"
}

# start_server ARG…: a suitemark-server on a free port; sets SERVER_PID, ADDRESS and PORT.
start_server() {
    local out="$WORK/server.$RANDOM.out"
    mkfifo "$out"
    "$BIN/suitemark-server" --listen 127.0.0.1:0 "$@" >"$out" 2>"$WORK/server.err" &
    SERVER_PID=$!
    PIDS+=("$SERVER_PID")
    local word=""
    read -r -t 60 word ADDRESS <"$out" || true
    [ "$word" = ready ] || {
        cat "$WORK/server.err" >&2
        echo "FAILED: the server is not ready" >&2
        exit 1
    }
    PORT=${ADDRESS##*:}
}

# result ARG…: runs suitemark with JSON into $WORK/result.json; sets STATUS. What it says goes to $WORK/said.
result() {
    STATUS=0
    timeout 120 "$BIN/suitemark" --format json --output "$WORK/result.json" "$@" >"$WORK/said" 2>&1 || STATUS=$?
}

json() { # FILTER: of the last result, raw
    jq -r "$1" "$WORK/result.json"
}

expect() { # NAME WANTED GOT
    [ "$2" = "$3" ] || fail "$1: wanted \"$2\", got \"$3\""
}

takes_signals() { # PID: it is no shell any more, and SIGINT is blocked, since it has a descriptor for it
    grep -qsx suitemark "/proc/$1/comm" && grep -qs '^SigBlk:.*[2367abef]$' "/proc/$1/status"
}
