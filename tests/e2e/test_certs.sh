#!/usr/bin/env bash
# suitemark-certs: what it writes, what it refuses, and that OpenSSL, nginx and HAProxy take it.
. "$(dirname "$0")/support.sh"

certs=$BIN/suitemark-certs

# expect STATUS COMMAND...: its output goes to $WORK/out and $WORK/err.
expect() {
    local status=$1 got=0
    shift
    "$@" >"$WORK/out" 2>"$WORK/err" || got=$?
    [ "$got" = "$status" ] || fail "$* ended with $got instead of $status: $(cat "$WORK/err")"
}

says() {
    grep -qF -- "$2" "$WORK/$1" || fail "no \"$2\" in $1: $(cat "$WORK/$1")"
}

fingerprints() {
    (cd "$1" && sha256sum -- * | sort)
}

# Usage: told on one line, nothing written.
expect 2 "$certs"
says err "the folder is missing"
expect 2 "$certs" "$WORK/none" --kinds ecdsa-p265
says err "did you mean ecdsa-p256?"
expect 2 "$certs" "$WORK/none" --no-such-option
[ ! -e "$WORK/none" ] || fail "a usage error has made the folder"
expect 0 "$certs" --help
says out "--kinds"
says out "--force"
expect 0 "$certs" --version
says out ", OpenSSL "
expect 1 "$certs" "$WORK/no/parent"
says err "No such file or directory"

# Every kind of this library.
all=$WORK/all
expect 0 "$certs" "$all"
says out "root: $all/root.crt"
mapfile -t kinds < <(sed -n 's/^\([a-z0-9-]*\): .*/\1/p' "$WORK/out" | grep -v '^root$')
[ "${#kinds[@]}" -ge 10 ] || fail "only ${#kinds[@]} kinds: $(cat "$WORK/out")"
for kind in "${kinds[@]}"; do
    openssl verify -x509_strict -purpose sslserver -verify_hostname "$kind.suitemark.test" \
        -CAfile "$all/root.crt" -untrusted "$all/$kind.crt" "$all/$kind.crt" >/dev/null ||
        fail "$kind.crt does not verify"
    [ "$(openssl x509 -in "$all/$kind.crt" -noout -pubkey)" = \
        "$(openssl pkey -in "$all/$kind.key" -pubout)" ] || fail "$kind.key is another's"
    cmp -s "$all/$kind.pem" <(cat "$all/$kind.crt" "$all/$kind.key") || fail "$kind.pem is not both"
    [ "$(grep -c 'BEGIN CERTIFICATE' "$all/$kind.crt")" = 2 ] || fail "$kind.crt is no chain of two"
    [ "$(stat -c %a "$all/$kind.key" "$all/$kind.pem" | sort -u)" = 600 ] || fail "$kind: modes"
done
[ "$(find "$all" -name '*.tmp*' -o -name '.*' -type f | wc -l)" = 0 ] || fail "files left over"

# Nothing is overwritten, and the refusal comes before anything is made or changed.
before=$(fingerprints "$all")
expect 2 "$certs" "$all"
says err "--force"
[ "$before" = "$(fingerprints "$all")" ] || fail "a refusal has changed files"

# --force replaces what it was asked for and keeps the authority.
expect 0 "$certs" "$all" --kinds ed25519 --force
changed=$(comm -13 <(echo "$before") <(fingerprints "$all") | sed 's/.* //' | sort | tr '\n' ' ')
[ "$changed" = "ed25519.crt ed25519.key ed25519.pem " ] || fail "--force changed $changed"

# More kinds for a folder come from its authority.
some=$WORK/some
expect 0 "$certs" "$some" --kinds ed25519
root=$(sha256sum <"$some/root.crt")
expect 0 "$certs" "$some" --kinds rsa-2048,ecdsa-p256
[ "$root" = "$(sha256sum <"$some/root.crt")" ] || fail "the root has changed"
for kind in ed25519 rsa-2048 ecdsa-p256; do
    openssl verify -CAfile "$some/root.crt" -untrusted "$some/$kind.crt" "$some/$kind.crt" \
        >/dev/null || fail "$kind.crt does not verify by the first root"
done

# A root that came from elsewhere is kept.
mkdir "$WORK/foreign"
cp "$some/root.crt" "$WORK/foreign/root.crt"
expect 1 "$certs" "$WORK/foreign" --kinds ed25519
says err "cannot be used"
[ "$(ls "$WORK/foreign")" = root.crt ] || fail "files beside a foreign root"

# A server of OpenSSL's with one pair, and a client that trusts the root only.
mkfifo "$WORK/lines"
openssl s_server -accept 127.0.0.1:0 -cert "$some/rsa-2048.crt" -cert_chain "$some/rsa-2048.crt" \
    -key "$some/rsa-2048.key" -naccept 1 -www >"$WORK/lines" 2>"$WORK/server.err" &
exec 3<"$WORK/lines"
port=
while read -r -t 120 line <&3; do
    case $line in
    ACCEPT*) port=${line##*:} && break ;;
    esac
done
[ -n "$port" ] || fail "s_server does not start: $(cat "$WORK/server.err")"
expect 0 timeout 120 openssl s_client -connect "127.0.0.1:$port" -CAfile "$some/root.crt" \
    -verify_return_error -verify_hostname rsa-2048.suitemark.test </dev/null
says out "Verify return code: 0 (ok)"
exec 3<&-

PATH=$PATH:/usr/sbin
if command -v nginx >/dev/null; then
    {
        echo "error_log $WORK/nginx.err; pid $WORK/nginx.pid; events {}"
        echo "http { access_log off; client_body_temp_path $WORK/t1; proxy_temp_path $WORK/t2;"
        echo "fastcgi_temp_path $WORK/t3; uwsgi_temp_path $WORK/t4; scgi_temp_path $WORK/t5;"
        for kind in ed25519 rsa-2048 ecdsa-p256; do
            echo "server { listen unix:$WORK/nginx.sock ssl; server_name $kind.suitemark.test;"
            echo "ssl_certificate $some/$kind.crt; ssl_certificate_key $some/$kind.key; }"
        done
        echo "}"
    } >"$WORK/nginx.conf"
    expect 0 nginx -t -q -c "$WORK/nginx.conf" -e "$WORK/nginx.err"
else
    echo "nginx is not installed: not tried"
fi

if command -v haproxy >/dev/null; then
    {
        echo "defaults"
        echo "    mode http"
        echo "    timeout client 1s"
        echo "    timeout server 1s"
        echo "    timeout connect 1s"
        echo "frontend f"
        printf '    bind unix@%s ssl' "$WORK/haproxy.sock"
        printf ' crt %s' "$some/ed25519.pem" "$some/rsa-2048.pem" "$some/ecdsa-p256.pem"
        echo
    } >"$WORK/haproxy.cfg"
    expect 0 haproxy -c -q -f "$WORK/haproxy.cfg"
else
    echo "HAProxy is not installed: not tried"
fi

echo "${#kinds[@]} kinds tried"
