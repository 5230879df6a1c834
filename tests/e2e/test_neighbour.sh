# A side that other processes keep off its CPU looks idle: the row says that they did.
. "$(dirname "$0")/support.sh"

# On the first two CPUs that are allowed, whatever else there is: neighbours would evade to other ones.
mapfile -t cpus < <(taskset -cp $$ | sed 's/.*: //' | tr ',' '\n' | awk -F- '{ for (i = $1; i <= (NF > 1 ? $2 : $1); i++) print i }')
[ "${#cpus[@]}" -ge 2 ] || skip "needs two CPUs"
taskset -cp "${cpus[0]},${cpus[1]}" $$ >"$WORK/said" || skip "cannot choose CPUs: $(cat "$WORK/said")"

# Two busy neighbours on each CPU, bounded by timeout.
for cpu in "${cpus[0]}" "${cpus[1]}"; do
    for _ in 1 2; do
        taskset -c "$cpu" timeout 400 sh -c 'while :; do :; done' &
    done
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
expect "a server that is not pinned" "0 2 2" \
    "$STATUS $(json '.cases[0].rounds[0] | "\(.others_cpus) \(.steal_cpus)"')"
