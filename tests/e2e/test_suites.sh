# Every suite that the library lists and a certificate kind fits is negotiated by the pair, and by openssl s_client against
# our server, and both name the same facts.
. "$(dirname "$0")/support.sh"

# What can be measured: all but pre-shared keys, SRP and anonymous suites.
openssl ciphers -v 'ALL:COMPLEMENTOFALL:@SECLEVEL=0' |
    awk '$4 !~ /Au=(None|PSK|SRP)/ && $3 !~ /Kx=(PSK|RSAPSK|DHEPSK|ECDHEPSK|SRP)/ {print $1}' | sort >"$WORK/listed"
[ "$(wc -l <"$WORK/listed")" -gt 50 ] || fail "openssl lists only $(wc -l <"$WORK/listed") suites"

start_server --threads 2
result "$ADDRESS" --suites all --measure handshake --rounds 1 --duration 10ms --warmup 1ms --connections 2

# A window of 10 ms may hold no handshake of a slow exchange and so give no rate: what counts here is confirmed.
json '.cases[] | select(.confirmed > 0 and .drifts == 0) | .suite' | sort -u >"$WORK/measured"
missing=$(comm -23 "$WORK/listed" "$WORK/measured" | tr '\n' ' ')
expect "suites that were not measured" "" "$missing"
unnamed=$(json '.cases[] | select(.status == "skipped" and ((.reason // "") == "")) | .id')
expect "skips without a reason" "" "$unnamed"

# One case of each suite once more, by OpenSSL's own client.
json '[.cases[] | select(.confirmed > 0)] | group_by(.suite)[] | .[0] |
    [.suite, .version, .certificate, .negotiated.certificate_type, .negotiated.group // ""] | join(" ")' |
    while read -r suite version certificate type group; do
        case $version in
        1.3) pin=(-tls1_3 -ciphersuites "$suite" -cipher 'DEFAULT:@SECLEVEL=0') ;;
        *) pin=(-tls1_2 -cipher "$suite:@SECLEVEL=0") ;;
        esac
        [ "$group" = x25519 ] && pin+=(-groups X25519:P-256)
        # The same choice of certificate that the pair pins.
        [ "$type" = RSA ] && [ "$version" = 1.3 ] && pin+=(-sigalgs rsa_pss_rsae_sha256)
        timeout 120 openssl s_client -connect "$ADDRESS" -servername "$certificate.suitemark.test" "${pin[@]}" \
            </dev/null >"$WORK/s_client" 2>/dev/null
        got=$(sed -n 's/^New, .*, Cipher is //p' "$WORK/s_client")
        [ "$got" = "$suite" ] || echo "$suite with $certificate: s_client got \"$got\""
        case $type in
        EC) want='id-ecPublicKey' ;;
        RSA) want='rsaEncryption' ;;
        DSA) want='dsaEncryption' ;;
        *) want=$type ;;
        esac
        sent=$(openssl x509 -in "$WORK/s_client" -noout -text 2>/dev/null | sed -n 's/ *Public Key Algorithm: //p')
        [ "$sent" = "$want" ] || echo "$suite: the certificate is \"$sent\", the pair saw $type"
        if [ "$group" = x25519 ]; then
            grep -Eq '(Server|Peer) Temp Key: X25519' "$WORK/s_client" || echo "$suite: s_client did not use x25519"
        fi
    done >"$WORK/differences"
expect "differences to s_client" "" "$(cat "$WORK/differences")"
