# A signal while the embedded server still makes its keys: nobody waits for them.
. "$(dirname "$0")/support.sh"

"$BIN/suitemark" --certs all --measure handshake --cert-dir "$WORK/certs" >"$WORK/said" 2>&1 &
client=$!
PIDS+=("$client")

# The folder is made once the server has taken its standard input, and before the first key.
deadline=$((SECONDS + 60))
until [ -d "$WORK/certs" ]; do
    [ "$SECONDS" -lt "$deadline" ] || {
        fail "the server does not begin: $(cat "$WORK/said")"
        exit
    }
    read -r -t 0.01 <> <(:) || true
done
kill -INT "$client"
status=0
wait "$client" || status=$?
expect "status" 3 "$status"
expect "what is said" 'suitemark: interrupted' "$(cat "$WORK/said")"
made=$(find "$WORK/certs" -name '*.key' ! -name 'issuer-*' | wc -l)
expect "keys that were waited for" 0 "$made"
