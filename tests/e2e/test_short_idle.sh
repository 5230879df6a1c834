# A server that ends idle connections sooner than a window does: the control connection is used often enough.
. "$(dirname "$0")/support.sh"

start_server --certs ecdsa-p256 --idle-timeout 3s
result "$ADDRESS" --rounds 1 --duration 7s --measure handshake --versions 1.3 --certs ecdsa-p256
expect "short idle timeout" '0 measured server' "$STATUS $(json '.cases[0] | "\(.status) \(.confirmed_by)"')"
expect "short idle timeout: note" null "$(json '.cases[0].note')"
