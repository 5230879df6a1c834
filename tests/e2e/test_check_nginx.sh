# What `suitemark check --nginx` says of a configuration is what nginx does with it: for each row below the very same file
# is given to both, and the suites that nginx negotiates, asked by openssl s_client and by sslscan, are exactly the usable
# ones; and where nginx refuses to start, check says so.
. "$(dirname "$0")/support.sh"
. "$(dirname "$0")/check_support.sh"
for program in nginx openssl jq; do
    command -v "$program" >/dev/null || skip "$program is not installed"
done

certs rsa-2048,rsa-3072,rsa-pss-2048,ecdsa-p256,ecdsa-p384,ecdsa-p521,ed25519,ed448
openssl dhparam -dsaparam -out "$WORK/dh1024.pem" 1024 2>/dev/null
openssl dhparam -dsaparam -out "$WORK/dh2048.pem" 2048 2>/dev/null

EVERY_GROUP=X25519:P-256:P-384:P-521:X448:brainpoolP256r1:ffdhe2048

# suites_by_s_client: "VERSION SUITE" of everything that the server on $PORT takes, one offer after the other without what
# was chosen before.
suites_by_s_client() {
    local version flag left chosen
    for version in 1.0:-tls1 1.1:-tls1_1 1.2:-tls1_2; do
        flag=${version#*:}
        left="ALL:COMPLEMENTOFALL:!PSK:!SRP"
        while chosen=$(negotiates "$flag" -cipher "$left:@SECLEVEL=0" -groups "$EVERY_GROUP") && [ -n "$chosen" ]; do
            echo "${version%%:*} $chosen"
            left="$left:!$chosen"
        done
    done
    left="TLS_AES_256_GCM_SHA384 TLS_CHACHA20_POLY1305_SHA256 TLS_AES_128_GCM_SHA256 TLS_AES_128_CCM_SHA256 TLS_AES_128_CCM_8_SHA256"
    while [ -n "$left" ] && chosen=$(negotiates -tls1_3 -ciphersuites "$(tr ' ' : <<<"$left")") && [ -n "$chosen" ]; do
        echo "1.3 $chosen"
        left=$(tr ' ' '\n' <<<"$left" | grep -vx "$chosen" | paste -sd' ')
    done
}

suites_by_sslscan() {
    timeout 300 sslscan --timeout=60 --no-colour --no-heartbleed --no-renegotiation --no-groups --no-compression --no-fallback \
        --no-check-certificate --xml=- "127.0.0.1:$PORT" 2>/dev/null |
        sed -n 's/.*<cipher status="\(accepted\|preferred\)" sslversion="TLSv\([0-9.]*\)".* cipher="\([^"]*\)".*/\2 \3/p'
}

# check_row NAME CERTIFICATES LINES
check_row() {
    local name=$1 kinds=$2 lines=$3 block="" kind said=0
    for kind in $kinds; do
        block+="ssl_certificate $WORK/certs/$kind.crt; ssl_certificate_key $WORK/certs/$kind.key; "
    done
    local started=0
    start_nginx "server { listen 127.0.0.1:@PORT@ ssl; $block $lines }" || started=1
    timeout 200 "$BIN/suitemark" check --nginx "$WORK/nginx.conf" --no-measure --format json >"$WORK/check.json" 2>"$WORK/said" ||
        said=$?
    [ "$said" -le 1 ] || fail "$name: $(cat "$WORK/said")"
    if [ "$started" -ne 0 ]; then
        expect "$name: nginx refuses it ($(grep -m1 emerg "$WORK/nginx.log")), check says" false \
            "$(jq -r '.subjects[0].starts' "$WORK/check.json")"
        jq -e '[.findings[] | select(.level == "error")] | length > 0' "$WORK/check.json" >/dev/null ||
            fail "$name: no error is found"
        ROWS_REFUSED=$((ROWS_REFUSED + 1))
        return
    fi
    expect "$name: nginx starts, check says" true "$(jq -r '.subjects[0].starts' "$WORK/check.json")"
    jq -r '.suites[] | select(.usable) | .versions[] as $v | "\($v) \(.suite)"' "$WORK/check.json" | sort -u >"$WORK/said_suites"
    suites_by_s_client | sort -u >"$WORK/real_suites"
    expect "$name: by s_client, check < > nginx" "" "$(diff "$WORK/said_suites" "$WORK/real_suites" | grep '^[<>]' | tr '\n' ' ')"
    if command -v sslscan >/dev/null && [ "${4:-}" != without_sslscan ]; then
        suites_by_sslscan | sort -u >"$WORK/scanned"
        expect "$name: by sslscan, check < > nginx" "" "$(diff "$WORK/said_suites" "$WORK/scanned" | grep '^[<>]' | tr '\n' ' ')"
    fi
    stop_peer
    ROWS=$((ROWS + 1))
}
ROWS=0
ROWS_REFUSED=0

check_row "defaults, RSA" rsa-2048 ""
check_row "defaults, EC" ecdsa-p256 ""
check_row "defaults, RSA and EC" "rsa-2048 ecdsa-p256" "ssl_protocols TLSv1.2 TLSv1.3;"
check_row "defaults, Ed25519" ed25519 "ssl_protocols TLSv1.2 TLSv1.3;"
check_row "defaults, Ed448" ed448 "ssl_protocols TLSv1.2 TLSv1.3;"
check_row "defaults, RSA-PSS" rsa-pss-2048 "ssl_protocols TLSv1.2 TLSv1.3;"
check_row "RSA and RSA-PSS" "rsa-2048 rsa-pss-2048" "ssl_protocols TLSv1.2; ssl_ciphers ECDHE-RSA-AES128-GCM-SHA256:AES128-SHA;"
check_row "TLS 1.2 only" "rsa-2048 ecdsa-p256" "ssl_protocols TLSv1.2; ssl_ciphers ECDHE+AESGCM;"
check_row "TLS 1.3 only" "rsa-2048 ecdsa-p256" "ssl_protocols TLSv1.3; ssl_ciphers ECDHE+AESGCM;"
check_row "TLS 1.0 at level 2" rsa-2048 "ssl_protocols TLSv1;"
check_row "TLS 1.0 to 1.2 at level 0" rsa-2048 "ssl_protocols TLSv1 TLSv1.1 TLSv1.2; ssl_ciphers AES128-SHA:ECDHE-RSA-AES128-SHA:ECDHE-RSA-AES128-GCM-SHA256:@SECLEVEL=0;"
check_row "TLS 1.0 and 1.2 with a gap" ecdsa-p256 "ssl_protocols TLSv1 TLSv1.2; ssl_ciphers ECDHE-ECDSA-AES128-SHA:@SECLEVEL=0;"
check_row "TLS 1.0 with Ed25519" ed25519 "ssl_protocols TLSv1 TLSv1.2; ssl_ciphers ECDHE-ECDSA-AES128-SHA:@SECLEVEL=0;"
check_row "NULL at level 2" rsa-2048 "ssl_protocols TLSv1.2; ssl_ciphers NULL-SHA256;"
check_row "NULL at level 0" rsa-2048 "ssl_protocols TLSv1.2; ssl_ciphers NULL-SHA256:NULL-SHA:@SECLEVEL=0;"
check_row "anonymous at level 0" rsa-2048 "ssl_protocols TLSv1.2; ssl_ciphers AECDH-AES128-SHA:ADH-AES128-SHA:AES128-SHA:@SECLEVEL=0;"
check_row "anonymous at level 1" rsa-2048 "ssl_protocols TLSv1.2; ssl_ciphers AECDH-AES128-SHA:AES128-SHA:@SECLEVEL=1;"
check_row "PSK" rsa-2048 "ssl_protocols TLSv1.2; ssl_ciphers PSK-AES128-GCM-SHA256;"
check_row "a typo" rsa-2048 "ssl_protocols TLSv1.2; ssl_ciphers ECDHE-RSA-AES128-GCM-SHA265:ECDHE-RSA-AES256-GCM-SHA384;"
check_row "IANA names" rsa-2048 "ssl_protocols TLSv1.2; ssl_ciphers TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256:ECDHE-RSA-AES256-GCM-SHA384;"
check_row "an RSA list with an EC certificate" ecdsa-p256 "ssl_protocols TLSv1.2; ssl_ciphers ECDHE-RSA-AES128-GCM-SHA256:AES128-SHA;"
check_row "DHE without parameters" rsa-2048 "ssl_protocols TLSv1.2; ssl_ciphers DHE-RSA-AES128-GCM-SHA256:AES128-SHA;"
check_row "DHE with 2048 bits" rsa-2048 "ssl_protocols TLSv1.2; ssl_ciphers DHE-RSA-AES128-GCM-SHA256:AES128-SHA; ssl_dhparam $WORK/dh2048.pem;"
check_row "DHE with 1024 bits" rsa-2048 "ssl_protocols TLSv1.2; ssl_ciphers DHE-RSA-AES128-GCM-SHA256; ssl_dhparam $WORK/dh1024.pem;"
check_row "DHE with 1024 bits at level 1" rsa-2048 "ssl_protocols TLSv1.2; ssl_ciphers DHE-RSA-AES128-GCM-SHA256:@SECLEVEL=1; ssl_dhparam $WORK/dh1024.pem;"
check_row "DHE with an EC certificate" ecdsa-p256 "ssl_protocols TLSv1.2; ssl_ciphers DHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-GCM-SHA256; ssl_dhparam $WORK/dh2048.pem;"
check_row "P-521 without its curve" ecdsa-p521 "ssl_protocols TLSv1.2; ssl_ecdh_curve X25519:P-256; ssl_ciphers ECDHE+AESGCM;"
check_row "P-521 with its curve" ecdsa-p521 "ssl_protocols TLSv1.2; ssl_ecdh_curve X25519:P-521; ssl_ciphers ECDHE+AESGCM;"
check_row "P-521 without its curve in TLS 1.3" ecdsa-p521 "ssl_protocols TLSv1.2 TLSv1.3; ssl_ecdh_curve X25519; ssl_ciphers ECDHE+AESGCM;" \
    without_sslscan # which offers no X25519 beside such certificates
check_row "P-384 with X25519 alone" ecdsa-p384 "ssl_protocols TLSv1.2; ssl_ecdh_curve X25519; ssl_ciphers ECDHE+AESGCM;" \
    without_sslscan # which offers no X25519 beside such certificates
check_row "ffdhe alone" rsa-2048 "ssl_protocols TLSv1.2 TLSv1.3; ssl_ecdh_curve ffdhe2048; ssl_ciphers ECDHE+AESGCM:AES128-SHA;"
check_row "brainpool" rsa-2048 "ssl_protocols TLSv1.2 TLSv1.3; ssl_ecdh_curve brainpoolP256r1; ssl_ciphers ECDHE+AESGCM;" \
    without_sslscan # which does not offer it
check_row "an unknown group" rsa-2048 "ssl_ecdh_curve X25519:P-255;"
check_row "Ciphersuites" ecdsa-p256 "ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers ECDHE+AESGCM; ssl_conf_command Ciphersuites TLS_AES_128_GCM_SHA256:TLS_AES_128_CCM_SHA256;"
check_row "Ciphersuites with a typo" ecdsa-p256 "ssl_protocols TLSv1.3; ssl_conf_command Ciphersuites TLS_AES_128_GCM_SHA265:TLS_AES_256_GCM_SHA384;"
check_row "Ciphersuites with commas" ecdsa-p256 "ssl_conf_command Ciphersuites TLS_AES_128_GCM_SHA256,TLS_AES_256_GCM_SHA384;"
check_row "Ciphersuites CCM8" ecdsa-p256 "ssl_protocols TLSv1.3; ssl_conf_command Ciphersuites TLS_AES_128_CCM_8_SHA256:TLS_AES_128_GCM_SHA256;"
check_row "CipherString" rsa-2048 "ssl_protocols TLSv1.2; ssl_ciphers ECDHE+AESGCM; ssl_conf_command CipherString AES128-SHA:AES256-SHA;"
check_row "MinProtocol" rsa-2048 "ssl_protocols TLSv1.2 TLSv1.3; ssl_conf_command MinProtocol TLSv1.3;"
check_row "MaxProtocol" rsa-2048 "ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers ECDHE+AESGCM; ssl_conf_command MaxProtocol TLSv1.2;"
check_row "Protocol" rsa-2048 "ssl_protocols TLSv1.2; ssl_ciphers ECDHE+AESGCM; ssl_conf_command Protocol +TLSv1.3;"
check_row "Groups" ecdsa-p521 "ssl_protocols TLSv1.2; ssl_ciphers ECDHE+AESGCM; ssl_conf_command Groups P-256;"
check_row "no suite of TLS 1.3" rsa-2048 "ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers ECDHE+AESGCM; ssl_conf_command Ciphersuites '';"
check_row "no suite of TLS 1.3, which is off" rsa-2048 "ssl_protocols TLSv1.2; ssl_ciphers ECDHE+AESGCM; ssl_conf_command Ciphersuites '';"
check_row "no suite below a gap" rsa-2048 "ssl_protocols TLSv1.1 TLSv1.3; ssl_ciphers ECDHE+AESGCM;"
command_pair() { # KIND: its commands
    echo "ssl_conf_command Certificate $WORK/certs/$1.crt; ssl_conf_command PrivateKey $WORK/certs/$1.key;"
}
check_row "a certificate by commands" rsa-2048 "ssl_protocols TLSv1.2; ssl_ciphers ECDHE+AESGCM; $(command_pair ecdsa-p256)"
check_row "a certificate by commands in the place of another" rsa-2048 "ssl_protocols TLSv1.2; ssl_ciphers ECDHE+AESGCM; $(command_pair rsa-3072)"
check_row "keys behind certificates" rsa-2048 "ssl_protocols TLSv1.2; ssl_ciphers ECDHE+AESGCM; ssl_conf_command Certificate $WORK/certs/ecdsa-p256.crt;
    ssl_conf_command Certificate $WORK/certs/rsa-3072.crt; ssl_conf_command PrivateKey $WORK/certs/rsa-3072.key; ssl_conf_command PrivateKey $WORK/certs/ecdsa-p256.key;"
check_row "a certificate by command without its key" "rsa-2048 ecdsa-p256" "ssl_protocols TLSv1.2; ssl_ciphers ECDHE+AESGCM; ssl_conf_command Certificate $WORK/certs/rsa-3072.crt;"
check_row "the only certificate by command without its key" rsa-2048 "ssl_protocols TLSv1.2; ssl_ciphers ECDHE+AESGCM; ssl_conf_command Certificate $WORK/certs/rsa-3072.crt;"
openssl genpkey -genparam -algorithm DH -pkeyopt group:ffdhe3072 -out "$WORK/dh3072.pem" 2>/dev/null
check_row "DH by command" rsa-2048 "ssl_protocols TLSv1.2; ssl_ciphers DHE-RSA-AES128-GCM-SHA256; ssl_dhparam $WORK/dh2048.pem; ssl_conf_command DHParameters $WORK/dh3072.pem;"
check_row "DH by command alone" rsa-2048 "ssl_protocols TLSv1.2; ssl_ciphers DHE-RSA-AES128-GCM-SHA256; ssl_conf_command DHParameters $WORK/dh3072.pem;"
check_row "an unknown command" rsa-2048 "ssl_conf_command CipherSuite TLS_AES_128_GCM_SHA256;"
check_row "an unknown option" rsa-2048 "ssl_conf_command Options PrioritiseChaCha;"
check_row "an unknown bound" rsa-2048 "ssl_conf_command MinProtocol TLSv9;"
check_row "a list without its quotes" rsa-2048 "ssl_ciphers ECDHE-RSA-AES128-GCM-SHA256 ECDHE-RSA-AES256-GCM-SHA384;"
check_row "a group twice" rsa-2048 "ssl_protocols TLSv1.2; ssl_ciphers ECDHE+AESGCM; ssl_ecdh_curve X25519:X25519;"
check_row "no group" rsa-2048 "ssl_protocols TLSv1.2; ssl_ciphers ECDHE+AESGCM; ssl_ecdh_curve '';"
check_row "a missing semicolon" rsa-2048 "ssl_protocols TLSv1.2 ssl_ciphers HIGH;"
check_row "no protocol" rsa-2048 "ssl_protocols TLSv1.4;"
check_row "protocols in another case" rsa-2048 "ssl_protocols tlsv1.2; ssl_ciphers ECDHE+AESGCM;"
check_row "no switch" rsa-2048 "ssl_prefer_server_ciphers yes;"
check_row "a list twice" rsa-2048 "ssl_ciphers HIGH; ssl_ciphers ECDHE+AESGCM;"
check_row "protocols twice" rsa-2048 "ssl_protocols TLSv1.2; ssl_protocols TLSv1.2; ssl_ciphers ECDHE+AESGCM;"
check_row "a cache twice" rsa-2048 "ssl_session_cache none; ssl_session_cache off; ssl_protocols TLSv1.2; ssl_ciphers ECDHE+AESGCM;"
check_row "a command without its value" rsa-2048 "ssl_conf_command Ciphersuites;"
check_row "level 3 with RSA 2048" rsa-2048 "ssl_ciphers ALL:@SECLEVEL=3;"
check_row "level 3 with RSA 3072" rsa-3072 "ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers HIGH:@SECLEVEL=3;"
check_row "level 4 with P-384" ecdsa-p384 "ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers HIGH:@SECLEVEL=4;"
check_row "level 9" rsa-2048 "ssl_ciphers DEFAULT@SECLEVEL=9;"
check_row "TLS 1.3 names alone" rsa-2048 "ssl_protocols TLSv1.3; ssl_ciphers TLS_AES_128_GCM_SHA256;"
check_row "Suite B" ecdsa-p256 "ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers SUITEB128; ssl_ecdh_curve X25519;"
check_row "Suite B with RSA" rsa-2048 "ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers SUITEB128:HIGH;"
check_row "Suite B of 192 bits with P-256" ecdsa-p256 "ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers SUITEB192;"
check_row "Suite B of 192 bits, issued by P-256" ecdsa-p384 "ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers SUITEB192;"
check_row "Suite B with Ed25519" ed25519 "ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers SUITEB128ONLY;"
check_row "Suite B behind another word" "rsa-2048 ecdsa-p256" "ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers HIGH:SUITEB128;"
check_row "a curve below the level" ecdsa-p256 "ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers ECDHE+AESGCM; ssl_ecdh_curve secp192r1;"
check_row "MaxProtocol below all" rsa-2048 "ssl_protocols TLSv1.2 TLSv1.3; ssl_conf_command MaxProtocol SSLv3;"
check_row "no protocol is left" rsa-2048 "ssl_protocols TLSv1.2 TLSv1.3; ssl_conf_command Protocol -ALL;"
check_row "two RSA certificates" "rsa-2048 rsa-3072" "ssl_protocols TLSv1.2; ssl_ciphers ECDHE+AESGCM;"

[ "$ROWS" -ge 30 ] || fail "only $ROWS configurations were compared"
echo "$ROWS configurations agree, $ROWS_REFUSED are refused by both"
