# Two hosts work as one does: a server and a client in two network namespaces joined by a veth pair.
. "$(dirname "$0")/support.sh"

[ "$(id -u)" -eq 0 ] || skip "network namespaces need root"
command -v ip >/dev/null || skip "no ip(8)"
one="smk-a-$$" two="smk-b-$$"
ip netns add "$one" 2>/dev/null && ip netns add "$two" 2>/dev/null || skip "network namespaces are not allowed here"
remove_namespaces() {
    ip netns del "$one" 2>/dev/null
    ip netns del "$two" 2>/dev/null
}
trap 'remove_namespaces; finish' EXIT

ip link add "va$$" netns "$one" type veth peer name "vb$$" netns "$two" 2>/dev/null || skip "no veth here"
ip -n "$one" addr add 10.198.51.1/24 dev "va$$"
ip -n "$two" addr add 10.198.51.2/24 dev "vb$$"
for pair in "$one va$$" "$two vb$$"; do
    set -- $pair
    ip -n "$1" link set "$2" up
    ip -n "$1" link set lo up
done

mkfifo "$WORK/out"
ip netns exec "$one" "$BIN/suitemark-server" --listen 0.0.0.0:0 --certs ecdsa-p256,rsa-2048 >"$WORK/out" 2>"$WORK/server.err" &
read -r -t 200 word address <"$WORK/out" || true
[ "${word:-}" = ready ] || { fail "the server is not ready: $(cat "$WORK/server.err")"; exit 1; }

status=0
ip netns exec "$two" timeout 400 "$BIN/suitemark" "10.198.51.1:${address##*:}" --certs ecdsa-p256,rsa-2048 \
    --versions 1.3 --rounds 2 --duration 500ms --format json --output "$WORK/result.json" >"$WORK/said" 2>&1 || status=$?
expect "exit status" 0 "$status"
expect "statuses" measured "$(json '[.cases[].status] | unique | join(" ")')"
expect "confirmed by" server "$(json '[.cases[].confirmed_by] | unique | join(" ")')"
expect "counts agree" true "$(json '[.cases[].counts_agree] | all')"
expect "both sides known" true "$(json '[.cases[] | .server != null and .client != null] | all')"
expect "hosts" 'client server' "$(json '[.environment.hosts[].role] | sort | join(" ")')"

# A name with an address of each family: nobody answers at the first, and the result says which did.
printf '%s both.test\n' ::1 10.198.51.1 >"$WORK/hosts"
status=0
WORK=$WORK ip netns exec "$two" sh -c 'mount --bind "$WORK/hosts" /etc/hosts || exit 77; exec "$@"' sh \
    timeout 400 "$BIN/suitemark" "both.test:${address##*:}" --certs ecdsa-p256 --versions 1.3 --measure handshake \
    --rounds 1 --duration 500ms --format json --output "$WORK/result.json" >"$WORK/said" 2>&1 || status=$?
if [ "$status" -eq 77 ]; then
    echo "a name with two addresses is not tried: no bind mount in a namespace here"
else
    expect "both families (status)" 0 "$status"
    expect "the address that answered" "10.198.51.1:${address##*:}" "$(json .parameters.address)"
fi
