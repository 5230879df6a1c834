# Three questions that people asked in public, answered in small, in isolation and end to end: is AES-CCM faster than
# AES-GCM, what makes short messages slow, which suite to choose with and without AES instructions. What is asserted is that
# each answer is there, with its check; what the figures say of each other is told, since a busy machine may say otherwise.
. "$(dirname "$0")/support.sh"

evp() { # ARG…: the result into $WORK/result.json, all measured
    local status=0
    timeout 400 "$BIN/suitemark" evp --format json --max-time 100ms "$@" >"$WORK/result.json" 2>"$WORK/said" || status=$?
    expect "evp $* (status)" 0 "$status"
    expect "evp $*: a check in every row" true "$(json '[.cases[] | .check | length > 0] | all')"
    echo "evp $*: nothing is faster than a copy: $(json '[.cases[].warning == null] | all')"
}

# rate ALGORITHM OPERATION [SIZE [SHAPE [BACKEND]]]: a jq expression, bytes or operations a nanosecond in the best batch,
# which others on this machine disturbed least.
best='(([.rounds[] | .count / .wall_ns] | max) * (.size // 1))'
rate() {
    local filter=".algorithm == \"$1\" and .direction == \"$2\""
    [ -z "${3:-}" ] || filter+=" and .size == $3"
    [ -z "${4:-}" ] || filter+=" and .shape == \"$4\""
    filter+=" and .backend == \"${5:-evp}\""
    echo "([.cases[] | select($filter)][0] | $best)"
}

claim() { # TEXT EXPRESSION
    echo "$1: $(json "$2")"
}

end_to_end() { # ARG…: confirmed on real connections, both sides known
    result --rounds 1 --duration 1s "$@"
    expect "$* (status)" 0 "$STATUS"
    expect "$*: all measured, both sides" true \
        "$(json '[.cases[] | .status == "measured" and .rate.median > 0 and .server != null and .client != null] | all')"
}

x86_aes=false
case "$(uname -m)" in x86_64) grep -qw aes /proc/cpuinfo && x86_aes=true ;; esac

# 1. CCM makes two passes over a message, GCM one: it is slower in both directions.
evp aes-128-gcm aes-128-ccm --sizes 16,1k,16k
for direction in encrypt decrypt; do
    claim "CCM is slower than GCM, $direction" \
        "$(rate aes-128-gcm $direction 16384) > 1.2 * $(rate aes-128-ccm $direction 16384)"
done
claim "CCM has no infinite speed" "$(rate aes-128-ccm decrypt 16384) < 4 * $(rate aes-128-ccm decrypt 1024)"
openssl speed -mr -seconds 1 -bytes 16384 -evp aes-128-ccm >"$WORK/speed" 2>/dev/null
speed=$(awk -F: '$1 == "+F" { print $4 }' "$WORK/speed")
claim "beside openssl speed, which once had no check ($speed)" \
    "$(rate aes-128-ccm encrypt 16384) * 1e9 / ${speed:-1} | . > 0.1 and . < 10"
end_to_end --suites TLS_AES_128_GCM_SHA256,TLS_AES_128_CCM_SHA256 --measure bulk

# 2. A context and a key schedule for every short message cost more than the message.
evp aes-128-ecb des-ecb --legacy --sizes 31 --shapes message,oneshot --direction encrypt
claim "AES: what a context for each message costs" \
    "$(rate aes-128-ecb encrypt 31 message) > 1.2 * $(rate aes-128-ecb encrypt 31 oneshot)"
claim "DES: the same, but the cipher itself is slow" \
    "$(rate des-ecb encrypt 31 message) > $(rate des-ecb encrypt 31 oneshot)"
if "$BIN/suitemark" evp --list | grep '^mcrypt: built in' >/dev/null; then
    evp aes-128-ecb --backend mcrypt --sizes 31 --shapes message,oneshot --direction encrypt
    claim "mcrypt: opening a module for each message" \
        "$(rate aes-128-ecb encrypt 31 message mcrypt) > 5 * $(rate aes-128-ecb encrypt 31 oneshot mcrypt)"
    claim "mcrypt is slower than EVP where all is made anew" \
        "$(rate aes-128-ecb encrypt 31 oneshot) > 2 * $(rate aes-128-ecb encrypt 31 oneshot mcrypt)"
fi

# 3. The chooser: key lengths, modes, signatures, digests; then the same without AES instructions.
evp rc4 aes-128-cbc aes-256-cbc aes-128-gcm aes-256-gcm chacha20-poly1305 --legacy --sizes 16k
claim "a longer key costs more" \
    "$(rate aes-128-cbc encrypt 16384) > 1.1 * $(rate aes-256-cbc encrypt 16384)"
$x86_aes && claim "with AES instructions AES-GCM beats RC4" \
    "$(rate aes-128-gcm encrypt 16384) > $(rate rc4 encrypt 16384)"
evp rsa-1024 rsa-2048 dsa-2048 ecdsa-p256 md5 sha256 sha512 --sizes 1k
claim "RSA: more bits cost more" "$(rate rsa-1024 sign) > 1.3 * $(rate rsa-2048 sign)"
claim "RSA verifies fast" "$(rate rsa-2048 verify) > 5 * $(rate rsa-2048 sign)"
claim "ECDSA signs faster than RSA" "$(rate ecdsa-p256 sign) > 2 * $(rate rsa-2048 sign)"
claim "ECDSA verifies slower than it signs" "$(rate ecdsa-p256 sign) > $(rate ecdsa-p256 verify)"
if $x86_aes; then
    evp aes-128-gcm chacha20-poly1305 --sizes 16k --direction encrypt --cpu-without aes,pclmul
    claim "without AES instructions ChaCha20 wins" \
        '[.cases[] | select(.column != "all features") | {(.algorithm): '"$best"'}] | add |
            .["chacha20-poly1305"] > 2 * .["aes-128-gcm"]'
fi
end_to_end --suites TLS_AES_128_GCM_SHA256,TLS_CHACHA20_POLY1305_SHA256,ECDHE-ECDSA-AES128-SHA --certs ecdsa-p256 --measure bulk
end_to_end --certs rsa-2048,ecdsa-p256 --versions 1.3 --measure handshake
$x86_aes && end_to_end --suites TLS_AES_128_GCM_SHA256,TLS_CHACHA20_POLY1305_SHA256 --measure bulk --cpu-without aes,pclmul
true
