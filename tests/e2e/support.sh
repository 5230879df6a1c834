# Shared by the end-to-end tests: source it with the build folder as $1. Starts servers on free ports, waits for lines and
# never for a time, and ends what it started.
set -uo pipefail
exec </dev/null # where it is closed, its number would be a socket's, which some programs take for none

BIN=${1:?usage: test_NAME.sh BUILD_DIR}
WORK=$(mktemp -d)
FAILURES=0

finish() {
    local status=$?
    # Those of this shell that still run: an old number may be another's by now.
    for pid in $(jobs -pr); do
        kill "$pid" 2>/dev/null
        kill -CONT "$pid" 2>/dev/null
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
    local word=""
    read -r -t 200 word ADDRESS <"$out" || true
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
    timeout 400 "$BIN/suitemark" --format json --output "$WORK/result.json" "$@" >"$WORK/said" 2>&1 || STATUS=$?
}

json() { # FILTER: of the last result, raw
    jq -r "$1" "$WORK/result.json"
}

expect() { # NAME WANTED GOT
    [ "$2" = "$3" ] || fail "$1: wanted \"$2\", got \"$3\""
}

# wait_until SECONDS COMMAND…: tries until the command succeeds. What is bounded is the number of tries: a machine that is
# slow, or whose clock is set meanwhile, has more time for them and not less.
wait_until() {
    local tries=$(($1 * 20))
    shift
    until "$@"; do
        [ $((tries -= 1)) -gt 0 ] || return 1
        sleep 0.05
    done
}

# has_ended PID: also where nobody has asked for its status yet, which for the child of a killed process may be never.
has_ended() {
    ! kill -0 "$1" 2>/dev/null || grep -qs '^State:[[:space:]]*[ZX]' "/proc/$1/status"
}

has_descriptor() { # PID PATTERN: of what its link in /proc says, for find(1)
    [ -n "$(find "/proc/$1/fd" -lname "$2" 2>/dev/null)" ]
}

takes_signals() { # PID: it is no shell any more, and reads them from a descriptor, so that none can be lost
    grep -qsx suitemark "/proc/$1/comm" && has_descriptor "$1" 'anon_inode:\[signalfd\]'
}

# listens PID PORT: somebody listens there, and it is this process, where /proc tells.
listens() {
    local hex inode
    hex=$(printf ':%04X' "$2")
    if ! [ -r /proc/net/tcp ]; then
        (exec 7<>"/dev/tcp/127.0.0.1/$2") 2>/dev/null
        return
    fi
    for inode in $(cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | awk -v port="$hex$" '$4 == "0A" && $2 ~ port { print $10 }'); do
        has_descriptor "$1" "socket:\\[$inode\\]" && return
    done
    return 1
}

listens_or_ended() { # PID PORT
    has_ended "$1" || listens "$1" "$2"
}
