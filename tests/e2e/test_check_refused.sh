# Configurations that nginx may refuse: each row is given to `nginx -t` and to `suitemark check`, which must agree on whether
# nginx starts; where it does not, the finding stands at the line that is wrong, and nothing is called usable.
. "$(dirname "$0")/support.sh"
. "$(dirname "$0")/check_support.sh"
for program in nginx openssl jq; do
    command -v "$program" >/dev/null || skip "$program is not installed"
done

certs rsa-2048,rsa-3072,ecdsa-p256
openssl dhparam -dsaparam -out "$WORK/dh2048.pem" 2048 2>/dev/null
cp "$WORK/certs/root.crt" "$WORK/ca.pem"
: >"$WORK/empty.pem"
echo "no PEM" >"$WORK/junk.pem"
C="ssl_certificate certs/rsa-2048.crt; ssl_certificate_key certs/rsa-2048.key;"
L="listen 127.0.0.1:8443"
ROWS=0
REFUSED=0

# whole FIRST_LINES HTTP_LINES: $WORK/t.conf, whose http lines all stand in line 7
whole() {
    cat >"$WORK/t.conf" <<EOF
$1
pid $WORK/nginx.pid;
events { }
http {
    access_log off; client_body_temp_path $WORK/t1; proxy_temp_path $WORK/t2; fastcgi_temp_path $WORK/t3;
    uwsgi_temp_path $WORK/t4; scgi_temp_path $WORK/t5;
$2
    server { listen 127.0.0.1:9443 ssl; server_name good; $C }
}
EOF
}

# judge NAME: what nginx and check say of $WORK/t.conf
judge() {
    local starts=true
    nginx -p "$WORK" -e stderr -t -c "$WORK/t.conf" >"$WORK/nginx.log" 2>&1 || starts=false
    if grep -qE '(bind|socket)\(\) .*failed \((13|97|99): ' "$WORK/nginx.log"; then # no IPv6 here, or no right to the port
        echo "left out: $1: $(grep -m1 emerg "$WORK/nginx.log")"
        return
    fi
    "$BIN/suitemark" check --no-measure --format json --nginx "$WORK/t.conf" >"$WORK/check.json" 2>"$WORK/said"
    expect "$1: starts ($(grep -m1 emerg "$WORK/nginx.log"))" "$starts" \
        "$(jq -r '[.subjects[].starts] | all' "$WORK/check.json" 2>&1)$(cat "$WORK/said")"
    ROWS=$((ROWS + 1))
    [ "$starts" = false ] || return 0
    REFUSED=$((REFUSED + 1))
    expect "$1: usable" 0 "$(jq '[.suites[] | select(.usable)] | length' "$WORK/check.json")"
    expect "$1: an error at line ${2:-7}" true \
        "$(jq --arg place "t.conf:${2:-7}" '[.findings[] | select(.level == "error" and (.place | contains($place)))] | length > 0' "$WORK/check.json")"
}

row() { # HTTP_LINES
    whole "" "$1"
    judge "$1"
}

# each BEFORE AFTER VALUE…: a row for each of the values
each() {
    local before=$1 after=$2 value
    shift 2
    for value in "$@"; do row "$before$value$after"; done
}

each "server { $L ssl; $C ssl_session_cache " "; }" shared:SSL:10m shared:SSL shared:SSL:1 shared:SSL:32767 shared:SSL:32768 \
    shared:SSL:32K shared:SSL:31k shared::10m shared:SSL:10m:2 shared:SSL:10z shared:SSL:1g shared:SSL: shared builtin \
    builtin:1000 builtin:0 builtin:x builtin:-1 builtin: none off on Off default "builtin shared:SSL:10m" "shared:SSL:10 m"
row "server { $L ssl; $C ssl_session_cache shared:S:1m; } server { $L ssl; $C ssl_session_cache shared:S:2m; }"
row "server { $L ssl; $C ssl_session_cache shared:S:1m; } server { $L ssl; $C ssl_session_cache shared:S:1024k; }"

each "server { $L ssl; $C ssl_verify_client " "; }" on ON optional optional_no_ca off maybe "on; ssl_client_certificate ca.pem" \
    "on; ssl_trusted_certificate ca.pem" "on; ssl_client_certificate junk.pem" "on; ssl_client_certificate empty.pem" \
    "off; ssl_client_certificate junk.pem" "off; ssl_trusted_certificate junk.pem" "on; ssl_client_certificate ''"
row "ssl_verify_client on; server { $L; }  server { $L ssl; $C ssl_verify_client off; } server { listen 9444 ssl; $C ssl_client_certificate ca.pem; }
    ssl_client_certificate ca.pem;"

each "server { $L ssl; $C location / { " "; } }" "ssl_protocols TLSv1.2" "ssl_ciphers HIGH" "ssl_certificate x" \
    "ssl_session_cache off" "ssl_conf_command Options X" "ssl_verify_client off" "ssl on" "ssl_dhparam none" "ssl_stapling on" \
    "ssl_verify_depth 1" "ssl_session_timeout 1m" "ssl_cipher HIGH" "proxy_ssl_protocols TLSv1.2" "location /x { ssl_ciphers HIGH; }" \
    "limit_except GET { ssl_ciphers HIGH; }"
row "server { $L ssl; $C if (\$ssl_protocol = x) { ssl_ciphers HIGH; } }"
row "server { $L ssl; $C location / { location /x { ssl_ciphers HIGH; } } }"
row "upstream u { server 127.0.0.1:1; ssl_ciphers HIGH; }"
row "types { ssl_ciphers HIGH; }"
each "server { $L ssl; $C " "; }" "ssl_cipher HIGH" "ssl_ciphers" "SSL_CIPHERS HIGH" "ssl_protocol TLSv1.2" "ssl_certificat x"

each "" "" "server { $L ssl default_server; $C } server { $L ssl default_server; $C }" \
    "server { $L ssl default_server; $C } server { $L ssl default; $C }" \
    "server { $L default_server; } server { $L default_server; }" \
    "server { listen 8443 ssl default_server; $C } server { listen *:8443 ssl default_server; $C }" \
    "server { listen 8443 ssl default_server; $C } server { listen [::]:8443 ssl default_server; $C }" \
    "server { listen 8443 ssl default_server; $C } server { $L ssl default_server; $C }" \
    "server { listen 8443 ssl; listen 8443 ssl; $C }" "server { listen 8443 ssl; listen *:8443; $C }" \
    "server { listen 8443 ssl bogus; $C }" "server { listen 8443 SSL; $C }" "server { listen 8443 ssl http2 reuseport backlog=5; $C }"

# Options of a socket are set once, however its address is written.
for option in reuseport backlog=5 bind deferred so_keepalive=on rcvbuf=8k sndbuf=8k setfib=0 fastopen=5 proxy_protocol http2; do
    row "server { $L ssl $option; $C } server { $L ssl $option; server_name b; $C }"
done
each "" "" "server { $L ssl reuseport; $C } server { $L ssl backlog=5; server_name b; $C }" \
    "server { $L ssl reuseport; $C } server { $L ssl; server_name b; $C }" \
    "server { listen [::]:8443 ssl ipv6only=on; $C } server { listen [::]:8443 ssl ipv6only=on; server_name b; $C }" \
    "server { listen [::1]:8443 ssl; $C } server { listen [::1]:8443 ssl; server_name b; $C }" \
    "server { listen [::1]:8443 ssl; listen [0::1]:8443 ssl; $C }" \
    "server { listen [::1]:8443 ssl; listen [0:0:0:0:0:0:0:1]:08443 ssl; $C }" \
    "server { listen [::]:8443 ssl; listen [0::0]:8443 ssl; $C }" "server { listen 08443 ssl; listen 8443 ssl; $C }" \
    "server { $L ssl; listen 127.0.0.1:008443 ssl; $C }" "server { listen 127.0.0.1 ssl; listen 127.0.0.1:80 ssl; $C }" \
    "server { listen [::1] ssl; listen [::1]:80 ssl; $C }" "server { listen * ssl; listen *:80 ssl; $C }"

# Forms of values, addresses, and what this version does not have.
each "server { $L ssl; $C " "; }" "ssl_session_timeout 1d12h" "ssl_session_timeout '1d 12h'" "ssl_session_timeout 12h1d" \
    "ssl_session_timeout 5ms" "ssl_session_timeout ''" "ssl_session_timeout d" "ssl_buffer_size 4K" "ssl_buffer_size 1g" "ssl_buffer_size k" \
    "ssl_verify_depth 2" "ssl_verify_depth -1" "ssl_ocsp_cache on" "ssl_ocsp_cache shared:O:1m" "http2 on" "ssl_preread on"
for address in 8443-8445 8445-8443 8443- 99999 0 "''" [::1] [::1 [::g]:8443 []:8443 ::1:8443 127.0.0.1: *: : 127.1:8443 256.1.1.1:8443 \
    a/b:8443 unix: localhost:8443 "8443-8445 ssl; listen 8444" "8443-8445 ssl; listen 8446" "localhost:8443; listen 127.0.0.1:8443"; do
    row "server { listen $address ssl; $C }"
done
for parameter in backlog=0 backlog=x backlog=-1 rcvbuf=x rcvbuf=8k ipv6only=maybe fastopen=x so_keepalive=maybe so_keepalive=30m::10 \
    so_keepalive=30m so_keepalive=:: so_keepalive=::10 so_keepalive=:x: multipath spdy udp; do
    row "server { $L ssl; $C } server { listen 127.0.0.1:8444 $parameter; }"
done
each "server { $L ssl; $C ssl_session_cache shared:S:1m; } " "" "limit_req_zone \$binary_remote_addr zone=S:1m rate=1r/s;" \
    "limit_conn_zone \$binary_remote_addr zone=S:1m;" "upstream u { zone S 1m; server 127.0.0.1:1; }" "upstream u { zone T 1m; server 127.0.0.1:1; }" \
    "ssl_ocsp_cache shared:S:1m;"
for size in 48 80 50 0; do head -c "$size" /dev/zero >"$WORK/ticket$size"; done
each "server { $L ssl; $C " "; }" "ssl_session_ticket_key ticket48" "ssl_session_ticket_key ticket80" "ssl_session_ticket_key ticket50" \
    "ssl_session_ticket_key ticket0" "ssl_crl junk.pem" "ssl_crl ca.pem" "include" "include ca.pem ca.pem"

each "" "" "server { $L ssl; $C server { listen 127.0.0.1:8444; } }" "listen 80;" "location / { }" "upstream u { listen 80; }" \
    "server { $L ssl; $C location / { location /a { limit_except GET { deny all; } } } }" "server { $L ssl; $C http { } }"

# Switches and versions in any case; lines of ssl_protocols add up.
each "server { $L ssl; $C " "; }" "ssl_prefer_server_ciphers ON" "ssl_session_tickets OFF" "ssl_protocols tlsv1.2; ssl_protocols TLSv1.3" \
    "ssl_protocols TLSv1.2; ssl_protocols TLSv1.2" "ssl_reject_handshake On"

# Lines of the http level that every block overrides: what is read in the line counts, what OpenSSL would say does not.
each "" "; server { $L ssl; $C ssl_protocols TLSv1.2; ssl_ciphers HIGH; ssl_session_cache off; ssl_verify_client off; }" \
    "ssl_protocols TLSv9" "ssl_session_cache wrong" "ssl_verify_client maybe" "ssl_ciphers A B" "ssl_ciphers HIGH; ssl_ciphers HIGH" \
    "ssl_prefer_server_ciphers yes" "ssl_ciphers"
each "" "; server { listen 127.0.0.1:9443 ssl; server_name bad; $C }" "ssl_ciphers NOPE" "ssl_ecdh_curve nope" "ssl_dhparam junk.pem" \
    "ssl_conf_command Nope x"

for plain in "" "server { listen 127.0.0.1:8080; }"; do # which inherits it, and a certificate
    whole "" "$C ssl_ciphers NOPE; server { $L ssl; ssl_ciphers HIGH; } $plain"
    sed -i '/server_name good/d' "$WORK/t.conf"
    judge "a list that only a plain block inherits: $plain"
done

# Blocks that no client sees: with a certificate, or turning clients away, nginx makes their contexts all the same.
each "server { listen 127.0.0.1:8080; " "; }" "ssl_ciphers NOPE" "ssl_protocols TLSv9" "ssl_dhparam junk.pem" "ssl_verify_client on" \
    "ssl_conf_command Nope x" "$C ssl_ciphers NOPE" "$C ssl_dhparam junk.pem" "$C ssl_verify_client on" "$C ssl_conf_command Nope x" \
    "ssl_certificate certs/rsa-2048.crt" "ssl_reject_handshake on; ssl_ciphers NOPE"
each "server { $L ssl; ssl_reject_handshake on; " "; }" "ssl_ciphers NOPE" "ssl_verify_client on" "ssl_ciphers HIGH"

# A block without a certificate: only the socket's default server needs one, unless that turns clients away.
each "" "" "server { $L ssl; $C } server { $L; server_name b; }" "server { $L; } server { $L ssl; $C server_name b; }" \
    "server { $L; $C } server { $L ssl; server_name b; }" "server { $L ssl; $C } server { $L ssl; server_name b; }" \
    "server { $L ssl; } server { $L ssl; $C server_name b; }" \
    "server { $L ssl; ssl_reject_handshake on; } server { $L ssl; server_name b; }" \
    "server { $L ssl; ssl_reject_handshake on; } server { $L; server_name b; }" \
    "server { $L ssl; ssl_reject_handshake on; } server { $L ssl; $C server_name b; }" \
    "server { $L ssl; $C } server { $L ssl; server_name b; ssl_reject_handshake on; }" \
    "server { $L; ssl_reject_handshake on; } server { $L ssl; $C server_name b; }" \
    "server { $L ssl; $C ssl_reject_handshake on; } server { $L; server_name b; }" \
    "server { $L; ssl on; }" "server { $L; ssl on; $C }" "server { $L; ssl on; $C } server { $L; server_name b; }" \
    "server { $L; $C } server { $L; ssl on; server_name b; }" "server { $L ssl; $C } server { $L; server_name b; ssl_ciphers NOPE; }" \
    "server { $L ssl; ssl_certificate certs/rsa-2048.crt; ssl_certificate certs/ecdsa-p256.crt; ssl_certificate_key certs/rsa-2048.key; }" \
    "server { $L ssl; $C ssl_certificate_key certs/ecdsa-p256.key; }" \
    "server { $L ssl; ssl_certificate certs/rsa-2048.crt; ssl_certificate_key certs/ecdsa-p256.key; }"

each "server { $L ssl; $C ssl_dhparam " "; }" dh2048.pem ca.pem certs/rsa-2048.key empty.pem junk.pem "''"

# Commands with files. DHParameters takes no X9.42 ones, which ssl_dhparam does.
openssl genpkey -genparam -algorithm DH -pkeyopt group:ffdhe2048 -out "$WORK/dh.pem" 2>/dev/null
each "server { $L ssl; $C ssl_conf_command " "; }" "DHParameters dh.pem" "DHParameters dh2048.pem" "DHParameters junk.pem" \
    "Certificate certs/rsa-3072.crt" "PrivateKey certs/rsa-3072.key" "Certificate junk.pem" "PrivateKey junk.pem" "VerifyMode Require" \
    "SignatureAlgorithms RSA+SHA256" "SignatureAlgorithms NOPE" "RecordPadding 512" "certificate certs/ecdsa-p256.crt" \
    "Certificate certs/rsa-3072.crt; ssl_conf_command PrivateKey certs/rsa-3072.key" \
    "PrivateKey certs/rsa-3072.key; ssl_conf_command Certificate certs/rsa-3072.crt" \
    "PrivateKey certs/ecdsa-p256.key; ssl_conf_command Certificate certs/ecdsa-p256.crt" \
    "Certificate certs/rsa-3072.crt; ssl_conf_command PrivateKey certs/ecdsa-p256.key" "VerifyCAFile junk.pem"
row "server { $L ssl; ssl_conf_command Certificate certs/ecdsa-p256.crt; ssl_conf_command PrivateKey certs/ecdsa-p256.key; }"

# Every line of the file is tried that is not empty.
openssl pkey -in "$WORK/certs/rsa-2048.key" -aes128 -passout pass:sesame -out "$WORK/locked.key"
printf 'sesame\n' >"$WORK/pass1"
printf 'wrong\n\nsesame' >"$WORK/pass3"
printf 'wrong\r\nsesame\r\n' >"$WORK/pass-dos"
printf 'wrong\n' >"$WORK/pass-wrong"
printf '\n' >"$WORK/pass-none"
each "server { $L ssl; ssl_certificate certs/rsa-2048.crt; ssl_certificate_key locked.key; ssl_password_file " "; }" pass1 pass3 \
    pass-dos pass-wrong pass-none
row "server { $L ssl; $C ssl_password_file pass-none; }"

# Nothing is opened that may never end.
mkfifo "$WORK/fifo"
whole "" "server { $L ssl; $C PLACEHOLDER; }"
for lines in "ssl_password_file fifo" "ssl_certificate fifo; ssl_certificate_key certs/rsa-2048.key" "ssl_dhparam fifo" \
    "ssl_certificate certs/rsa-2048.crt; ssl_certificate_key fifo" "ssl_trusted_certificate fifo" "include fifo" \
    "ssl_verify_client on; ssl_client_certificate fifo" "ssl_conf_command Certificate fifo" "ssl_conf_command PrivateKey fifo" \
    "ssl_conf_command DHParameters fifo" "ssl_conf_command VerifyCAFile fifo"; do
    sed "s|PLACEHOLDER|$lines|" "$WORK/t.conf" >"$WORK/fifo.conf"
    timeout 120 "$BIN/suitemark" check --no-measure --format json --nginx "$WORK/fifo.conf" >"$WORK/check.json" 2>"$WORK/said"
    expect "$lines: status" 1 $?
    expect "$lines: said" true "$(jq '[.findings[] | select((.place | contains("fifo.conf:7")) and (.text + .word | test("fifo|read here")))] | length > 0' "$WORK/check.json")"
done

# nginx runs the commands behind all that it loads: files are judged in the level of ssl_ciphers.
openssl req -x509 -newkey rsa:1024 -nodes -subj /CN=weak -keyout "$WORK/weak.key" -out "$WORK/weak.pem" 2>/dev/null
openssl dhparam -dsaparam -out "$WORK/dh1024.pem" 1024 2>/dev/null
for files in "ssl_certificate weak.pem; ssl_certificate_key weak.key" "$C ssl_dhparam dh1024.pem"; do
    each "server { $L ssl; $files; " "; }" "ssl_ciphers HIGH" "ssl_ciphers HIGH@SECLEVEL=0" \
        "ssl_ciphers HIGH; ssl_conf_command CipherString HIGH@SECLEVEL=0" \
        "ssl_ciphers HIGH@SECLEVEL=0; ssl_conf_command CipherString HIGH@SECLEVEL=2" \
        "ssl_ciphers HIGH@SECLEVEL=0; ssl_conf_command CipherString HIGH" "ssl_conf_command CipherString HIGH@SECLEVEL=0"
done
# A command's certificate is judged in the level that the commands before it leave, and what a command replaces is loaded too.
WEAK="Certificate weak.pem; ssl_conf_command PrivateKey weak.key"
each "server { $L ssl; $C ssl_conf_command " "; }" "$WEAK" "$WEAK; ssl_ciphers HIGH@SECLEVEL=0" \
    "CipherString HIGH@SECLEVEL=0; ssl_conf_command $WEAK" "$WEAK; ssl_conf_command CipherString HIGH@SECLEVEL=0" \
    "$WEAK; ssl_ciphers HIGH@SECLEVEL=0; ssl_conf_command CipherString HIGH@SECLEVEL=2" \
    "CipherString HIGH@SECLEVEL=2; ssl_conf_command $WEAK; ssl_ciphers HIGH@SECLEVEL=0" \
    "DHParameters dh2048.pem; ssl_dhparam junk.pem" "DHParameters dh2048.pem; ssl_dhparam dh1024.pem" \
    "DHParameters dh2048.pem; ssl_dhparam dh1024.pem; ssl_ciphers HIGH@SECLEVEL=1"
each "server { $L ssl; $C ssl_conf_command " "; }" "CipherString HIGH@SECLEVEL=0; ssl_conf_command DHParameters dh1024.pem" \
    "CipherString HIGH; ssl_ciphers NOPE" "CipherString NOPE; ssl_ciphers HIGH" "Protocol ALL,-TLSv1.2; ssl_conf_command Protocol TLSv1.2" \
    "Groups P-256; ssl_conf_command Curves P-384" "ECDHParameters P-384" "ECDHParameters automatic" "ECDHParameters P-256:P-384"

# A file of revocation lists alone.
: >"$WORK/index"
printf '[ca]\ndefault_ca = d\n[d]\ndatabase = %s\ndefault_md = sha256\ndefault_crl_days = 30\n' "$WORK/index" >"$WORK/ca.conf"
openssl ca -gencrl -config "$WORK/ca.conf" -keyfile "$WORK/weak.key" -cert "$WORK/weak.pem" -out "$WORK/crl.pem" 2>/dev/null
each "server { $L ssl; $C " "; }" "ssl_trusted_certificate crl.pem" "ssl_verify_client on; ssl_client_certificate crl.pem" \
    "ssl_trusted_certificate empty.pem"

# What separates words of a list, and what does not.
each "server { $L ssl; $C ssl_ciphers '" "'; }" "AES128-SHA AES256-SHA" $'AES128-SHA:\tAES256-SHA' $'AES128-SHA:\n AES256-SHA' \
    "AES128-SHA!AES256-SHA" "AES128-SHA!" "AES128-SHA, AES256-SHA"

# Whole files.
whole "" ""
printf '\xef\xbb\xbf' | cat - "$WORK/t.conf" >"$WORK/mark" && mv "$WORK/mark" "$WORK/t.conf"
judge "a byte order mark" 1
whole "" "server { $L ssl; $C $(printf '\xc2\xa0')ssl_ciphers HIGH; }"
judge "a blank that does not break"
whole "ssl_ciphers HIGH;" ""
judge "a line outside http" 1
whole "ssl_engine none;" "ssl_engine none;"
judge "a main line in http"
whole "" "server { $L ssl; $C ssl_ciphers HIGH }"
judge "no semicolon"
whole "" "server { $L ssl; $C ssl_ciphers \"HIGH; }"
judge "an open quote"

# One block that is refused: nothing of the others is usable either, but their own findings are there.
row "server { $L ssl; server_name weak; $C ssl_ciphers AES128-SHA; ssl_protocols TLSv1.2; } server { $L ssl; server_name bad; $C ssl_ciphers NOPE; }"
expect "findings of the other" true "$(jq '[.findings[] | select(.kind == "weak" and (.subject | startswith("server weak")))] | length > 0' "$WORK/check.json")"
expect "refused of itself" "false true false" "$(jq -r '[.subjects[].refused] | join(" ")' "$WORK/check.json")"
"$BIN/suitemark" check --nginx "$WORK/t.conf" >"$WORK/table" # measures nothing
grep -q "none is usable: nginx does not start" "$WORK/table" || fail "the table does not say it: $(cat "$WORK/table")"
grep -q "s/GB" "$WORK/table" && fail "prices or advice though nginx does not start"

# Each block's table has its own suites, also behind one that has none.
blocks=""
for suite in AES128-SHA AES256-SHA NULL-SHA AES128-SHA256; do
    blocks="$blocks
    server { listen 127.0.0.$((${#blocks} % 200 + 2)):8443 ssl; server_name b; $C ssl_ciphers $suite; ssl_protocols TLSv1.2; }"
done
whole "" "$blocks"
"$BIN/suitemark" check --no-measure --nginx "$WORK/t.conf" >"$WORK/table"
expect "suites by block" "b AES128-SHA b AES256-SHA b b AES128-SHA256 good" \
    "$(sed -n 's/^server \([a-z]*\) (.*/\1/p; s/^  \(AES[0-9]*-SHA[0-9]*\)  *1\.2 .*/\1/p' "$WORK/table" | awk '/^good/ { print; exit } 1' | paste -sd' ')"

[ "$REFUSED" -ge 60 ] || fail "only $REFUSED of $ROWS configurations are refused"
echo "$ROWS configurations agree, $REFUSED are refused by both"
