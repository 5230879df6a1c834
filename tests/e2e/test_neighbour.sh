# A side that other processes keep off its CPU looks idle: the row says that they did.
. "$(dirname "$0")/support.sh"

cpus=$(taskset -cp $$ | sed 's/.*: //')
[[ $cpus == *[-,]* ]] || skip "needs two CPUs"

# Two busy neighbours on each CPU, bounded by timeout.
for _ in 1 2 3 4; do
    timeout 60 sh -c 'while :; do :; done' &
    PIDS+=($!)
done
run=(--certs ecdsa-p256 --suites TLS_AES_128_GCM_SHA256 --measure handshake --warmup 10ms)
result "${run[@]}" --rounds 3 --duration 500ms
expect "beside neighbours (status)" 0 "$STATUS"
expect "their share" true "$(json '.cases[0].others_share > 0.1')"
expect "both sides' CPUs" '2 2' "$(json '.cases[0].rounds[0] | "\(.others_cpus) \(.steal_cpus)"')"

# Where the two sides cannot be told from others, nothing is claimed.
result "${run[@]}" --rounds 3 --duration 500ms --pin none
expect "not pinned" '0 null null' "$STATUS $(json '.cases[0] | "\(.others_share) \(.rounds[0].others_ns)"')"

# A server that may run on the client's CPUs too: none is counted twice, and its own time is not others'.
start_server --certs ecdsa-p256
result "$ADDRESS" "${run[@]}" --rounds 1 --duration 500ms
expect "a server that is not pinned" "0 $(nproc) $(nproc)" \
    "$STATUS $(json '.cases[0].rounds[0] | "\(.others_cpus) \(.steal_cpus)"')"
