# Wrong input is one clear line, exit 2, and no socket; several addresses; the embedded server's way to end.
. "$(dirname "$0")/support.sh" "$1"
. "$(dirname "$0")/server_support.sh"

refused() { # PART_OF_THE_REASON ARG…
    local part=$1 status=0
    shift
    timeout 120 "$BIN/suitemark-server" "$@" >"$WORK/out" 2>"$WORK/err" </dev/null || status=$?
    expect "$* exits" 2 "$status"
    expect "$* says one line" 1 "$(wc -l <"$WORK/err")"
    expect "$* is not ready" 0 "$(wc -c <"$WORK/out")"
    grep -qF -- "$part" "$WORK/err" || fail "$*: wanted \"$part\", got \"$(cat "$WORK/err")\""
}
refused "takes options only" 4433
refused "did you mean --listen" --lisen 127.0.0.1:0
refused "no port" --listen 127.0.0.1
refused "between 0 and 65535" --listen 127.0.0.1:99999
refused "names no host" --listen :4433
refused "[v6]:port" --listen ::1:4433
refused "allowed: 1 to 256" --threads 0
refused "--pin" --pin 9999
refused "did you mean ecdsa-p256" --certs ecdsa-p265
refused "1.4" --versions 1.4
refused "TLS 1.2 is left out" --versions 1.1,1.3
refused "--ciphers: " --ciphers NO-SUCH-SUITE
refused "NO-SUCH-SUITE" --ciphers NO-SUCH-SUITE:AES128-SHA
refused "--ciphersuites: TLS 1.3 suites TLS_NO" --ciphersuites TLS_NO
refused "--groups: nogroup is" --groups nogroup
refused "--sigalgs: nosigalg is" --sigalgs nosigalg
refused "--dhparam" --dhparam /nonexistent
refused "--client-ca" --client-ca /dev/null
refused '--ssl-conf: "NoSuchCommand=1"' --ssl-conf NoSuchCommand=1
refused "each --cert needs its --key" --cert /dev/null
refused "/nonexistent" --cert /nonexistent --key /nonexistent
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -passout pass:open -keyout "$WORK/locked.key" -days 2 \
    -subj /CN=localhost -out "$WORK/locked.crt" 2>"$WORK/err" || fail "openssl req: $(cat "$WORK/err")"
refused "--key-pass-file" --cert "$WORK/locked.crt" --key "$WORK/locked.key"
refused "0 to 5" --security-level 6

check "--help" grep -q -- '--handshake-timeout TIME' <("$BIN/suitemark-server" --help)
check "--version" grep -q '^suitemark-server [0-9]' <("$BIN/suitemark-server" --version)

# An address that is taken is refused although the servers use SO_REUSEPORT.
serve --certs ecdsa-p256
status=0
timeout 120 "$BIN/suitemark-server" --certs ecdsa-p256 --listen "$ADDRESS" >/dev/null 2>"$WORK/err" </dev/null || status=$?
expect "a taken address exits" 1 "$status"
check "a taken address is named" grep -q "$ADDRESS: Address already in use" "$WORK/err"
end_server TERM

# Several addresses, a line for each.
if grep -q '^00000000000000000000000000000001 ' /proc/net/if_inet6 2>/dev/null; then
    launch --listen 127.0.0.1:0 --listen '[::1]:0' --certs ecdsa-p256 --threads 2
    wait_ready 2
    expect "addresses" 2 "${#ADDRESSES[@]}"
    check "the second is v6" grep -q '^\[::1\]:[0-9]*$' <<<"${ADDRESSES[1]}"
    for address in "${ADDRESSES[@]}"; do
        expect "served on $address" 200 "$(fetch -o /dev/null -w '%{http_code}' "https://$address/")"
    done
    end_server INT
    expect "exit" 0 "$STATUS"
fi

# Ready in under a second with RSA-2048 and the EC and Ed kinds, as the sum of its own CPU time and a generous bound say.
serve --certs rsa-2048,ecdsa-p256,ecdsa-p384,ecdsa-p521,ed25519,ed448
expect "no slow key" 0 "$(wc -l <"$WORK/launch.err")"
end_server TERM

# Slow keys are told on standard error.
serve --certs rsa-3072
check "progress" grep -q '^making the rsa-3072 key' "$WORK/launch.err"
end_server TERM

# The embedded server ends with its standard input, and not before.
mkfifo "$WORK/input"
LAUNCH_INPUT="$WORK/input" launch --listen 127.0.0.1:0 --certs ecdsa-p256 --exit-with-stdin
exec 9>"$WORK/input"
wait_ready 1
expect "serves" 200 "$(fetch -o /dev/null -w '%{http_code}' "$URL/")"
exec 9>&-
wait_until 60 has_ended "$SERVER_PID" || fail "the server does not end with its input"
status=0
wait "$SERVER_PID" || status=$?
expect "exit" 0 "$status"
launch --listen 127.0.0.1:0 --certs ecdsa-p256 --exit-with-stdin # from /dev/null
wait_until 60 has_ended "$SERVER_PID" || fail "the server does not end without an input"
