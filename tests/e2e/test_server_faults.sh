# Clients that vanish, stall or flood, limits, and how the server ends: it always goes on serving, and nothing is lost.
. "$(dirname "$0")/support.sh" "$1"
. "$(dirname "$0")/server_support.sh"

# send TEXT_WITH_ESCAPES: on $socket at once; printf itself writes line by line, and may find the connection closed on the way.
send() {
    printf '%b' "$1" >"$WORK/sent"
    cat "$WORK/sent" >&"$socket"
}

still_serves() { # WHEN
    expect "serves after $1" 200 "$(fetch -o /dev/null -w '%{http_code}' "$URL/bytes/100")"
}

open_is() { # COUNT: connections open, the asking one apart
    stat_is connections open $(($1 + 1))
}

serve --certs rsa-2048,ecdsa-p256 --threads 2

# A ClientHello as escapes for printf, from openssl's own report of what it sends.
hello=$(tls -msg -tls1_3 | sed -n '/^>>>.*RecordHeader/,/^<<</p' | grep -E '^ +[0-9a-f][0-9a-f]( |$)' | head -40 | tr -d ' \n')
length=$((5 + 16#${hello:6:4})) # the first record's
hello=$(sed 's/../\\x&/g' <<<"${hello:0:$((length * 2))}")
check "a ClientHello of $length bytes was caught" [ "${hello:0:8}" = '\x16\x03' ]

for count in 0 1 3 5 6 9 43 100 150 $((length - 1)) $length; do
    exec {socket}<>"/dev/tcp/127.0.0.1/$PORT"
    send "${hello:0:$((count * 4))}"
    exec {socket}>&-
done
still_serves "clients that vanished in their first flight"
becomes "failed handshakes" stat_is handshakes failed 11
becomes "vanished clients are closed" open_is 0

# Plain HTTP.
exec {socket}<>"/dev/tcp/127.0.0.1/$PORT"
send 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
check "the connection is closed" timeout 60 cat <&"$socket"
exec {socket}>&-
becomes "plain HTTP" stats_match '"peer does not speak TLS":1'

# Killed after the handshake, in a download, in an upload.
mkfifo "$WORK/idle"
openssl s_client -connect "$ADDRESS" <"$WORK/idle" >/dev/null 2>&1 &
idle=$!
exec 8>"$WORK/idle"
becomes "the idle client is seen" open_is 1
kill -9 "$idle"
wait "$idle" 2>/dev/null
exec 8>&-
becomes "a killed client is closed" open_is 0
fetch "$URL/bytes/1000000000000" | head -c 100000 >/dev/null
becomes "a stopped download" stats_match '"client stopped":1'
becomes "a stopped download is closed" open_is 0
mkfifo "$WORK/body"
curl --silent --insecure -T - "$URL/sink" <"$WORK/body" &
upload=$!
exec 8>"$WORK/body"
head -c 300000 /dev/zero >&8 &
has_received() {
    [ "$(stat_of payload in)" -gt 0 ]
}
becomes "the upload begins" has_received
kill -9 "$upload"
wait "$upload" 2>/dev/null
exec 8>&-
becomes "a stopped upload" stats_match '"client stopped":2'
becomes "a stopped upload is closed" open_is 0
still_serves "killed clients"
end_server TERM
expect "exit" 0 "$STATUS"

# Half-open handshakes end by their timeout, unfinished heads and idle connections by theirs.
serve --certs ecdsa-p256 --threads 1 --handshake-timeout 3s --idle-timeout 1s
exec {socket}<>"/dev/tcp/127.0.0.1/$PORT"
check "closed by the handshake timeout" timeout 60 cat <&"$socket"
exec {socket}>&-
mkfifo "$WORK/part"
timeout 120 openssl s_client -connect "$ADDRESS" -quiet <"$WORK/part" >/dev/null 2>&1 &
part=$!
exec 8>"$WORK/part"
printf 'GET / HT' >&8
wait_until 60 has_ended "$part" || fail "an unfinished head is not timed out"
exec 8>&-
becomes "timeouts" stats_match '"handshake timeout":1.*"idle timeout":1'
end_server TERM

# More connections than allowed.
serve --certs ecdsa-p256 --threads 2 --max-connections 3
sockets=()
server_sockets() {
    find "/proc/$SERVER_PID/fd" -lname 'socket:*' | wc -l
}
before=$(server_sockets)
has_accepted() { # COUNT: each by the thread that it fell to
    [ $(($(server_sockets) - before)) -ge "$1" ]
}
for _ in 1 2 3; do
    exec {socket}<>"/dev/tcp/127.0.0.1/$PORT"
    sockets+=("$socket")
done
wait_until 60 has_accepted 3 || fail "three connections are not accepted"
expect "one too many" 000 "$(fetch -o /dev/null -w '%{http_code}' "$URL/")"
for socket in "${sockets[@]}"; do
    exec {socket}>&-
done
becomes "connections are given back" open_is 0
check "refused ones are counted" [ "$(stat_of connections refused)" -ge 1 ]
end_server TERM

# Without descriptors accepting pauses: it neither spins nor forgets to go on. Whoever comes last has to wait until the first
# of those that stall has timed out.
cpu_ticks() { # of the server
    sed 's/.*) //' "/proc/$SERVER_PID/stat" | { read -ra fields && echo $((fields[11] + fields[12])); }
}
: >"$WORK/launch.out"
(ulimit -n 40 && exec "$BIN/suitemark-server" --listen 127.0.0.1:0 --certs ecdsa-p256 --threads 1 --handshake-timeout 3s) \
    </dev/null >"$WORK/launch.out" 2>"$WORK/launch.err" &
SERVER_PID=$!
wait_ready 1
uptime_ms() { # on a clock that nobody sets
    awk '{ printf "%d", $1 * 1000 }' /proc/uptime
}
sockets=()
begun=$(uptime_ms) ticks=$(cpu_ticks)
for _ in $(seq 60); do
    exec {socket}<>"/dev/tcp/127.0.0.1/$PORT"
    sockets+=("$socket")
done
expect "serves when the stalled ones have timed out" 200 "$(fetch -o /dev/null -w '%{http_code}' "$URL/")"
elapsed_ms=$(($(uptime_ms) - begun)) busy_ms=$((($(cpu_ticks) - ticks) * 1000 / $(getconf CLK_TCK)))
check "it had to wait: $elapsed_ms ms" [ "$elapsed_ms" -ge 2900 ]
check "it does not spin: $busy_ms ms of $elapsed_ms ms" [ "$busy_ms" -lt $((elapsed_ms / 3)) ]
for socket in "${sockets[@]}"; do
    exec {socket}>&-
done
end_server TERM
expect "exit" 0 "$STATUS"

# SIGTERM: what is in flight ends whole, idle connections end at once, and nobody else is let in.
serve --certs ecdsa-p256 --threads 2
mkfifo "$WORK/quiet"
openssl s_client -connect "$ADDRESS" <"$WORK/quiet" >/dev/null 2>&1 &
quiet=$!
exec 8>"$WORK/quiet"
becomes "the quiet client is seen" open_is 1
fetch --limit-rate 5M "$URL/bytes/10000000" >"$WORK/download" & # within the server's 10 s
download=$!
wait_until 60 test -s "$WORK/download" || fail "the download does not begin"
kill -TERM "$SERVER_PID"
refuses() {
    ! (exec 7<>"/dev/tcp/127.0.0.1/$PORT") 2>/dev/null
}
wait_until 60 refuses || fail "connections are still accepted"
wait_until 60 has_ended "$quiet" || fail "the idle connection is not closed"
exec 8>&-
check "the download ends well" wait "$download"
expect "the download is whole" 10000000 "$(wc -c <"$WORK/download")"
wait_until 60 has_ended "$SERVER_PID" || fail "the server does not end"
STATUS=0
wait "$SERVER_PID" || STATUS=$?
expect "exit" 0 "$STATUS"

# SIGINT twice: a client that never reads on does not keep the server.
serve --certs ecdsa-p256 --threads 1
mkfifo "$WORK/stuck"
{
    printf 'GET /bytes/1000000000 HTTP/1.1\r\nHost: a\r\n\r\n'
    exec cat "$WORK/quiet"
} | openssl s_client -connect "$ADDRESS" -quiet >"$WORK/stuck" 2>/dev/null &
exec 7<"$WORK/stuck" 8<>"$WORK/quiet"
is_sending() {
    [ "$(stat_of payload out)" -gt 0 ]
}
becomes "the stuck download begins" is_sending
kill -INT "$SERVER_PID"
wait_until 60 refuses || fail "connections are still accepted"
check "it waits for the one in flight" kill -0 "$SERVER_PID"
end_server INT
expect "exit after the second signal" 1 "$STATUS"
exec 7<&- 8<&-
