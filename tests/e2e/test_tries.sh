# What people try first, each with its right answer.
. "$(dirname "$0")/support.sh"

quick=(--rounds 1 --duration 500ms --warmup 10ms)

# says STATUS TEXT ARG…: exit status and a text in what is printed.
says() {
    local wanted=$1 text=$2 status=0
    shift 2
    timeout 200 "$BIN/suitemark" "$@" >"$WORK/said" 2>&1 || status=$?
    expect "$* (status)" "$wanted" "$status"
    grep -qF -- "$text" "$WORK/said" || fail "$*: \"$text\" is not in: $(cat "$WORK/said")"
}

# measures FILTER VALUE ARG…: exit 0, and the result says so.
measures() {
    local filter=$1 value=$2
    shift 2
    result "${quick[@]}" "$@"
    expect "$* (status)" 0 "$STATUS"
    expect "$*: $filter" "$value" "$(json "$filter")"
}

says 2 'ECDHE-RSA-AES128-GCM-SHA256' --suites ECDHE-RSA-AES128-GCM-SHA265
measures '[.cases[].suite] | unique | join(" ")' 'ECDHE-RSA-AES128-GCM-SHA256 TLS_AES_128_GCM_SHA256' \
    --suites TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,tls_aes_128_gcm_sha256 --measure handshake
says 1 'needs an RSA certificate' "${quick[@]}" --suites ECDHE-RSA-AES128-GCM-SHA256 --certs ecdsa-p256
says 1 'RSA-PSS' "${quick[@]}" --suites AES128-GCM-SHA256 --certs rsa-pss-2048
measures '.cases[0].negotiated | .version + " " + .certificate_type' '1.2 ED25519' \
    --suites ECDHE-ECDSA-AES128-GCM-SHA256 --certs ed25519 --measure handshake
measures '.cases[0].negotiated | .version + " " + .group' '1.2 x25519' \
    --certs ecdsa-p521 --groups x25519 --versions 1.2 --measure handshake
measures '.cases[0].status + " " + .cases[0].negotiated.suite' 'measured ECDHE-ECDSA-AES128-CCM8' \
    --suites ECDHE-ECDSA-AES128-CCM8 --measure bulk
measures '.cases[0].negotiated | .version + " " + .suite' '1.0 ECDHE-RSA-AES128-SHA' \
    --versions 1.0 --suites ECDHE-RSA-AES128-SHA --measure handshake
says 1 'not in this library' --suites RC4-SHA
says 2 '99999' localhost:99999
says 2 'empty host' :abc
says 2 'target is empty' ''
measures '.cases[0].connections' 15 --connections 15 --threads 8 --measure handshake --certs ecdsa-p256 --versions 1.3
for duration in 0 -5 abc 1e9; do
    says 2 '10ms to 1h' --duration "$duration"
done
says 2 '1 to 100000' --connections 0
says 2 'unknown option' --conections 3
says 2 '--baseline' --baseline nosuch
says 2 "$WORK/none" --output "$WORK/none/result.json"
says 1 'connect refused' "${quick[@]}" 127.0.0.1:1
says 2 '--pin' --pin 4000
says 2 '--confirm' --close rst --confirm close
