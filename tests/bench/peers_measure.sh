# The measurements of tests/bench/peers, one function a group; sourced by it. Each prints lines "METRIC VALUE".

CONNECTIONS=16 # in flight, handshakes
SUITE=TLS_AES_128_GCM_SHA256

# h2load wants a count and no time: as many as the last run of it did in that time.
h2load_count() {
    echo $(($(cat "$WORK/h2load_rate" 2>/dev/null || echo 800) * SECONDS_EACH))
}

# run_client COMMAND…: on CLIENT_CPU, bounded; sets CLIENT_NS and WALL_NS; what it says is in $WORK/said.
run_client() {
    local status=0
    timeout "$((SECONDS_EACH * 8 + 20))" taskset -c "$CLIENT_CPU" "$BUILD/tests/bench/bench_cpu_of" -o "$WORK/usage" "$@" \
        >"$WORK/said" 2>&1 || status=$?
    [ "$status" -eq 0 ] || {
        tail -n 20 "$WORK/said" >&2
        complain "$1 ended with $status"
    }
    read -r CLIENT_NS WALL_NS <"$WORK/usage"
}

run_suitemark() { # TARGET OPTION…: one window; the result is in $WORK/result.json
    run_client "$BUILD/suitemark" "$@" --versions 1.3 --suites "$SUITE" --groups x25519 --rounds 1 \
        --duration "${SECONDS_EACH}s" --warmup 0 --pin "$CLIENT_CPU" --format json --output "$WORK/result.json"
}

per() { # NS COUNT: microseconds each
    awk -v ns="$1" -v count="$2" 'BEGIN { if (count > 0) printf "%.3f", ns / count / 1e3; else print "nan" }'
}

# --- client: the same nginx ---

# check_log NAME [SHARED]: every logged request is on a connection of its own, TLS 1.3 with our suite and group, not resumed; or,
# with SHARED, requests may share one. Sets COUNT, BYTES and BUSY_NS, from the first request to the end of the last.
check_log() {
    local bad
    bad=$(awk -v shared="${2:-}" \
        '$2 != 200 || $3 != "TLSv1.3" || $4 != "'$SUITE'" || $5 != "X25519" || $6 != "." || (!shared && $7 != 1)' "$WORK/taken" | head -3)
    [ -z "$bad" ] || complain "$1: not a full handshake as agreed: $bad"
    read -r COUNT BYTES BUSY_NS < <(awk '{ bytes += $8; from = $9 - $10; if (!first || from < first) first = from; last = $9 }
        END { printf "%d %.0f %.0f\n", NR, bytes, (last - first) * 1e9 }' "$WORK/taken")
    [ "$COUNT" -gt 0 ] || complain "$1: nginx logged nothing"
    echo "$1 $COUNT" >>"$WORK/proved"
}

measure_client() { # WHO KIND
    local url="https://127.0.0.1:${PORT[logged/$2]}/1k" before after
    take_log
    before=$(cpu_ns "$NGINX")
    case $1 in
    ours) run_suitemark "$url" --certs "$2" --measure handshake ;;
    lean) run_suitemark "$url" --certs "$2" --measure handshake --lean ;;
    wrk) run_client wrk -t 1 -c "$CONNECTIONS" -d "${SECONDS_EACH}s" -H 'Connection: close' "$url" ;;
    ab) run_client ab -q -f TLS1.3 -c "$CONNECTIONS" -t "$SECONDS_EACH" -n 10000000 "$url" ;;
    h2load) run_client h2load --h1 --groups X25519 -t 1 -c "$CONNECTIONS" -n "$(h2load_count)" \
        -H 'Connection: close' "$url" ;;
    esac
    after=$(cpu_ns "$NGINX")
    take_log
    check_log "$1"
    [ "$1" != h2load ] || echo "$((COUNT * 1000000 / (WALL_NS / 1000) + 1))" >"$WORK/h2load_rate"
    echo "client_us $(per "$CLIENT_NS" "$COUNT")"
    echo "server_us $(per "$((after - before))" "$COUNT")"
    echo "rate $((COUNT * 1000000 / (WALL_NS / 1000)))"
}

# --- server: the same client ---

measure_server() { # WHO KIND
    local key="$1/$2" path=/1k first last before after count
    [ "$1" = ours ] && path=/bytes/1024
    first=$(handshakes "$1" "$2")
    before=$(cpu_ns "${PID[$key]}")
    run_suitemark "https://127.0.0.1:${PORT[$key]}$path" --sni localhost --certs "$2" --measure handshake --confirm response
    after=$(cpu_ns "${PID[$key]}")
    last=$(handshakes "$1" "$2")
    count=$((last - first - $(asking_adds "$1")))
    jq -e '.cases[0] | .status == "measured" and .negotiated.resumed == false and .tickets == 2' "$WORK/result.json" >/dev/null ||
        complain "$1: not measured, resumed, or other than two tickets: $(jq -c '.cases[0] | [.status, .reason, .tickets, .failures]' "$WORK/result.json")"
    echo "client_us $(per "$CLIENT_NS" "$count")"
    echo "server_us $(per "$((after - before))" "$count")"
    echo "rate $((count * 1000000 / (WALL_NS / 1000)))"
}

# --- floor: nothing but the handshake ---

measure_floor() { # WHO KIND
    local key="bare/$2" first last before after count
    if [ "$1" = floor ]; then
        "$BUILD/tests/bench/bench_floor" "$2" x25519 "$CLIENT_CPU" "$SERVER_CPU" "$((12 * SECONDS_EACH))" \
            "$((4000 * SECONDS_EACH))" >"$WORK/floor" || complain "no floor"
        awk '{ print "client_us", $1 + $3; print "server_us", $2 + $4
               print "memory_client_us", $1; print "memory_server_us", $2; print "tcp_client_us", $3; print "tcp_server_us", $4 }' "$WORK/floor"
        return
    fi
    first=$(handshakes bare "$2")
    before=$(cpu_ns "${PID[$key]}")
    run_suitemark "127.0.0.1:${PORT[$key]}" --certs "$2" --measure handshake
    after=$(cpu_ns "${PID[$key]}")
    last=$(handshakes bare "$2")
    count=$((last - first - $(asking_adds bare)))
    # Both sides by the window's own clocks, as the floor is; from outside, with start and probe, below it.
    jq -r '.cases[0] | "client_us \(.client.cpu_us_per_handshake.median)", "server_us \(.server.cpu_us_per_handshake.median)"' "$WORK/result.json"
    echo "outside_client_us $(per "$CLIENT_NS" "$count")"
    echo "outside_server_us $(per "$((after - before))" "$count")"
}

# --- bulk: one connection ---

measure_bulk() { # WHO
    local kind=ecdsa-p256 url before after pid=$NGINX
    url="https://127.0.0.1:${PORT[logged/$kind]}/large"
    take_log
    [ "$1" = ours ] && pid=${PID[bare/$kind]}
    before=$(cpu_ns "$pid")
    case $1 in
    ours) run_suitemark "127.0.0.1:${PORT[bare/$kind]}" --certs "$kind" --measure bulk ;;
    ours-nginx) run_suitemark "$url" --certs "$kind" --measure bulk ;;
    wrk) run_client wrk -t 1 -c 1 -d "${SECONDS_EACH}s" "$url" ;;
    h2load) run_client h2load --h1 -t 1 -c 1 -n "$((15 * SECONDS_EACH))" "$url" ;;
    curl)
        local urls=() i
        for ((i = 0; i < 13 * SECONDS_EACH; i++)); do urls+=(-o /dev/null "$url"); done
        run_client curl -sk --http1.1 --tls13-ciphers "$SUITE" --curves X25519 "${urls[@]}"
        ;;
    esac
    after=$(cpu_ns "$pid")
    if [ "$1" = ours ]; then
        BYTES=$(jq '.cases[0].rounds[0] | .bytes' "$WORK/result.json")
    else
        take_log
        check_log "$1" shared
    fi
    if [[ $1 = ours* ]]; then
        jq -r '.cases[0] | "rate_MB \(.rate.median / 1e6)", "client_ns_per_byte \(.client.cpu_ns_per_byte.median)"' "$WORK/result.json"
    else
        awk -v bytes="$BYTES" -v wall="$BUSY_NS" -v cpu="$CLIENT_NS" \
            'BEGIN { printf "rate_MB %.1f\nclient_ns_per_byte %.4f\n", bytes / wall * 1e3, cpu / bytes }'
    fi
    if [ "$1" = ours ]; then
        jq -r '.cases[0] | "server_ns_per_byte \(.server.cpu_ns_per_byte.median)"' "$WORK/result.json"
    else
        awk -v bytes="$BYTES" -v cpu="$((after - before))" 'BEGIN { printf "server_ns_per_byte %.4f\n", cpu / bytes }'
    fi
}

proof() {
    [ -e "$WORK/proved" ] || return 0
    echo "No peer resumed, and all took TLS 1.3, $SUITE, X25519, by nginx's log of $(awk '{ n += $2 } END { print n }' "$WORK/proved") requests;"
    echo "suitemark checks the same on every connection of its own."
}
