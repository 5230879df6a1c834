# `suitemark check --target` against real servers: the suites that it finds are those that sslscan lists, and its orders,
# groups and certificates are what the servers were told.
. "$(dirname "$0")/support.sh"
. "$(dirname "$0")/check_support.sh"
for program in sslscan openssl jq; do
    command -v "$program" >/dev/null || skip "$program is not installed"
done

certs rsa-2048,ecdsa-p256
openssl dhparam -dsaparam -out "$WORK/dh2048.pem" 2048 2>/dev/null
RSA=$WORK/certs/rsa-2048
EC=$WORK/certs/ecdsa-p256
TRIED=0

target() { # FILTER: of the last check
    jq -r "$1" "$WORK/check.json"
}

# compare NAME: check and sslscan on the server that listens on $PORT
compare() {
    local status=0
    timeout 300 "$BIN/suitemark" check --target "127.0.0.1:$PORT" --format json >"$WORK/check.json" 2>"$WORK/said" || status=$?
    [ "$status" -le 1 ] || fail "$1: status $status: $(cat "$WORK/said")"
    target '.scan.lists[] | .version as $v | .suites[] | "\($v) \(.)"' | sort -u >"$WORK/said_suites"
    timeout 300 sslscan --timeout=60 --no-colour --no-heartbleed --no-renegotiation --no-groups --no-compression --no-fallback \
        --no-check-certificate --xml=- "127.0.0.1:$PORT" 2>/dev/null |
        sed -n 's/.*<cipher status="\(accepted\|preferred\)" sslversion="TLSv\([0-9.]*\)".* cipher="\([^"]*\)".*/\2 \3/p' |
        sort -u >"$WORK/scanned"
    [ -s "$WORK/scanned" ] || fail "$1: sslscan finds nothing"
    expect "$1: check < > sslscan" "" "$(diff "$WORK/said_suites" "$WORK/scanned" | grep '^[<>]' | tr '\n' ' ')"
    expect "$1: clients" 12 "$(target '.clients | length')"
    TRIED=$((TRIED + 1))
}

# retry COMMAND…: a port of ours may be taken between the choice and the bind
retry() {
    local try
    for try in 1 2 3 4 5; do
        free_port
        serve "$WORK/peer.log" "$@" && return 0
    done
    fail "$1 does not start: $(cat "$WORK/peer.log")"
    return 1
}

if command -v nginx >/dev/null; then
    start_nginx "server { listen 127.0.0.1:@PORT@ ssl; ssl_certificate $RSA.crt; ssl_certificate_key $RSA.key;
        ssl_certificate $EC.crt; ssl_certificate_key $EC.key; ssl_protocols TLSv1 TLSv1.1 TLSv1.2 TLSv1.3; ssl_dhparam $WORK/dh2048.pem;
        ssl_ciphers ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:DHE-RSA-AES128-SHA:@SECLEVEL=0;
        ssl_prefer_server_ciphers on; ssl_ecdh_curve X25519:P-256; }" || fail "nginx: $(cat "$WORK/nginx.log")"
    compare nginx
    expect "nginx: order with RSA" "server ECDHE-RSA-AES256-GCM-SHA384 ECDHE-RSA-AES128-GCM-SHA256 DHE-RSA-AES128-SHA" \
        "$(target '.scan.lists[] | select(.version == "1.2" and .certificate == "RSA") | [.preference] + .suites | join(" ")')"
    expect "nginx: order with EC" "server ECDHE-ECDSA-AES128-SHA ECDHE-ECDSA-AES256-GCM-SHA384" \
        "$(target '.scan.lists[] | select(.version == "1.2" and .certificate == "ECDSA") | [.preference] + .suites | join(" ")')"
    expect "nginx: groups" "x25519 p-256" "$(target '.scan.groups["1.3"] | join(" ")')"
    expect "nginx: groups in TLS 1.2" "x25519 p-256" "$(target '.scan.groups["1.2"] | join(" ")')"
    expect "nginx: certificates" "EC RSA" "$(target '[.scan.certificates[].type] | sort | join(" ")')"
    expect "nginx: DH" 2048 "$(target .scan.dh_bits)"
    expect "nginx: offers that cannot be made leave the outcome open" true \
        "$(target '.clients[] | select(.client == "Windows 10 Schannel") | .not_provable and (.unspoken | contains("DES-CBC3-SHA"))')"
    expect "nginx: TLS 1.0 is found" 1 "$(target '[.findings[] | select(.kind == "weak" and .word == "1.0")] | length')"
    stop_peer
fi

if command -v nginx >/dev/null; then
    # An order of the server's own, but for clients that name ChaCha20 first.
    GCM=ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384
    for row in "on:$GCM:ECDHE-RSA-CHACHA20-POLY1305:server, ChaCha20 by the client" "on:ECDHE-RSA-CHACHA20-POLY1305:$GCM:server" "off:$GCM:ECDHE-RSA-CHACHA20-POLY1305:client"; do
        list=${row#*:}
        start_nginx "server { listen 127.0.0.1:@PORT@ ssl; ssl_certificate $RSA.crt; ssl_certificate_key $RSA.key; ssl_protocols TLSv1.2;
            ssl_ciphers ${list%:*}; ssl_prefer_server_ciphers ${row%%:*}; ssl_conf_command Options PrioritizeChaCha; }" || fail "nginx: $(cat "$WORK/nginx.log")"
        timeout 60 "$BIN/suitemark" check --target "127.0.0.1:$PORT" --format json >"$WORK/check.json" 2>"$WORK/said"
        expect "nginx with PrioritizeChaCha, $row" "${row##*:}" "$(target '.scan.lists[].preference')"
        stop_peer
    done

    # What is wrong with the chain that is sent. The authority's own file is behind the leaf where its issuer should be.
    printf '[ca]\ndefault_ca = d\n[d]\ndatabase = %s/index\nserial = %s/serial\nnew_certs_dir = %s\ndefault_md = sha256\npolicy = p\n[p]\ncommonName = supplied\n' \
        "$WORK" "$WORK" "$WORK" >"$WORK/ca.conf"
    : >"$WORK/index"
    echo 01 >"$WORK/serial"
    openssl req -newkey rsa:2048 -nodes -subj /CN=old -keyout "$WORK/old.key" -out "$WORK/old.csr" 2>/dev/null
    openssl ca -batch -notext -config "$WORK/ca.conf" -selfsign -keyfile "$WORK/old.key" -in "$WORK/old.csr" -startdate 20200101000000Z \
        -enddate 20210101000000Z -out "$WORK/old.crt" 2>/dev/null
    cat <(openssl x509 -in "$RSA.crt") "$WORK/certs/root.crt" >"$WORK/mixed.crt"
    cp "$RSA.key" "$WORK/mixed.key"
    for row in "old:expired on 2021-01-01" "mixed:out of order"; do
        start_nginx "server { listen 127.0.0.1:@PORT@ ssl; ssl_certificate $WORK/${row%%:*}.crt; ssl_certificate_key $WORK/${row%%:*}.key; }" ||
            fail "nginx: $(cat "$WORK/nginx.log")"
        timeout 60 "$BIN/suitemark" check --target "127.0.0.1:$PORT" --format json >"$WORK/check.json" 2>"$WORK/said"
        expect "certificate: $row" true \
            "$(target "[.findings[] | select(.kind == \"certificate\" and .level == \"error\") | .text | contains(\"${row#*:}\")] | any")"
        stop_peer
    done
fi

serve_haproxy() {
    cat >"$WORK/haproxy.cfg" <<EOF
defaults
    mode http
    timeout connect 5s
    timeout client 10s
    timeout server 10s
frontend f
    bind 127.0.0.1:$PORT ssl crt $WORK/haproxy.pem ciphers ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-CHACHA20-POLY1305:AES128-GCM-SHA256 ciphersuites TLS_AES_128_GCM_SHA256 ssl-min-ver TLSv1.2 prefer-client-ciphers
    http-request return status 200
EOF
    exec haproxy -db -f "$WORK/haproxy.cfg"
}
if command -v haproxy >/dev/null; then
    cat "$RSA.crt" "$RSA.key" >"$WORK/haproxy.pem"
    if retry serve_haproxy; then
        compare HAProxy
        expect "HAProxy: order" client "$(target '.scan.lists[] | select(.version == "1.2") | .preference')"
        expect "HAProxy: TLS 1.3" TLS_AES_128_GCM_SHA256 \
            "$(target '.scan.lists[] | select(.version == "1.3") | .suites | join(" ")')"
        stop_peer
    fi
fi

serve_openssl() {
    exec openssl s_server -accept "127.0.0.1:$PORT" -cert "$RSA.crt" -key "$RSA.key" -dcert "$EC.crt" -dkey "$EC.key" \
        -cipher ECDHE+AES -www
}
if retry serve_openssl; then
    compare "openssl s_server"
    expect "s_server: order" "client client" "$(target '[.scan.lists[] | select(.version == "1.2") | .preference] | join(" ")')"
    expect "s_server: certificates" "EC RSA" "$(target '[.scan.certificates[].type] | sort | join(" ")')"
    stop_peer
fi

serve_gnutls() {
    exec gnutls-serv --quiet --http --disable-client-cert --port "$PORT" --x509certfile "$RSA.crt" --x509keyfile "$RSA.key" \
        --priority 'NORMAL:-VERS-TLS1.0:-VERS-TLS1.1'
}
if command -v gnutls-serv >/dev/null && retry serve_gnutls; then
    compare gnutls-serv
    expect "gnutls-serv: certificate" "RSA 2048" "$(target '.scan.certificates[] | "\(.type) \(.bits)"')"
    stop_peer
fi

# A server that turns away who has no certificate still says what it negotiates.
serve_strict() {
    exec openssl s_server -accept "127.0.0.1:$PORT" -cert "$RSA.crt" -key "$RSA.key" -tls1_2 -Verify 1 -verify_return_error \
        -cipher ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384 -serverpref -www
}
if retry serve_strict; then
    status=0
    timeout 300 "$BIN/suitemark" check --target "127.0.0.1:$PORT" --format json >"$WORK/check.json" 2>"$WORK/said" || status=$?
    expect "client certificate: status ($(cat "$WORK/said"))" 1 "$status"
    expect "client certificate: suites" "ECDHE-RSA-AES128-GCM-SHA256 ECDHE-RSA-AES256-GCM-SHA384 server" \
        "$(target '.scan.lists[] | "\(.suites | join(" ")) \(.preference)"')"
    expect "client certificate: asked" note "$(target '.findings[] | select(.kind == "client certificate") | .level')"
    expect "client certificate: clients" true \
        "$(target '.clients[] | select(.client == "OpenSSL 3.0") | .connects == false and (.reason | contains("wants a client certificate"))')"
    stop_peer
fi

# The same in TLS 1.3, where the rejection comes after the client is done: each client's row says it.
serve_strict_13() {
    exec openssl s_server -accept "127.0.0.1:$PORT" -cert "$RSA.crt" -key "$RSA.key" -tls1_3 -Verify 1 -verify_return_error -www
}
client() { # FIELDS: of the row of OpenSSL 3.0
    target ".clients[] | select(.client == \"OpenSSL 3.0\") | \"$1\""
}
if retry serve_strict_13; then
    timeout 300 "$BIN/suitemark" check --target "127.0.0.1:$PORT" --format json >"$WORK/check.json" 2>"$WORK/said"
    expect "TLS 1.3, strict" "false 1.3 TLS_AES_256_GCM_SHA384 null true" \
        "$(client '\(.connects) \(.version) \(.suite) \(.confirmed) \(.wants_certificate)')"
    expect "TLS 1.3, strict: reason" true \
        "$(target '.clients[] | select(.client == "OpenSSL 3.0") | .reason | contains("wants a client certificate") and contains("rejected")')"
    expect "TLS 1.3, strict: nobody connects" 0 "$(target '[.clients[] | select(.connects)] | length')"
    timeout 300 "$BIN/suitemark" check --target "127.0.0.1:$PORT" >"$WORK/table" 2>&1
    grep -q "OpenSSL 3.0 .* TLS_AES_256_GCM_SHA384, then fails: the server wants a client" "$WORK/table" || fail "table: $(cat "$WORK/table")"
    stop_peer
fi
if command -v nginx >/dev/null; then
    # nginx completes the handshake and refuses the request: the handshake is confirmed, its status is told.
    start_nginx "server { listen 127.0.0.1:@PORT@ ssl; ssl_certificate $RSA.crt; ssl_certificate_key $RSA.key; ssl_verify_client on;
        ssl_client_certificate $WORK/certs/root.crt; ssl_protocols TLSv1.2 TLSv1.3; }" || fail "nginx: $(cat "$WORK/nginx.log")"
    timeout 300 "$BIN/suitemark" check --target "127.0.0.1:$PORT" --format json >"$WORK/check.json" 2>"$WORK/said"
    expect "nginx wants a certificate" "true 1.3 response true 400" \
        "$(client '\(.connects) \(.version) \(.confirmed) \(.wants_certificate) \(.http_status)')"
    expect "nginx wants a certificate, TLS 1.2" "true 1.2 response true 400" \
        "$(target '.clients[] | select(.client == "Android 7") | "\(.connects) \(.version) \(.confirmed) \(.wants_certificate) \(.http_status)"')"
    stop_peer
fi
# Who says nothing is not confirmed: s_server without -www waits for its own input.
serve_silent() {
    exec openssl s_server -accept "127.0.0.1:$PORT" -cert "$RSA.crt" -key "$RSA.key" -tls1_3 -quiet
}
if retry serve_silent; then
    timeout 300 "$BIN/suitemark" check --target "127.0.0.1:$PORT" --format json >"$WORK/check.json" 2>"$WORK/said"
    expect "a silent server" "true close false" "$(client '\(.connects) \(.confirmed) \(.wants_certificate)')"
    stop_peer
fi

[ "$TRIED" -ge 1 ] || skip "there is no server to ask"
echo "$TRIED servers agree with sslscan"

# What does not answer, or does not speak TLS, is no finding but a failure.
free_port
status=0
timeout 300 "$BIN/suitemark" check --target "127.0.0.1:$PORT" >"$WORK/said" 2>&1 || status=$?
expect "nobody listens" 2 "$status"
