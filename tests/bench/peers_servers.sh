# The servers that tests/bench/peers compares, each one process on SERVER_CPU: sourced by it. Every server has a port for
# each certificate. They answer 1 KiB from memory; nginx sends its large file from the page cache.

LARGE=67108864 # bytes: nginx's file for bulk

declare -A PORT PID # by "ours/ecdsa-p256", "nginx/rsa-2048", … ; PID by the same

pinned() { # CPU COMMAND…
    local cpu=$1
    shift
    exec taskset -c "$cpu" "$@"
}

listens() { # PORT
    (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

# free_ports COUNT: sets FREE to so many ports that nobody listens on now; who binds one first decides.
free_ports() {
    local port
    FREE=()
    while [ "${#FREE[@]}" -lt "$1" ]; do
        port=$((20000 + RANDOM % 12000))
        listens "$port" || [[ " ${FREE[*]} " = *" $port "* ]] || FREE+=("$port")
    done
}

# await_port PORT PID LOG: until the process listens there; 1 when it has ended instead.
await_port() {
    local try
    for ((try = 0; try < 200; try++)); do
        kill -0 "$2" 2>/dev/null || return 1
        if listens "$1"; then return 0; fi
        sleep 0.05
    done
    cat "$3" >&2
    complain "no server on port $1"
}

start_ours() { # KIND NAME OPTION…
    local kind=$1 name=$2 out="$WORK/$2-$1.out" word=""
    shift 2
    mkfifo "$out"
    pinned "$SERVER_CPU" "$BUILD/suitemark-server" --listen 127.0.0.1:0 --threads 1 --cert "$WORK/certs/$kind.crt" \
        --key "$WORK/certs/$kind.key" "$@" >"$out" 2>"$WORK/ours.log" </dev/null &
    PID[$name/$kind]=$!
    PIDS+=($!)
    read -r -t 30 word address <"$out" || true
    [ "$word" = ready ] || complain "suitemark-server: $(cat "$WORK/ours.log")"
    PORT[$name/$kind]=${address##*:}
}

nginx_tls_server() { # PORT KIND LOG [TICKETS]
    cat <<END
    server {
        listen 127.0.0.1:$1 ssl backlog=4096;
        ssl_certificate $WORK/certs/$2.crt;
        ssl_certificate_key $WORK/certs/$2.key;
        access_log $3;
        ssl_session_tickets ${4:-off};
        location /1k { return 200 "$KILOBYTE"; }
        location /large { root $WORK/www; }
    }
END
}

# Logged ports serve other people's clients, quiet ones serve ours, which itself checks every connection. Logged ports have
# tickets off, or some clients would resume (what nginx then still sends in TLS 1.3 are two references without content);
# quiet ones send real, encrypted tickets, as suitemark-server and HAProxy do.
nginx_config() { # LOGGED_EC LOGGED_RSA QUIET_EC QUIET_RSA STATUS
    cat <<END
daemon off;
master_process off;
pid $WORK/nginx.pid;
error_log stderr warn;
events { worker_connections 1024; }
http {
    log_format proof '\$server_port \$status \$ssl_protocol \$ssl_cipher \$ssl_curve \$ssl_session_reused '
                     '\$connection_requests \$bytes_sent \$msec \$request_time';
    client_body_temp_path $WORK/t1; proxy_temp_path $WORK/t2; fastcgi_temp_path $WORK/t3;
    uwsgi_temp_path $WORK/t4; scgi_temp_path $WORK/t5;
    access_log off;
    ssl_protocols TLSv1.3;
    ssl_conf_command Ciphersuites TLS_AES_128_GCM_SHA256;
    ssl_ecdh_curve X25519;
    ssl_session_cache off;
    keepalive_requests 1000000;
    sendfile on;
    tcp_nodelay on;
    open_file_cache max=16;
$(nginx_tls_server "$1" ecdsa-p256 "$WORK/access.log proof buffer=256k")
$(nginx_tls_server "$2" rsa-2048 "$WORK/access.log proof buffer=256k")
$(nginx_tls_server "$3" ecdsa-p256 off on)
$(nginx_tls_server "$4" rsa-2048 off on)
    server { listen 127.0.0.1:$5; location / { stub_status; } }
}
END
}

start_nginx() {
    local try
    for try in 1 2 3 4 5; do
        free_ports 5
        nginx_config "${FREE[@]}" >"$WORK/nginx.conf"
        pinned "$SERVER_CPU" nginx -p "$WORK" -e stderr -c "$WORK/nginx.conf" >"$WORK/nginx.log" 2>&1 </dev/null &
        NGINX=$!
        PIDS+=("$NGINX")
        if await_port "${FREE[4]}" "$NGINX" "$WORK/nginx.log"; then
            PORT[logged/ecdsa-p256]=${FREE[0]} PORT[logged/rsa-2048]=${FREE[1]}
            PORT[nginx/ecdsa-p256]=${FREE[2]} PORT[nginx/rsa-2048]=${FREE[3]} STATUS_PORT=${FREE[4]}
            PID[nginx/ecdsa-p256]=$NGINX PID[nginx/rsa-2048]=$NGINX
            return
        fi
    done
    cat "$WORK/nginx.log" >&2
    complain "nginx does not start (in $try tries)"
}

haproxy_config() { # EC RSA STATS
    cat <<END
global
    nbthread 1
    maxconn 2000
    stats socket ipv4@127.0.0.1:$3 level operator
    tune.ssl.cachesize 0
    ssl-default-bind-options ssl-min-ver TLSv1.3
    ssl-default-bind-ciphersuites TLS_AES_128_GCM_SHA256
    ssl-default-bind-curves X25519
defaults
    mode http
    timeout client 10s
    timeout http-request 10s
frontend tls
    bind 127.0.0.1:$1 ssl crt $WORK/certs/ecdsa-p256.pem alpn http/1.1
    bind 127.0.0.1:$2 ssl crt $WORK/certs/rsa-2048.pem alpn http/1.1
    http-request return status 200 content-type application/octet-stream file $WORK/www/1k
END
}

start_haproxy() {
    local try pid
    for try in 1 2 3 4 5; do
        free_ports 3
        haproxy_config "${FREE[@]}" >"$WORK/haproxy.cfg"
        pinned "$SERVER_CPU" haproxy -db -f "$WORK/haproxy.cfg" >"$WORK/haproxy.log" 2>&1 </dev/null &
        pid=$!
        PIDS+=("$pid")
        if await_port "${FREE[2]}" "$pid" "$WORK/haproxy.log"; then
            PORT[haproxy/ecdsa-p256]=${FREE[0]} PORT[haproxy/rsa-2048]=${FREE[1]} HAPROXY_STATS=${FREE[2]}
            PID[haproxy/ecdsa-p256]=$pid PID[haproxy/rsa-2048]=$pid
            return
        fi
    done
    cat "$WORK/haproxy.log" >&2
    complain "HAProxy does not start (in $try tries)"
}

start_servers() {
    KILOBYTE=$(printf 'x%.0s' {1..1024})
    mkdir "$WORK/www"
    printf %s "$KILOBYTE" >"$WORK/www/1k"
    head -c "$LARGE" /dev/urandom >"$WORK/www/large"
    "$BUILD/suitemark-certs" --kinds ecdsa-p256,rsa-2048 "$WORK/certs" >"$WORK/certs.log" 2>&1 || complain "$(cat "$WORK/certs.log")"
    start_ours ecdsa-p256 ours --tickets 2
    start_ours rsa-2048 ours --tickets 2
    start_ours ecdsa-p256 bare
    start_ours rsa-2048 bare
    start_nginx
    start_haproxy
}

versions() {
    local name
    "$BUILD/suitemark" --version
    for name in nginx-light haproxy wrk apache2-utils nghttp2-client curl; do
        dpkg-query -W -f '${Package} ${Version}  ' "$name" 2>/dev/null || true
    done
    echo
}

# --- what the servers say of themselves ---

cpu_ns() { # PID
    "$BUILD/tests/bench/bench_cpu_of" "$1"
}

nginx_status() { # FIELD: handled, active
    exec 3<>"/dev/tcp/127.0.0.1/$STATUS_PORT"
    printf 'GET / HTTP/1.0\r\n\r\n' >&3
    case $1 in
    handled) awk '/^server accepts/ { getline; print $2 }' <&3 ;;
    active) awk '/^Active/ { print $3 }' <&3 ;;
    esac
    exec 3>&-
}

# handshakes SERVER KIND: finished so far. Asking nginx and our own server adds one.
handshakes() {
    case $1 in
    nginx) nginx_status handled ;;
    haproxy)
        exec 3<>"/dev/tcp/127.0.0.1/$HAPROXY_STATS"
        echo 'show info' >&3
        sed -n 's/^CumSslConns: //p' <&3
        exec 3>&-
        ;;
    *) curl -sk --max-time 10 "https://127.0.0.1:${PORT[$1/$2]}/stats" | jq .handshakes.finished ;;
    esac
}

asking_adds() { # SERVER
    [ "$1" = haproxy ] && echo 0 || echo 1
}

# take_log: what nginx has logged since the last call, in $WORK/taken. nginx writes its buffer as it reopens the log.
take_log() {
    local try
    for ((try = 0; try < 100; try++)); do
        [ "$(nginx_status active)" -gt 1 ] || break
        sleep 0.02
    done
    mv "$WORK/access.log" "$WORK/taken"
    kill -USR1 "$NGINX"
    for ((try = 0; try < 200; try++)); do
        [ -e "$WORK/access.log" ] && return
        sleep 0.01
    done
    complain "nginx does not reopen its log"
}
