# Standard streams that are closed, or that nobody reads: the result is not lost without a word.
. "$(dirname "$0")/support.sh"

one=(--rounds 1 --duration 200ms --warmup 20ms --measure handshake --versions 1.3 --certs ecdsa-p256)

# Closed from the start: no file and no socket takes the number, where the result would go without an error.
status=0
timeout 200 "$BIN/suitemark" "${one[@]}" <&- >&- 2>"$WORK/said" || status=$?
expect "closed output (status)" 1 "$status"
expect "closed output" 'suitemark: standard output: Bad file descriptor' "$(cat "$WORK/said")"

status=0
timeout 200 "$BIN/suitemark" "${one[@]}" --format json --output "$WORK/result.json" <&- >&- 2>&- || status=$?
expect "all closed (status)" 1 "$status"
expect "all closed: the file" measured "$(json '.cases[0].status')"

status=0
"$BIN/suitemark-certs" --kinds ecdsa-p256 "$WORK/certs" <&- >&- 2>"$WORK/said" || status=$?
expect "certificates, closed output (status)" 1 "$status"
expect "certificates, closed output" 1 "$(wc -l <"$WORK/said")"

# A text that nobody got is no success.
for option in --help --version --dry-run --list=groups; do
    status=0
    "$BIN/suitemark" "$option" >/dev/full 2>"$WORK/said" || status=$?
    expect "$option on a full disk (status)" 1 "$status"
    expect "$option on a full disk" 'suitemark: standard output: No space left on device' "$(cat "$WORK/said")"
done
for question in "evp --help" "evp --list" "evp --dry-run" "check --help"; do
    status=0
    read -ra words <<<"$question"
    "$BIN/suitemark" "${words[@]}" >/dev/full 2>"$WORK/said" || status=$?
    expect "$question on a full disk (status)" 1 "$status"
    expect "$question on a full disk" 'suitemark: standard output: No space left on device' "$(cat "$WORK/said")"
done
for program in suitemark-server suitemark-certs; do
    for option in --help --version; do
        status=0
        "$BIN/$program" "$option" >/dev/full 2>"$WORK/said" || status=$?
        expect "$program $option on a full disk (status)" 1 "$status"
        expect "$program $option on a full disk" "$program: standard output: No space left on device" "$(cat "$WORK/said")"
    done
done
true
