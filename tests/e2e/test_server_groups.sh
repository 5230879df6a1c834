# A group that is named twice, once by another of its names, is one: OpenSSL 3.0 takes no list that names it again.
. "$(dirname "$0")/support.sh"
. "$(dirname "$0")/server_support.sh"

serve --certs ecdsa-p256 --groups p-256,x25519,prime256v1,X25519
check "the second is taken" grep -q ' Temp Key: X25519' <(tls -groups X25519)
check "the first is preferred" grep -q ' Temp Key: ECDH, \(prime256v1\|P-256\)' <(tls -groups P-256)
end_server TERM
