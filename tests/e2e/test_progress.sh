# On a terminal one line says how far the run is and what the window that runs gives just now; elsewhere there is none.
. "$(dirname "$0")/support.sh"
command -v script >/dev/null || skip "needs script(1)"
timeout 60 script -qec true /dev/null </dev/null >"$WORK/shown" 2>&1 || skip "no terminal here: $(cat "$WORK/shown")"

run="--certs ecdsa-p256 --suites TLS_AES_128_GCM_SHA256 --measure handshake --rounds 1 --duration 1500ms"
timeout 200 script -qec "stty cols 110; '$BIN/suitemark' $run" /dev/null </dev/null >"$WORK/shown" 2>&1
tr '\r' '\n' <"$WORK/shown" >"$WORK/lines"
grep -q '^round 1/1, .*now [0-9]*/s  handshake/1.3/' "$WORK/lines" || fail "no rate while the window runs: $(cat "$WORK/lines")"
grep -q '^round 1/1, .*last [0-9]*/s  handshake/1.3/' "$WORK/lines" || fail "no rate when it has ended"

"$BIN/suitemark" $run >"$WORK/shown" 2>&1
grep -q 'round 1/1' "$WORK/shown" && fail "a progress line in a pipe"
true
