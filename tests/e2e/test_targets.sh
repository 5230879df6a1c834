# Servers of others as targets: what they offer is measured, what they do not is skipped with its reason, and each row
# names its proof.
. "$(dirname "$0")/support.sh"
. "$(dirname "$0")/peer_support.sh"

quick=(--rounds 1 --duration 700ms --warmup 20ms)
modern=("${quick[@]}" --versions 1.2,1.3 --certs rsa-2048 --measure handshake)

make_certificate rsa -newkey rsa:2048
make_certificate ec -newkey ec -pkeyopt ec_paramgen_curve:P-256

# said TEXT: it was printed; lines are joined, since long ones are wrapped.
said() {
    tr -s ' \n' ' ' <"$WORK/said" | grep -F -- "$1" >/dev/null || fail "\"$1\" is not in: $(cat "$WORK/said")"
}

statuses() { # of all cases that were not skipped
    json '[.cases[] | select(.status != "skipped") | .status] | unique | join(" ")'
}

proofs() {
    json '[.cases[] | select(.status != "skipped") | .confirmed_by] | unique | join(" ")'
}

all_confirmed() {
    json '[.cases[] | select(.status != "skipped") | .confirmed == .completed and .confirmed > 0] | all'
}

# --- nginx ---

start_nginx() { # PORT
    mkdir -p "$WORK/nginx"
    sed "s/@PORT@/$1/g" "$WORK/nginx.conf" >"$WORK/nginx/conf"
    nginx -e "$WORK/peer.err" -p "$WORK/nginx" -c "$WORK/nginx/conf" &
    PEER=$!
}

# nginx_with DIRECTIVE…: one https server of these directives, two workers.
nginx_with() {
    local user="" temporary
    temporary=$(printf '%s_temp_path temporary; ' client_body proxy fastcgi uwsgi scgi)
    [ "$(id -u)" -ne 0 ] || user="user root;"
    cat >"$WORK/nginx.conf" <<END
$user daemon off; worker_processes 2; error_log $WORK/peer.err; pid $WORK/nginx/pid;
events { worker_connections 256; }
http { access_log off; root $WORK/www; keepalive_requests 1000000; $temporary
ssl_certificate $WORK/rsa.crt; ssl_certificate_key $WORK/rsa.key; ssl_protocols TLSv1.2 TLSv1.3; $* }
END
    launch_on_port start_nginx
}

has_workers() { # PID COUNT
    [ "$(grep -lsx "PPid:[[:space:]]*$1" /proc/[0-9]*/status | wc -l)" -ge "$2" ]
}

nginx_listens='server { listen 127.0.0.1:@PORT@ ssl;'

test_nginx() {
    nginx_with "$nginx_listens
        location /chunked { ssi on; ssi_types *; }
        location /until-close { ssi on; ssi_types *; chunked_transfer_encoding off; } }
        server { listen 127.0.0.1:@PORT@ ssl; server_name ec.test;
            ssl_certificate $WORK/ec.crt; ssl_certificate_key $WORK/ec.key; }" || return

    # The default plan on one RSA certificate.
    result "https://$ADDRESS/" --rounds 1 --duration 700ms --warmup 10ms
    expect "nginx (status)" 0 "$STATUS"
    expect "nginx: statuses" measured "$(statuses)"
    expect "nginx: proofs" response "$(proofs)"
    expect "nginx: all confirmed" true "$(all_confirmed)"
    expect "nginx: kinds measured" rsa-2048 "$(json '[.cases[] | select(.status == "measured") | .certificate] | unique | join(" ")')"
    expect "nginx: bulk with the certificate that it has" rsa-2048 "$(json '[.cases[] | select(.measure == "bulk" and .status == "measured") | .certificate] | unique | join(" ")')"
    expect "nginx: other kinds are skipped" true \
        "$(json '[.cases[] | select(.certificate | test("ecdsa|ed25519")) | .status == "skipped" and (.reason | startswith("target offers no TLS "))] | all')"
    expect "nginx: the server's side" true "$(json '[.cases[] | select(.status == "measured") | .server == null] | all')"

    # Its CPU by the clocks of its processes: the master's number is enough, once it has both workers.
    wait_until 60 has_workers "$PEER" 2 || fail "nginx: no two workers"
    result "https://$ADDRESS/" "${modern[@]}" --server-pid "$PEER"
    expect "--server-pid (status)" 0 "$STATUS"
    expect "--server-pid: server columns" true \
        "$(json '[.cases[] | select(.status == "measured") | .server.cpu_us_per_handshake.median > 0 and .server.capacity_per_core > 0] | all')"
    expect "--server-pid: master and workers" 3 "$(json '[.cases[] | select(.status == "measured") | .rounds[].server_threads] | unique | join(" ")')"
    expect "--server-pid: counts are not the server's own" null "$(json '.cases[0].counts_agree')"
    expect "--server-pid: proof" response "$(proofs)"

    # The certificate by name.
    result "https://$ADDRESS/" "${quick[@]}" --versions 1.3 --certs ecdsa-p256,rsa-2048 --measure handshake --sni ec.test
    expect "--sni" 'ecdsa-p256 measured rsa-2048 skipped' "$(json '[.cases[] | .certificate, .status] | join(" ")')"
    said 'target offers no TLS 1.3 TLS_AES_128_GCM_SHA256 with rsa-2048'

    test_bulk
    test_trust
    end_process "$PEER"
}

# Bulk as nginx delivers it. More bytes than one answer has: the request was repeated.
test_bulk() {
    local path size
    size=$(wc -c <"$WORK/www/length")
    for path in length chunked until-close; do
        result "https://$ADDRESS/$path" "${quick[@]}" --versions 1.3 --certs rsa-2048 --measure bulk
        expect "bulk $path" '0 measured 200' "$STATUS $(json '.cases[0] | "\(.status) \(.http_status)"')"
        check "bulk $path: whole answers and more" [ "$(json '.cases[0].rounds[0].bytes')" -gt $((size * 2)) ]
        expect "bulk $path: failures" '{}' "$(json '.cases[0].failures | tojson')"
    done
    result "https://$ADDRESS/length" "${quick[@]}" --versions 1.3 --certs rsa-2048 --measure bulk
    # A second one where the machine stalled, since the window is then repeated.
    check "bulk: one connection" [ "$(json '.cases[0].attempted')" -le 2 ]
    result "https://$ADDRESS/until-close" "${quick[@]}" --versions 1.3 --certs rsa-2048 --measure bulk
    check "bulk until close: one connection each" [ "$(json '.cases[0].attempted')" -gt 2 ]

    result "https://$ADDRESS/missing" "${quick[@]}" --versions 1.3 --certs rsa-2048 --measure bulk
    expect "bulk 404" '1 failed null 404' "$STATUS $(json '.cases[0] | "\(.status) \(.rate) \(.http_status)"')"
    said 'failed: http: status 404'
    result "https://$ADDRESS/missing" "${quick[@]}" --path /length --versions 1.3 --certs rsa-2048 --measure bulk
    expect "--path" '0 measured' "$STATUS $(json '.cases[0].status')"
    result "https://$ADDRESS/" "${quick[@]}" --versions 1.3 --certs rsa-2048 --measure bulk --direction upload
    expect "upload to a stranger" '1 skipped' "$STATUS $(json '.cases[0].status')"
}

test_trust() {
    result "https://$ADDRESS/" "${modern[@]}"
    said 'chain not verified'
    result "https://$ADDRESS/" "${modern[@]}" --ca "$WORK/rsa.crt"
    expect "--ca" '0 measured' "$STATUS $(statuses)"
    grep -q 'chain not verified' "$WORK/said" && fail "--ca: it says that the chain is not verified"
    result "https://$ADDRESS/" "${modern[@]}" --ca "$WORK/rsa.crt" --sni rsa.test
    expect "--ca with a name" '0 measured' "$STATUS $(statuses)"

    rm -f "$WORK/result.json"
    for wrong in "--ca $WORK/ec.crt" "--ca $WORK/rsa.crt --sni other.test"; do
        # shellcheck disable=SC2086
        result "https://$ADDRESS/" "${modern[@]}" $wrong
        expect "$wrong (status)" 1 "$STATUS"
        said 'certificate verify: '
        [ ! -e "$WORK/result.json" ] || expect "$wrong: nothing counts" true "$(json '[.cases[].confirmed] | all(. == 0 or . == null)')"
    done
    said 'certificate verify: hostname mismatch'
    result "https://$ADDRESS/" "${modern[@]}" --ca "$WORK/none.crt"
    expect "--ca without a file" 2 "$STATUS"
}

test_nginx_client_certificate() {
    nginx_with "$nginx_listens ssl_client_certificate $WORK/ec.crt; ssl_verify_client on; }" || return
    result "https://$ADDRESS/" "${modern[@]}"
    expect "nginx ssl_verify_client (status)" '0 measured' "$STATUS $(statuses)"
    expect "nginx ssl_verify_client" 'response true 400' \
        "$(proofs) $(all_confirmed) $(json '[.cases[] | select(.status == "measured") | .http_status] | unique | join(" ")')"
    said 'answered with HTTP status 400'
    result "https://$ADDRESS/" "${modern[@]}" "${client[@]}"
    expect "nginx --client-cert" '0 response true 200' \
        "$STATUS $(proofs) $(all_confirmed) $(json '[.cases[] | select(.status == "measured") | .http_status] | unique | join(" ")')"
    end_process "$PEER"
}

# --- HAProxy ---

start_haproxy() { # PORT
    sed "s/@PORT@/$1/g" "$WORK/haproxy.cfg" >"$WORK/haproxy.run"
    haproxy -db -f "$WORK/haproxy.run" >"$WORK/peer.err" 2>&1 &
    PEER=$!
}

test_haproxy() {
    cat "$WORK/rsa.crt" "$WORK/rsa.key" >"$WORK/haproxy.pem"
    cat >"$WORK/haproxy.cfg" <<END
global
    noreuseport
    nbthread 1
defaults
    mode http
    timeout client 10s
    timeout server 10s
    timeout connect 2s
frontend all
    bind 127.0.0.1:@PORT@ ssl crt $WORK/haproxy.pem
    http-request deny deny_status 400
END
    launch_on_port start_haproxy || return
    result "https://$ADDRESS/" "${modern[@]}"
    expect "HAProxy (status)" 0 "$STATUS"
    expect "HAProxy" 'measured response true' "$(statuses) $(proofs) $(all_confirmed)"
    said 'answered with HTTP status 400'
    expect "HAProxy: failures" '{}' "$(json '[.cases[].failures] | add | tojson')"
    result "https://$ADDRESS/" "${modern[@]}" --confirm close
    expect "HAProxy confirmed by close" 'measured close' "$(statuses) $(proofs)"
    end_process "$PEER"
}

# --- openssl s_server ---

# s_server ARG…: sets PEER and ADDRESS. Its input stays open: it reads commands there.
s_server() {
    local in="$WORK/s_server.$RANDOM" hold
    mkfifo "$in"
    exec {hold}<>"$in"
    : >"$WORK/s_server.out"
    (cd "$WORK/www" && exec openssl s_server -accept 127.0.0.1:0 -cert "$WORK/rsa.crt" -key "$WORK/rsa.key" "$@") \
        <"$in" >"$WORK/s_server.out" 2>&1 {hold}>&- &
    PEER=$!
    wait_until 60 grep -q ACCEPT "$WORK/s_server.out" || fail "s_server $*: $(cat "$WORK/s_server.out")"
    ADDRESS=$(sed -n 's/^ACCEPT //p' "$WORK/s_server.out")
}

test_s_server() {
    s_server -www -num_tickets 0
    result "https://$ADDRESS/" "${modern[@]}"
    expect "s_server -www" '0 measured response true' "$STATUS $(statuses) $(proofs) $(all_confirmed)"
    end_process "$PEER"

    s_server -WWW
    result "https://$ADDRESS/length" "${quick[@]}" --versions 1.3 --certs rsa-2048 --measure handshake,bulk
    expect "s_server -WWW" '0 measured' "$STATUS $(statuses)"
    end_process "$PEER"

    s_server
    result "$ADDRESS" "${modern[@]}"
    expect "s_server plain" '0 measured close finished true' "$STATUS $(statuses) $(proofs) $(all_confirmed)"
    end_process "$PEER"

    # The client is done before it is refused: nothing counts.
    s_server -Verify 1 -verify_return_error
    result "$ADDRESS" "${modern[@]}" --versions 1.3
    expect "s_server -Verify" '1 failed 0 null' "$STATUS $(json '.cases[0] | "\(.status) \(.confirmed) \(.rate)"')"
    said 'rejected: alert certificate required'
    end_process "$PEER"
}

# --- gnutls-serv ---

start_gnutls() { # PORT
    gnutls-serv --http --port "$1" --x509certfile "$WORK/rsa.crt" --x509keyfile "$WORK/rsa.key" >"$WORK/peer.err" 2>&1 &
    PEER=$!
}

test_gnutls() {
    launch_on_port start_gnutls || return
    result "https://$ADDRESS/" "${modern[@]}"
    expect "gnutls-serv" '0 measured response true' "$STATUS $(statuses) $(proofs) $(all_confirmed)"
    end_process "$PEER"
}

# --- our own server, met as a target ---

test_own() {
    start_server --certs ecdsa-p256 --client-ca "$WORK/ec.crt"
    result "$ADDRESS" "${quick[@]}" --versions 1.2,1.3 --certs ecdsa-p256 "${client[@]}"
    expect "--client-cert (status)" 0 "$STATUS"
    expect "--client-cert: the control connection works too" 'measured server true' \
        "$(statuses) $(proofs) $(json '[.cases[].counts_agree] | all')"
    expect "--client-cert: certificate of the server" ecdsa-p256 "$(json '[.cases[].certificate] | unique | join(" ")')"
    end_process "$SERVER_PID"

    start_server --certs ecdsa-p256
    result "$ADDRESS" "${quick[@]}" --versions 1.3 --certs ecdsa-p256 --measure handshake --source 127.0.0.9,127.0.0.10
    expect "--source" '0 measured true' "$STATUS $(statuses) $(json '[.cases[].counts_agree] | all')"
    result "$ADDRESS" "${quick[@]}" --source 203.0.113.9
    expect "--source of somebody else (status)" 2 "$STATUS"
    said '--source: 203.0.113.9: Cannot assign requested address'
    result "$ADDRESS" "${quick[@]}" --source ::1
    expect "--source of another family (status)" 2 "$STATUS"

    # A name with addresses of both families, of which one answers.
    printf '%s\n' '::1 both.test' '127.0.0.1 both.test' >"$WORK/hosts"
    if unshare -m sh -c 'mount --bind "$1" /etc/hosts && getent ahostsv6 both.test | grep -q ^::1' - "$WORK/hosts" 2>/dev/null; then
        # shellcheck disable=SC2016
        timeout 200 unshare -m sh -c 'mount --bind "$1" /etc/hosts && shift && exec "$@"' - "$WORK/hosts" \
            "$BIN/suitemark" "both.test:$PORT" "${quick[@]}" --versions 1.3 --certs ecdsa-p256 --measure handshake >"$WORK/said" 2>&1
        expect "a name with two families (status)" 0 "$?"
        said "both.test:$PORT at 127.0.0.1:$PORT"
    else
        echo "left out: no mount namespace here to give a name two addresses"
    fi
    end_process "$SERVER_PID"
}

mkdir -p "$WORK/www"
head -c 30000 /dev/urandom | base64 >"$WORK/www/length"
echo hello >"$WORK/www/index.html"
for path in chunked until-close; do
    { echo '<!--# echo var="none" default="" -->' && cat "$WORK/www/length"; } >"$WORK/www/$path"
done
client=(--client-cert "$WORK/ec.crt" --client-key "$WORK/ec.key")

test_own
test_s_server
if have nginx; then
    test_nginx
    test_nginx_client_certificate
fi
! have haproxy || test_haproxy
! have gnutls-serv || test_gnutls
true
