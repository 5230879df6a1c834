# What people try with `suitemark check`, each with its right answer: words alone, then with the proof and the price.
. "$(dirname "$0")/support.sh"
. "$(dirname "$0")/check_support.sh"
command -v jq >/dev/null || skip "jq is not installed"

# lint STATUS ARG…: findings of the words alone in $WORK/check.json
lint() {
    local wanted=$1 status=0
    shift
    timeout 200 "$BIN/suitemark" check --no-measure --format json "$@" >"$WORK/check.json" 2>"$WORK/said" || status=$?
    expect "$* (status; $(cat "$WORK/said"))" "$wanted" "$status"
}

# finds NAME FILTER: one finding at least is so
finds() {
    jq -e "[.findings[] | select($2)] | length > 0" "$WORK/check.json" >/dev/null ||
        fail "$1: no finding with $2 in $(jq -c '.findings' "$WORK/check.json")"
}

usable() { # the usable suites of TLS 1.2 and before
    jq -r '[.suites[] | select(.usable and .exchange != "any") | .suite] | unique | join(" ")' "$WORK/check.json"
}

lint 1 ECDHE-RSA-AES128-GCM-SHA265:ECDHE-RSA-AES256-GCM-SHA384
finds typo '.kind == "unknown word" and .word == "ECDHE-RSA-AES128-GCM-SHA265" and .place == "character 1" and
    (.remedy | contains("ECDHE-RSA-AES128-GCM-SHA256"))'
expect "the second works" ECDHE-RSA-AES256-GCM-SHA384 "$(usable)"

lint 1 TLS_AES_128_GCM_SHA256:ECDHE-ECDSA-AES128-GCM-SHA256
finds "TLS 1.3 name" '.kind == "TLS 1.3 name" and .word == "TLS_AES_128_GCM_SHA256"'
expect "the second works" ECDHE-ECDSA-AES128-GCM-SHA256 "$(usable)"

for string in NULL-SHA256 PSK-AES128-GCM-SHA256 AES128-SHA@SECLEVEL=3; do
    lint 1 "$string"
    finds "$string" '.kind == "nothing usable" and .level == "error"'
    finds "$string" '.kind == "dead suite" and .text != ""'
    expect "$string usable" "" "$(usable)"
done
for string in @SECLEVEL=2 : ' ' ''; do
    lint 1 "$string"
    finds "\"$string\"" '.kind == "selects nothing" and .level == "error"'
done
lint 1 DEFAULT@SECLEVEL=9
finds level '.kind == "invalid command" and .place == "character 8" and .word == "@SECLEVEL=9"'
# A word for Suite B is read alone, and elsewhere not at all; it leaves nothing behind for the words after it.
lint 1 SUITEB128:HIGH --certs rsa-2048,ecdsa-p256
finds "Suite B" '.kind == "unread words" and .place == "character 11" and .word == "HIGH"'
expect "Suite B" "ecdsa-p256 p-256 p-384 true" \
    "$(jq -r '([.suites[] | select(.usable) | .certificate] | unique | join(" ")) + " " + (.subjects[0] | (.groups | join(" ")) + " \(.prefer_server)")' "$WORK/check.json")"
lint 1 HIGH:SUITEB128:FOO
finds "Suite B elsewhere" '.kind == "misplaced Suite B" and .place == "character 6"'
finds "a word behind it" '.kind == "unknown word" and .word == "FOO" and .place == "character 16"'
lint 1 AES128-SHA@FOO
finds command '.kind == "invalid command" and .place == "character 11"'
lint 1 '[ECDHE-ECDSA-AES128-GCM-SHA256|ECDHE-ECDSA-CHACHA20-POLY1305]:ECDHE+AES128'
finds brackets '.kind == "BoringSSL group" and (.text | contains("OpenSSL has no such groups"))'

lint 1 DHE-RSA-AES128-GCM-SHA256 --certs ecdsa-p256
finds "DHE-RSA with EC" '.kind == "dead suite" and (.text | contains("needs an RSA certificate"))'
lint 1 ECDHE-RSA-AES128-GCM-SHA256:AES128-GCM-SHA256 --certs rsa-pss-2048
finds "static RSA with RSA-PSS" '.kind == "dead suite" and .word == "AES128-GCM-SHA256" and (.text | contains("RSA-PSS"))'
expect "RSA-PSS" ECDHE-RSA-AES128-GCM-SHA256 "$(usable)"
lint 1 ECDHE-ECDSA-AES128-GCM-SHA256 --certs ecdsa-p521 --groups X25519:P-256 --versions 1.2
finds "P-521" '.kind == "curve is missing" and (.text | contains("no shared cipher"))'
lint 1 ECDHE-ECDSA-AES128-GCM-SHA256 --certs ecdsa-p256 --groups X25519 --versions 1.2
finds "P-256 itself" '.kind == "curve is missing" and .remedy == "add P-256 to the groups"'
lint 1 ECDHE-RSA-AES128-SHA --versions 1.0,1.2
finds "TLS 1.0" '.kind == "idle version" and (.text | contains("no suitable signature algorithm") and contains("level 0"))'
lint 1 'ECDHE+AESGCM:ECDHE-RSA-AES128-GCM-SHA256:!RC4'
finds duplicate '.kind == "idle word" and .word == "ECDHE-RSA-AES128-GCM-SHA256" and .place == "character 14"'
expect simpler ECDHE+AESGCM "$(jq -r '.subjects[0].simpler' "$WORK/check.json")"
lint 1 TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256:AES128-GCM-SHA256
[[ $(openssl version) == *" 3.0."* ]] &&
    finds IANA '.kind == "IANA name" and (.remedy | contains("ECDHE-RSA-AES128-GCM-SHA256"))'
lint 1 ECDHE+AESGCM --tls13 TLS_AES_128_GCM_SHA256,TLS_AES_256_GCM_SHA384
finds separator '.kind == "separator" and .place == "--tls13, character 1" and .remedy == "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384"'
lint 1 ECDHE+AESGCM --tls13 ECDHE-RSA-AES128-GCM-SHA256:TLS_AES_256_GCM_SHA384
finds "TLS 1.2 name" '.kind == "TLS 1.2 name"'
lint 0 'ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256'
# Foreign bytes, also where a text is cut, leave the result whole.
lint 1 $'AES128-SHA:caf\xe9'
finds "foreign bytes" '.kind == "unknown word" and .word == "caf?"'
printf 'server { listen 443 ssl; server_name caf\xe9; ssl_ciphers AES128-SHA:\xff; }' >"$WORK/latin.conf"
lint 1 --nginx "$WORK/latin.conf"
expect "foreign bytes of a name" "server caf? ($WORK/latin.conf:1)" "$(jq -r '.subjects[0].name' "$WORK/check.json")"
# TLS 1.3 without a suite, and a lower version without one below a gap, shut every client out.
lint 1 ECDHE-RSA-AES128-GCM-SHA256 --tls13 ''
finds "TLS 1.3 without suites" '.kind == "nothing usable" and .level == "error" and .word == "1.3"'
expect "TLS 1.3 without suites" "" "$(usable)"
lint 0 ECDHE-RSA-AES128-GCM-SHA256 --tls13 '' --versions 1.2
lint 1 ECDHE-RSA-AES128-GCM-SHA256 --versions 1.0,1.2
finds "gap" '.kind == "nothing usable" and .level == "error" and .word == "1.0"'
lint 1 ECDHE-RSA-AES128-GCM-SHA256 --versions 1.1
finds "no suite of the only version" '.kind == "dead suite" and (.text | contains("TLS 1.2 is off"))'
lint 0 ECDHE-RSA-AES128-GCM-SHA265:ECDHE-RSA-AES256-GCM-SHA384 --fail-on error

# Certificates as at a server's start.
certs rsa-2048,ecdsa-p256,ecdsa-p384
RSA=$WORK/certs/rsa-2048
lint 1 ECDHE+AESGCM --cert "$RSA.crt" --key "$WORK/certs/ecdsa-p256.key"
finds "key of another certificate" '.kind == "certificate" and .level == "error"'
lint 0 ECDHE-RSA-AES128-GCM-SHA256 --cert "$RSA.crt" --key "$RSA.key"
expect "kind of a file" "rsa-2048 false" "$(jq -r '.subjects[0].certificates[0] | "\(.kind) \(.stand_in)"' "$WORK/check.json")"
lint 1 ECDHE-ECDSA-AES128-GCM-SHA256 --cert "$WORK/certs/ecdsa-p256.crt" --key "$WORK/certs/ecdsa-p256.key" \
    --cert "$WORK/certs/ecdsa-p384.crt" --key "$WORK/certs/ecdsa-p384.key"
finds "two EC certificates" '.kind == "shadowed certificate" and (.text | contains("ecdsa-p384"))'

openssl rsa -in "$RSA.key" -aes128 -passout pass:secret -out "$WORK/certs/locked.key" 2>/dev/null
echo secret >"$WORK/certs/pass"
cat >"$WORK/locked.conf" <<EOF
server { listen 443 ssl; ssl_certificate certs/rsa-2048.crt; ssl_certificate_key certs/locked.key;
    ssl_protocols TLSv1.2; ssl_ciphers ECDHE-RSA-AES128-GCM-SHA256; ssl_password_file certs/pass; }
EOF
lint 0 --nginx "$WORK/locked.conf"

# What cannot be read, or makes no sense, is said on one line.
for arguments in "--nginx $WORK/none" "A B" "A --nginx x" "" "A --versions 1.4" "A --certs rsa-2049" "A --cert x" "--target" \
    "--target host:99999" "A --nginx-version 1.2.3" "A --fail-on maybe"; do
    # shellcheck disable=SC2086
    lint 2 $arguments
    expect "$arguments: lines" 1 "$(wc -l <"$WORK/said")"
done

# A file that cannot be read at all says where.
echo 'http { "server { listen 443 ssl; }' >"$WORK/quote.conf"
lint 2 --nginx "$WORK/quote.conf"
grep -q "quote.conf:[12]: " "$WORK/said" || fail "unreadable: no line in $(cat "$WORK/said")"

echo 'server { listen 443 ssl; ssl_certificate certs/rsa-2048.crt; ssl_certificate_key certs/rsa-2048.key; }' >"$WORK/default.conf"
lint 1 --nginx "$WORK/default.conf"
finds "place in the default" ".kind == \"weak\" and .place == \"nginx's default ssl_ciphers, character 1\""

# nginx: inheritance, and what a shared socket does to a block.
cat >"$WORK/site.conf" <<EOF
http {
    ssl_certificate certs/rsa-2048.crt;
    ssl_certificate_key certs/rsa-2048.key;
    ssl_protocols TLSv1.2;
    ssl_ciphers ECDHE-RSA-AES128-GCM-SHA256;
    server { listen 443 ssl; server_name one; }
    server {
        listen 443 ssl;
        server_name two;
        ssl_ciphers ECDHE-RSA-AES256-GCM-SHA384;
        ssl_protocols TLSv1.3;
        ssl_ecdh_curve prime256v1;
    }
}
EOF
lint 1 --nginx "$WORK/site.conf" --nginx-version 1.22.1
suites_of() {
    jq -r --arg name "$1" '[.suites[] | select(.usable and (.subject | startswith("server " + $name))) | .suite] | join(" ")' \
        "$WORK/check.json"
}
expect "inherited" ECDHE-RSA-AES128-GCM-SHA256 "$(suites_of one)"
expect "overridden" ECDHE-RSA-AES256-GCM-SHA384 "$(suites_of two)"
finds "protocols of the second" '.kind == "no effect" and .word == "ssl_protocols" and (.place | endswith("site.conf:11")) and
    (.text | contains("site.conf:4"))'
finds "curve of the second" '.kind == "no effect" and .word == "ssl_ecdh_curve" and (.place | endswith("site.conf:12"))'
# One block with which nginx does not start: then nothing is usable, and both say so.
{
    sed '$d' "$WORK/site.conf"
    echo "server { listen 8443 ssl; server_name three; ssl_ciphers TLS_AES_128_GCM_SHA256; ssl_protocols TLSv1.3; } }"
} >"$WORK/refused.conf"
lint 1 --nginx "$WORK/refused.conf" --nginx-version 1.22.1
finds "nginx does not load" '.kind == "selects nothing" and (.text | contains("no cipher match")) and
    (.place | endswith("refused.conf:14, character 1"))'
finds "the right directive" '.kind == "TLS 1.3 name" and (.remedy | contains("ssl_conf_command Ciphersuites"))'
expect "the refused block" "false false true" "$(jq -r '[.subjects[].refused] | join(" ")' "$WORK/check.json")"
expect "no block starts" "false" "$(jq -r '[.subjects[].starts] | any' "$WORK/check.json")"
expect "nothing is usable" "0 0" \
    "$(jq -r '"\([.suites[] | select(.usable)] | length) \([.subjects[].usable] | add)"' "$WORK/check.json")"
lint 1 --nginx "$WORK/site.conf" --server-name two
expect "one block" 1 "$(jq '.subjects | length' "$WORK/check.json")"
# As nginx -T prints it, from standard input.
{ echo "# configuration file $WORK/site.conf:" && cat "$WORK/site.conf"; } >"$WORK/dump"
lint 0 --nginx - --server-name one <"$WORK/dump"
expect "dump" ECDHE-RSA-AES128-GCM-SHA256 "$(suites_of one)"

# 20 blocks in 200 lines; how long that takes is measured by tests/bench/lint_time.
{
    echo "http { ssl_certificate certs/rsa-2048.crt; ssl_certificate_key certs/rsa-2048.key;"
    for i in $(seq 20); do
        printf 'server {\n listen 443 ssl;\n server_name s%d;\n ssl_ciphers HIGH:!aNULL:!MD5;\n location / {\n return 200;\n }\n # x\n\n}\n' "$i"
    done
    echo "}"
} >"$WORK/long.conf"
timeout 200 "$BIN/suitemark" check --no-measure --format json --nginx "$WORK/long.conf" >"$WORK/check.json" 2>&1
expect "all blocks" 20 "$(jq '.subjects | length' "$WORK/check.json")"

# The whole: proof, price, clients and advice.
status=0
timeout 300 "$BIN/suitemark" check 'AES128-SHA:ECDHE-RSA-AES256-SHA384:ECDHE-ECDSA-AES128-GCM-SHA256:@SECLEVEL=1' --prefer-server --versions 1.2 \
    --time 8s --format json >"$WORK/check.json" 2>"$WORK/said" || status=$?
expect "whole check ($(cat "$WORK/said"))" 1 "$status"
whole() {
    expect "$1" "${3:-true}" "$(jq -r "$2" "$WORK/check.json")"
}
whole "kind" '.schema + " " + .kind' "suitemark-result/1 check"
whole "nothing surprises" '.subjects[0].proof | .surprises == 0 and .negotiated == 3 and .refused > 3'
whole "all usable are proved" '[.suites[] | select(.usable) | .proved] | length == 3 and all'
whole "all usable are priced" '[.suites[] | select(.usable) | .handshake.per_core > 0 and .bulk.rate.median > 0] | all'
whole "static RSA is weak" '.suites[] | select(.suite == "AES128-SHA") | .weak | index("static RSA") != null'
whole "twelve clients" '.clients | length' 12
whole "Java 8 in the server's order" '.clients[] | select(.client == "Java 8u31") | .suite' AES128-SHA
whole "the IoT client is told why" '.clients[] | select(.client | startswith("IoT")) | .connects == false and (.reason | length > 0)'
whole "every profile has a source and a date" '[.clients[] | (.source | length > 0) and (.date | test("^20"))] | all'
whole "what cannot be offered is listed" '.clients[] | select(.client == "Windows 10 Schannel") | .unspoken | split(" ") | index("DES-CBC3-SHA") != null'
whole "nothing of it is cut" '.clients[] | select(.client == "OpenSSL 1.0.2") | .unspoken | test("ECDH-RSA-DES-CBC3-SHA .*DES-CBC-SHA")'
whole "the weak suite goes" '.subjects[0].advice | .removes and (.ciphers | index("AES128-SHA") == null)'
whole "the level stays" '.subjects[0].advice.security_level' 1
whole "weak by a warning, by a note, not at all" '[.suites[] | select(.usable) | .weak_level // "no"] | join(" ")' "warning note no"
whole "the cheapest comes first" '.subjects[0].advice.ciphers[0]' ECDHE-ECDSA-AES128-GCM-SHA256
# Why a client gets nothing: the curve for one that shares a suite, the suites for one that does not.
timeout 100 "$BIN/suitemark" check ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-CCM --versions 1.2 --certs rsa-2048,ecdsa-p384 \
    --time 2s --format json >"$WORK/check.json" 2>"$WORK/said"
reason() {
    jq -r --arg client "$1" '.clients[] | select(.client | startswith($client)) | .reason' "$WORK/check.json"
}
[[ $(reason "Android 7") == *"curve P-384 is not among its groups"* ]] || fail "Android 7: $(reason "Android 7")"
[[ $(reason IoT) == *curve* ]] && fail "IoT: $(reason IoT)"
"$BIN/suitemark" check 'ECDHE+AESGCM:AES128-SHA' --no-measure >"$WORK/table" 2>&1
LONG=ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384
"$BIN/suitemark" check "$LONG:AES128-SHA" --no-measure --tls13 "${LONG//:/,}" >>"$WORK/table" 2>&1
"$BIN/suitemark" check "$LONG:AES128-SHA" --no-measure --versions 1.3 >>"$WORK/table" 2>&1
# What is to be pasted stays on one line.
sed -i "\|^ *→ ECDHE-ECDSA|d" "$WORK/table"
expect "columns" "" "$(awk 'length($0) > 126' "$WORK/table")" # bytes: a little more than 120 characters
