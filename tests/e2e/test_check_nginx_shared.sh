# Two name-based servers on one socket: which directives of the block that is not the default are in force, found by asking
# nginx itself, one directive after the other. The rows are the table of common/nginx/shared.c; check must say the same.
. "$(dirname "$0")/support.sh"
. "$(dirname "$0")/check_support.sh"
for program in nginx openssl jq; do
    command -v "$program" >/dev/null || skip "$program is not installed"
done
nginx -v 2>&1 | grep '/1\.22\.' >/dev/null || echo "the table is of nginx 1.22.1, this is $(nginx -v 2>&1)"

certs rsa-2048,rsa-3072
openssl dhparam -dsaparam -out "$WORK/dh2048.pem" 2048 2>/dev/null
openssl dhparam -dsaparam -out "$WORK/dh3072.pem" 3072 2>/dev/null
A="ssl_certificate $WORK/certs/rsa-2048.crt; ssl_certificate_key $WORK/certs/rsa-2048.key;"
B="ssl_certificate $WORK/certs/rsa-3072.crt; ssl_certificate_key $WORK/certs/rsa-3072.key;"

# pair DEFAULT_LINES OTHER_LINES: both servers on one socket
pair() {
    start_nginx "server { listen 127.0.0.1:@PORT@ ssl default_server; server_name a; $1 }
server { listen 127.0.0.1:@PORT@ ssl; server_name b; $2 }" || fail "nginx does not start: $(cat "$WORK/nginx.log")"
}

# idle NAME: whether check calls this directive of the second server ineffective
idle() {
    timeout 200 "$BIN/suitemark" check --nginx "$WORK/nginx.conf" --no-measure --format json >"$WORK/check.json" 2>&1
    jq -r --arg name "$1" '[.findings[] | select(.kind == "no effect" and .word == $name)] | length' "$WORK/check.json"
}

# row DIRECTIVE IN_FORCE(own|default) DEFAULT_LINES OTHER_LINES WANTED_OF_S_CLIENT ARG…: the connection to "b" shows the text
row() {
    local directive=$1 force=$2 first=$3 second=$4 wanted=$5
    shift 5
    pair "$first" "$second"
    timeout 120 openssl s_client -connect "127.0.0.1:$PORT" -servername b "$@" -sess_out "$WORK/session" </dev/null \
        >"$WORK/s_client" 2>/dev/null
    timeout 120 openssl s_client -connect "127.0.0.1:$PORT" -servername b "$@" -sess_in "$WORK/session" </dev/null \
        >>"$WORK/s_client" 2>/dev/null
    grep -qE -- "$wanted" "$WORK/s_client" || fail "$directive: no \"$wanted\" in $(grep -E '^(New|Reused)|Temp Key' "$WORK/s_client")"
    expect "$directive: findings" "$([ "$force" = own ] && echo 0 || echo 1)" "$(idle "$directive")"
    stop_peer
}

one="$A ssl_protocols TLSv1.2;"
row ssl_certificate own "$one" "$B" 'Server public key is 3072'
row ssl_ciphers own "$one ssl_ciphers AES128-SHA;" "$A ssl_ciphers AES256-SHA;" 'Cipher is AES256-SHA'
row ssl_protocols default "$one" "$A ssl_protocols TLSv1.2 TLSv1.3;" '^New, TLSv1.2'
row ssl_protocols default "$A ssl_protocols TLSv1.2 TLSv1.3;" "$A ssl_protocols TLSv1.2;" '^New, TLSv1.3'
row ssl_ecdh_curve default "$one ssl_ecdh_curve X25519;" "$A ssl_ecdh_curve prime256v1;" 'Temp Key: X25519' -groups P-256:X25519
row ssl_prefer_server_ciphers default "$one ssl_ciphers AES128-SHA:AES256-SHA;" \
    "$A ssl_ciphers AES128-SHA:AES256-SHA; ssl_prefer_server_ciphers on;" 'Cipher is AES128-SHA' -cipher AES256-SHA:AES128-SHA
row ssl_prefer_server_ciphers default "$A ssl_protocols TLSv1.3;" "$A ssl_prefer_server_ciphers on;" \
    'Cipher is TLS_AES_128_GCM_SHA256' -ciphersuites TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384
row ssl_dhparam own "$one ssl_ciphers DHE; ssl_dhparam $WORK/dh3072.pem;" "$A ssl_ciphers DHE; ssl_dhparam $WORK/dh2048.pem;" \
    'Temp Key: DH, 2048' -cipher DHE
row ssl_session_tickets own "$one" "$A ssl_session_tickets off;" '^New, TLSv1.2'
grep -q 'TLS session ticket:' "$WORK/s_client" && fail "ssl_session_tickets: a ticket came though the block has them off"
row ssl_session_tickets default "$one ssl_session_tickets off;" "$A ssl_session_tickets on;" '^New, TLSv1.2'
grep -q 'TLS session ticket:' "$WORK/s_client" && fail "ssl_session_tickets: a ticket came though the default server has them off"
row ssl_session_cache default "$one ssl_session_cache builtin;" "$A ssl_session_cache none;" '^Reused' -no_ticket
row ssl_session_cache default "$one ssl_session_cache none;" "$A ssl_session_cache builtin;" '^New' -no_ticket
grep -q '^Reused' "$WORK/s_client" && fail "ssl_session_cache: resumed though the default server has no cache"
row ssl_verify_client own "$one" "$A ssl_verify_client optional_no_ca;" 'Client Certificate Types'
row "ssl_conf_command Ciphersuites" default "$A ssl_protocols TLSv1.3; ssl_conf_command Ciphersuites TLS_AES_128_GCM_SHA256;" \
    "$A ssl_protocols TLSv1.3; ssl_conf_command Ciphersuites TLS_CHACHA20_POLY1305_SHA256;" 'Cipher is TLS_AES_128_GCM_SHA256'
row "ssl_conf_command Groups" default "$A ssl_conf_command Groups X25519;" "$A ssl_conf_command Groups P-256;" \
    'Temp Key: X25519' -groups P-256:X25519
row "ssl_conf_command MinProtocol" default "$A ssl_protocols TLSv1.2 TLSv1.3;" \
    "$A ssl_protocols TLSv1.2 TLSv1.3; ssl_conf_command MinProtocol TLSv1.3;" '^New, TLSv1.2' -tls1_2
row "ssl_conf_command CipherString" own "$one ssl_ciphers AES128-SHA;" "$A ssl_conf_command CipherString AES256-SHA;" \
    'Cipher is AES256-SHA'
row "ssl_conf_command Options" own "$one ssl_ciphers AES128-SHA:AES256-SHA;" \
    "$A ssl_ciphers AES128-SHA:AES256-SHA; ssl_conf_command Options ServerPreference;" 'Cipher is AES128-SHA' \
    -cipher AES256-SHA:AES128-SHA
row "the level of ssl_ciphers" own "$A ssl_protocols TLSv1;" "$A ssl_protocols TLSv1; ssl_ciphers ALL:@SECLEVEL=0;" '^New, TLSv1.0' \
    -tls1 -cipher ALL:@SECLEVEL=0

# Both places are named.
pair "$one" "$A ssl_protocols TLSv1.2 TLSv1.3; ssl_ecdh_curve prime256v1;"
idle ssl_protocols >/dev/null
expect "places of both servers" true "$(jq '[.findings[] | select(.kind == "no effect") |
    (.place | test("nginx.conf:[0-9]+")) and (.text + .remedy | test("nginx.conf:[0-9]+"))] | length == 2 and all' "$WORK/check.json")"
expect "versions that are in force" '1.2' "$(jq -r '.subjects[1].versions | join(" ")' "$WORK/check.json")"
stop_peer

# A block without a certificate has no context: its clients get all that the default server gives, and check says so.
start_nginx "server { listen 127.0.0.1:@PORT@ ssl; server_name a; $A ssl_protocols TLSv1.2; ssl_ciphers AES128-SHA; }
server { listen 127.0.0.1:@PORT@; server_name b; ssl_ciphers AES256-SHA; ssl_verify_client optional; }" || fail "nginx: $(cat "$WORK/nginx.log")"
expect "a block without a certificate" AES128-SHA "$(negotiates -servername b)"
grep -q 'Client Certificate Types' "$WORK/s_client" && fail "a block without a certificate: its ssl_verify_client is in force"
expect "a block without a certificate: idle lines" 1 "$(idle ssl_ciphers)"
expect "a block without a certificate: another idle line" 1 "$(idle ssl_verify_client)"
expect "a block without a certificate: what is in force" "AES128-SHA true" \
    "$(jq -r '.subjects[1] | "\(.ciphers.value) \(.starts)"' "$WORK/check.json")"
stop_peer

# ssl_reject_handshake: the default server's does not count for the others, that of the http level does.
start_nginx "server { listen 127.0.0.1:@PORT@; server_name a; $A ssl_reject_handshake on; }
server { listen 127.0.0.1:@PORT@ ssl; server_name b; $A ssl_protocols TLSv1.2; ssl_ciphers AES128-SHA; }" || fail "nginx: $(cat "$WORK/nginx.log")"
expect "the default server rejects: itself" "" "$(negotiates -servername a)"
expect "the default server rejects: the other" AES128-SHA "$(negotiates -servername b -tls1_2)"
idle ssl_ciphers >/dev/null
expect "the default server rejects: subjects" "1 true" "$(jq -r '"\(.subjects | length) \(.subjects[0].starts)"' "$WORK/check.json")"
stop_peer

# Before OpenSSL reads the ClientHello, it wants a suite of the highest version below a gap, by the default server's lists.
deaf() { # DEFAULT_LINES OTHER_LINES WANTED_SUITE ARG…
    start_nginx "server { listen 127.0.0.1:@PORT@ ssl; server_name a; $A $1 }
server { listen 127.0.0.1:@PORT@ ssl; server_name b; $A $2 }" || fail "nginx: $(cat "$WORK/nginx.log")"
    expect "deafness by nginx: $1 | $2" "$3" "$(negotiates -servername b "${@:4}")"
    idle ssl_ciphers >/dev/null
    expect "deafness by check: $1 | $2" "$([ -n "$3" ] && echo true || echo false)" \
        "$(jq '.subjects[1].name as $name | [.suites[] | select(.usable and .subject == $name)] | length > 0' "$WORK/check.json")"
    stop_peer
}
deaf "ssl_protocols TLSv1.1 TLSv1.3; ssl_ciphers ECDHE+AESGCM;" "ssl_ciphers AES128-SHA;" ""
deaf "ssl_protocols TLSv1.1 TLSv1.3; ssl_ciphers AES128-SHA;" "ssl_ciphers ECDHE+AESGCM;" TLS_AES_256_GCM_SHA384
deaf "ssl_protocols TLSv1.1 TLSv1.3; ssl_conf_command CipherString AES128-SHA;" "ssl_ciphers ECDHE+AESGCM;" TLS_AES_256_GCM_SHA384
