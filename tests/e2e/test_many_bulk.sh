# Several bulk connections on one client thread, which is the slower end: each has its turns, and the run its end.
. "$(dirname "$0")/support.sh"

result --suites ECDHE-ECDSA-CAMELLIA128-SHA256 --certs ecdsa-p256 --versions 1.2 --measure bulk --direction both \
    --threads 1 --connections 8 --rounds 2 --duration 500ms
expect "statuses" '0 measured' "$STATUS $(json '[.cases[].status] | unique | join(" ")')"
expect "each connection moved something" true "$(json '[.cases[] | .completed == .attempted and .attempted >= 16] | all')"
# Ramps that wait for a connection without a turn are given up after 26 s each.
check "no ramp was given up" [ "$(json '.parameters.duration_s | floor')" -lt 52 ]
