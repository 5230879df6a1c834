# Every certificate kind by SNI, with every protocol version and the rarer suites, as openssl s_client sees it.
. "$(dirname "$0")/support.sh" "$1"
. "$(dirname "$0")/server_support.sh"

serve --cert-dir "$WORK/certs"

# negotiates KIND VERSION SUITE: exactly this, with that kind's key, its chain and name verified.
negotiates() {
    local kind=$1 version=$2 suite=$3 report
    local suites=(-cipher "$suite:@SECLEVEL=0")
    [ "$version" = tls1_3 ] && suites=(-ciphersuites "$suite" -cipher ALL:@SECLEVEL=0)
    report=$(tls "-$version" "${suites[@]}" -servername "$kind.suitemark.test" -CAfile "$WORK/certs/root.crt" \
        -verify_return_error -verify_hostname "$kind.suitemark.test")
    grep -q "Cipher is $suite\$" <<<"$report" && grep -q "Verify return code: 0 (ok)" <<<"$report" || {
        fail "$kind $version $suite: $(grep -m1 -E 'error|Cipher is|Verify' <<<"$report")"
        return
    }
    grep -q "$kind" <<<"$(sed -n '/^Server certificate/,/^issuer/p' <<<"$report" | openssl x509 -noout -ext subjectAltName 2>/dev/null)" ||
        fail "$kind $version: another certificate"
}

served=$(stats | sed 's/.*"configuration":{"certificates":\[\([^]]*\)\].*/\1/; s/[",]/ /g')
for kind in $served; do
    case $kind in
    rsa-pss-*) suites="tls1_2:ECDHE-RSA-AES128-GCM-SHA256 tls1_2:DHE-RSA-AES128-CCM8" ;;
    rsa-*) suites="tls1:ECDHE-RSA-AES128-SHA tls1:AES128-SHA tls1_1:DHE-RSA-AES256-SHA tls1_2:AES128-CCM8
        tls1_2:DHE-RSA-AES256-CCM8 tls1_2:DHE-RSA-AES128-GCM-SHA256 tls1_2:ECDHE-RSA-CHACHA20-POLY1305
        tls1_2:ECDHE-ARIA256-GCM-SHA384 tls1_2:CAMELLIA128-SHA256 tls1_2:NULL-SHA256" ;;
    ecdsa-*) suites="tls1:ECDHE-ECDSA-AES128-SHA tls1_1:ECDHE-ECDSA-AES256-SHA tls1_2:ECDHE-ECDSA-AES128-CCM8
        tls1_2:ECDHE-ECDSA-CAMELLIA128-SHA256" ;;
    ed*) suites="tls1_2:ECDHE-ECDSA-AES128-CCM8 tls1_2:ECDHE-ECDSA-CHACHA20-POLY1305" ;;
    dsa-*) suites="tls1:DHE-DSS-AES128-SHA tls1_2:DHE-DSS-AES128-GCM-SHA256" ;;
    *) suites="" ;;
    esac
    for row in $suites; do
        negotiates "$kind" "${row%%:*}" "${row#*:}"
    done
    case $kind in
    dsa-*) ;;
    *) for suite in TLS_AES_128_GCM_SHA256 TLS_AES_256_GCM_SHA384 TLS_CHACHA20_POLY1305_SHA256 TLS_AES_128_CCM_SHA256 \
        TLS_AES_128_CCM_8_SHA256; do
        negotiates "$kind" tls1_3 "$suite"
    done ;;
    esac
done
check "kinds are served" [ "$(wc -w <<<"$served")" -ge 9 ]
expect "failed handshakes" 0 "$(stat_of handshakes failed)"

# What the server is not given by SNI comes from the base: RSA, ECDSA and Ed25519 by the client's choice.
for row in rsa_pss_rsae_sha256:rsa-2048 ecdsa_secp256r1_sha256:ecdsa-p256 ed25519:ed25519; do
    check "base: $row" grep -q "DNS:${row#*:}.suitemark.test" <(tls -tls1_3 -sigalgs "${row%%:*}" |
        openssl x509 -noout -ext subjectAltName 2>/dev/null)
done

# Nothing anonymous, however much the client offers.
check "no anonymous suite" grep -q 'Cipher is (NONE)' <(tls -tls1_2 -cipher 'ALL:aNULL:@SECLEVEL=0' -sigalgs ed25519 \
    -servername rsa-pss-2048.suitemark.test -curves X25519)

# Groups.
for group in X25519 P-256 P-384 P-521 X448 ffdhe2048 ffdhe3072; do
    check "group $group" grep -q 'Cipher is TLS' <(tls -tls1_3 -groups "$group")
done
end_server TERM
expect "exit" 0 "$STATUS"

# Configured as a production server would be.
serve --certs rsa-2048,ecdsa-p256 --versions 1.2,1.3 --ciphers ECDHE-RSA-AES256-GCM-SHA384:ECDHE-RSA-AES128-GCM-SHA256 \
    --ciphersuites TLS_AES_256_GCM_SHA384 --groups p-256,secp384r1 --prefer-server --security-level 2 --ssl-conf Options=-SessionTicket
check "no TLS 1.1" grep -q 'Cipher is (NONE)' <(tls -tls1_1 -cipher 'ALL:@SECLEVEL=0')
check "the server's order" grep -q 'Cipher is ECDHE-RSA-AES256-GCM-SHA384' \
    <(tls -tls1_2 -cipher ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384)
check "the TLS 1.3 suite" grep -q 'Cipher is (NONE)' <(tls -tls1_3 -ciphersuites TLS_AES_128_GCM_SHA256)
check "the group" grep -q ' Temp Key: ECDH, \(prime256v1\|P-256\)' <(tls -tls1_3)
check "no other group" grep -q 'Cipher is (NONE)' <(tls -tls1_3 -groups X25519)
end_server TERM

# Resumption: by tickets from any thread, by the shared cache, and not at all when nothing is asked for.
resumes() { # NAME WANTED ARG…
    local name=$1 wanted=$2 reused=0
    shift 2
    printf 'GET /bytes/1 HTTP/1.0\r\n\r\n' |
        timeout 120 openssl s_client -connect "$ADDRESS" -ign_eof -sess_out "$WORK/session" "$@" >/dev/null 2>&1
    for _ in 1 2 3 4 5 6; do # new ports, so other threads
        tls -sess_in "$WORK/session" "$@" | grep '^Reused' >/dev/null && reused=$((reused + 1))
    done
    rm -f "$WORK/session"
    expect "$name" "$wanted" "$reused"
}
serve --certs ecdsa-p256 --threads 2 --tickets 2
resumes "TLS 1.2 ticket" 6 -tls1_2
resumes "TLS 1.3 ticket" 6 -tls1_3
resumed_at_least() {
    [ "$(stat_of handshakes resumed)" -ge "$1" ]
}
becomes "resumed handshakes are counted" resumed_at_least 12
end_server TERM
serve --certs ecdsa-p256 --threads 2 --session-cache
resumes "session cache" 6 -tls1_2
end_server TERM
serve --certs ecdsa-p256 --threads 2
resumes "neither in TLS 1.2" 0 -tls1_2
resumes "neither in TLS 1.3" 0 -tls1_3
end_server TERM

# Parameters of one's own.
openssl dhparam -dsaparam -out "$WORK/dh.pem" 1024 2>/dev/null
serve --certs rsa-2048 --dhparam "$WORK/dh.pem"
check "own DH parameters" grep -q ' Temp Key: DH, 1024 bits' \
    <(tls -tls1_2 -cipher 'DHE-RSA-AES128-GCM-SHA256:@SECLEVEL=0')
end_server TERM

# A client certificate is required, and one of another authority is not enough.
"$BIN/suitemark-certs" "$WORK/other" --kinds ecdsa-p256 >/dev/null 2>&1 || fail "suitemark-certs"
serve --certs ecdsa-p256 --client-ca "$WORK/certs/root.crt"
mine=(--cert "$WORK/certs/ecdsa-p256.pem" --key "$WORK/certs/ecdsa-p256.key")
expect "with a certificate" 200 "$(fetch "${mine[@]}" -o /dev/null -w '%{http_code}' "$URL/")"
expect "without one" 000 "$(fetch -o /dev/null -w '%{http_code}' "$URL/")"
expect "with another's" 000 "$(fetch --cert "$WORK/other/ecdsa-p256.pem" --key "$WORK/other/ecdsa-p256.key" -o /dev/null \
    -w '%{http_code}' "$URL/")"
two_failed() {
    fetch "${mine[@]}" "$URL/stats" >"$WORK/stats"
    grep -q '"failed":2' "$WORK/stats"
}
wait_until 60 two_failed || fail "two failures are not counted: $(cat "$WORK/stats")"
check "/stats says that one is required" grep -q '"client_certificate_required":true' "$WORK/stats"
end_server TERM

# A user's own pairs: two of one type are told apart by name.
own=(--cert "$WORK/certs/rsa-2048.crt" --key "$WORK/certs/rsa-2048.key")
own+=(--cert "$WORK/certs/rsa-4096.crt" --key "$WORK/certs/rsa-4096.key")
serve "${own[@]}"
check "the first without a name" grep -q 'Server public key is 2048 bit' <(tls -noservername)
check "the first by name" grep -q 'Server public key is 2048 bit' <(tls -servername rsa-2048.suitemark.test)
check "the second by name" grep -q 'Server public key is 4096 bit' <(tls -servername rsa-4096.suitemark.test)
end_server TERM
