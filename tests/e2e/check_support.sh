# Shared by the end-to-end tests of `suitemark check`: sourced behind support.sh. Real servers run in the foreground as
# children of the test, on a free port of the test's choice, which they tell by taking it.

PATH=$PATH:/usr/sbin

certs() { # KIND,…: $WORK/certs/KIND.crt and .key
    "$BIN/suitemark-certs" --kinds "$1" --force "$WORK/certs" >"$WORK/said" 2>&1 || {
        cat "$WORK/said" >&2
        exit 1
    }
}

free_port() { # sets PORT to one that nothing listens on now; who takes it first decides
    local try
    for try in $(seq 50); do
        PORT=$((20000 + RANDOM % 12000))
        (exec 3<>"/dev/tcp/127.0.0.1/$PORT") 2>/dev/null || return 0
    done
    echo "FAILED: no free port in $try tries" >&2
    exit 1
}

# serve LOG COMMAND…: starts a server that will listen on $PORT; 1 when it ended instead (its words are in LOG).
serve() {
    local log=$1
    shift
    "$@" >"$log" 2>&1 </dev/null &
    PEER=$!
    wait_until 60 listens_or_ended "$PEER" "$PORT" || echo "FAILED: $1 does not listen on $PORT" >&2
    listens "$PEER" "$PORT" && return
    stop_peer
    return 1
}

stop_peer() {
    kill "$PEER" 2>/dev/null
    wait "$PEER" 2>/dev/null
}

# start_nginx HTTP_LINES: an nginx with these lines in its http block, PORT in place of @PORT@; writes
# $WORK/nginx.conf. 1 when nginx refuses them (its words are in $WORK/nginx.log).
start_nginx() {
    local try
    for try in 1 2 3 4 5; do
        free_port
        cat >"$WORK/nginx.conf" <<EOF
daemon off;
master_process off;
pid $WORK/nginx.pid;
error_log stderr notice;
events { worker_connections 256; }
http {
    access_log off;
    client_body_temp_path $WORK/t1; proxy_temp_path $WORK/t2; fastcgi_temp_path $WORK/t3;
    uwsgi_temp_path $WORK/t4; scgi_temp_path $WORK/t5;
${1//@PORT@/$PORT}
}
EOF
        serve "$WORK/nginx.log" nginx -p "$WORK" -e stderr -c "$WORK/nginx.conf" && return 0
        grep -q 'bind() .*failed (98' "$WORK/nginx.log" || return 1
    done
    return 1
}

# negotiates ARG…: what openssl s_client gets from $PORT: "VERSION SUITE GROUP", "" when the handshake fails.
negotiates() {
    timeout 120 openssl s_client -connect "127.0.0.1:$PORT" "$@" </dev/null >"$WORK/s_client" 2>"$WORK/s_client.err"
    sed -n 's/^New, \(.*\), Cipher is \(.*\)$/\2/p' "$WORK/s_client" | grep -v NONE
}
