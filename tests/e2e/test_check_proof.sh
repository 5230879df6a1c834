# Wide lists, several certificates, odd versions: every expectation of `suitemark check` is held against a handshake with
# the embedded server, and nothing may surprise.
. "$(dirname "$0")/support.sh"
. "$(dirname "$0")/check_support.sh"
command -v jq >/dev/null || skip "jq is not installed"
openssl dhparam -dsaparam -out "$WORK/dh1024.pem" 1024 2>/dev/null

# proves NAME LEAST ARG…: so many handshakes at least, and no surprise
proves() {
    local name=$1 least=$2 status=0
    shift 2
    timeout 300 "$BIN/suitemark" check --time 2s --format json "$@" >"$WORK/check.json" 2>"$WORK/said" || status=$?
    [ "$status" -le 1 ] || fail "$name: status $status: $(cat "$WORK/said")"
    expect "$name: surprises" "" "$(jq -r '.findings[] | select(.kind == "surprise") | .word + ": " + .text' "$WORK/check.json")"
    jq -e --argjson least "$least" '.subjects[0].proof | .tried >= $least and .negotiated > 0 and .refused > 0' \
        "$WORK/check.json" >/dev/null || fail "$name: proof is $(jq -c '.subjects[0].proof' "$WORK/check.json")"
}

proves "four certificates" 10 'ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-GCM-SHA256:AES128-GCM-SHA256' \
    --tls13 TLS_AES_128_GCM_SHA256 --certs rsa-2048,rsa-pss-2048,ecdsa-p521,ed25519
proves "a gap between the versions" 20 'ECDHE-ECDSA-AES128-SHA:AES128-SHA:AECDH-AES128-SHA:NULL-SHA:@SECLEVEL=0' --versions 1.0,1.2 \
    --certs rsa-2048,ecdsa-p256,ed448
proves "small DH parameters" 5 'DHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:@SECLEVEL=1' --versions 1.2 --dhparam "$WORK/dh1024.pem" --groups X448:P-384
proves "no DH parameters" 5 'DHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256' --versions 1.2 --dhparam none --prefer-server
proves "level 3" 5 'ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-SHA:AES128-SHA:@SECLEVEL=3' --versions 1.2 --certs ecdsa-p384 --groups P-384:P-256:ffdhe2048
