# suitemark evp: what people try first, each with its right answer; every figure behind its check.
. "$(dirname "$0")/support.sh"
. "$(dirname "$0")/evp_support.sh"

quick=(--max-time 6ms --sizes 64,1k)

# measures FILTER VALUE ARG…: exit 0, and the result says so.
measures() {
    local filter=$1 value=$2 status=0
    shift 2
    timeout 400 "$BIN/suitemark" evp --format json "$@" >"$WORK/result.json" 2>"$WORK/said" || status=$?
    expect "$* (status)" 0 "$status"
    expect "$*: $filter" "$value" "$(json "$filter")"
}

x86=false
case "$(uname -m)" in x86_64 | i?86) x86=true ;; esac
aes=false
grep -qw aes /proc/cpuinfo && aes=true
case "$(openssl version)" in "OpenSSL 3.0."* | "OpenSSL 3.1."*) old=true ;; *) old=false ;; esac

# What the issue asks for.
says 1 'needs the legacy provider: --legacy' rc4
grep -q '0\.00' "$WORK/said" && fail "rc4 without --legacy has a figure"
$old && says 1 'needs OpenSSL 3.2' aes-128-gcm-siv
says 1 'XTS needs 16 bytes or more' aes-128-xts --sizes 8
measures '[.cases[] | .status] | unique | join(" ")' measured aes-128-gcm --sizes 64m --threads 2 --rounds 2 \
    --direction encrypt --max-time 20ms
says 2 'did you mean aes-128-gcm?' aes-128-gmc
says 2 'did you mean 3des-ecb?' 3des
says 2 'did you mean dsa-2048?' dsa
says 2 'unknown algorithm "nosuch"' nosuch
if $x86 && $aes; then
    measures '[.cases[] | .shape + " " + .direction] | join(", ")' 'record encrypt, record decrypt' \
        aes-256-cbc-hmac-sha1 --sizes 1k --max-time 6ms
    OPENSSL_ia32cap='~0x200000000000000:~0x20000000000:~0:~0:~0' \
        says 1 'only on CPUs with AES instructions' aes-256-cbc-hmac-sha1
fi
measures '[.cases[].algorithm] | unique | join(" ")' 'rsa-1024 rsa-pss-1024' rsa:1024 "${quick[@]}"
# Every curve that has a number in TLS, where the library has them all.
if openssl ecparam -list_curves | grep -w sect163k1 >/dev/null; then
    measures '[.cases[] | .status + " " + .direction] | group_by(.) | map("\(length) \(.[0])") | join(", ")' \
        '11 measured sign, 11 measured verify' ecdsa-{secp{160{k1,r1,r2},192k1,224k1},sect{163{k1,r1,r2},193r{1,2},239k1}} "${quick[@]}"
fi
measures '[.cases[] | .algorithm + " " + .status] | unique | join(", ")' \
    'rsa-512 measured, rsa-pss-512 skipped, rsa-pss-522 measured' rsa:512 rsa-pss:522 "${quick[@]}"
says 1 'RSA keys of 512 bits or more' rsa:511
says 1 'keys over 8192 bits' rsa:16384
says 2 'unknown CPU feature "nosuch"' --cpu-without nosuch
$x86 && says 2 'aes,vaes and aes leave out the same: aes, vaes' sha256 --cpu-without aes,vaes --cpu-without aes
printf 'openssl_conf = a\n[a]\nproviders = b\n[b]\nbase = c\n[c]\nactivate = 1\n' >"$WORK/openssl.cnf"
printf 'a = b\n[c\n' >"$WORK/wrong.cnf"
configured() { # FILE STATUS TEXT: all programs that load a configuration say the same of it, in one line
    local status lines
    for program in "suitemark --dry-run" "suitemark evp sha256 --dry-run" "suitemark-server --listen 127.0.0.1:0 --certs ecdsa-p256"; do
        status=0
        # shellcheck disable=SC2086
        OPENSSL_CONF="$1" timeout 120 "$BIN"/$program --openssl-config >"$WORK/said" 2>&1 </dev/null || status=$?
        lines=$(wc -l <"$WORK/said")
        expect "$program with $1: status and lines" "$2 1" "$status $lines"
        grep -qF -- "$3" "$WORK/said" || fail "$program with $1: $(head -n 3 "$WORK/said")"
    done
}
configured "$WORK/openssl.cnf" 1 'OpenSSL has no provider with algorithms as it is configured'
configured "$WORK/nosuch.cnf" 2 "OpenSSL's configuration $WORK/nosuch.cnf: No such file or directory"
configured "$WORK/wrong.cnf" 2 "OpenSSL's configuration $WORK/wrong.cnf, line 2: missing close square bracket"
configured "$WORK" 2 "OpenSSL's configuration $WORK: Is a directory"
OPENSSL_CONF="$WORK/openssl.cnf" measures '.cases[0].status' measured sha256 "${quick[@]}"

# Names: any case, OpenSSL's own, families; shapes; directions.
measures '[.cases[].algorithm] | unique | join(" ")' '3des-cbc aes-128-gcm sha256' AES-128-GCM Sha256 DES-EDE3-CBC "${quick[@]}"
measures '[.cases[].algorithm] | unique | join(" ")' 'aes-128-gcm p-256 sha256' id-aes128-GCM SHA-256 SHA2-256 prime256v1 secp256r1 "${quick[@]}"
measures '[.cases[].family] | unique | join(" ")' 'digest mac' digests macs "${quick[@]}"
measures '[.cases[] | .shape] | unique | join(" ")' 'message oneshot record stream' aes-128-gcm \
    --shapes stream,message,record,oneshot "${quick[@]}"
measures '[.cases[].direction] | unique | join(" ")' decrypt aes-128-ccm --direction decrypt "${quick[@]}"
measures '[.cases[].shape] | join(" ")' 'record message' chacha20-poly1305 --direction encrypt --sizes 16k,32k --max-time 6ms
says 1 'a TLS record holds 16k at most' aes-128-gcm --shape record --sizes 32k
says 2 'did you mean stream' aes-128-gcm --shapes streem
says 2 '--precision' --precision 0
says 2 '1 to 1g' --sizes 0
says 2 'unknown option' --precission 1

# Every figure has its check and its unit; cycles where the time-stamp counter is usable.
plausible() { # what a copy in memory makes a second is a figure too, which a busy machine may spoil once
    [ "$(json '[.cases[].warning == null] | all')" = true ]
}
for _ in 1 2 3 4 5; do
    measures '[.cases[] | select(.status == "measured") | (.check | length > 0) and .rate.median > 0] | all' true \
        aes-128-gcm sha256 hmac-sha256 ecdsa-p256 x25519 "${quick[@]}"
    plausible && break
done
expect "units" 'bytes/s ops/s' "$(json '[.cases[].rate.unit] | unique | join(" ")')"
check "no figure beats a copy" plausible
expect "checks of a standard's vector" true \
    "$(json '[.cases[] | .check | test("vector")] | all')"
if grep -qw constant_tsc /proc/cpuinfo && grep -qw nonstop_tsc /proc/cpuinfo; then
    expect "cycles" true "$(json '[.cases[] | (.cycles_per_byte // .cycles_per_operation) > 0] | all')"
fi

# The legacy provider beside the default one.
if says 0 rc4 rc4 des-cbc aes-128-cbc --legacy "${quick[@]}" && grep -q 'cannot be loaded' "$WORK/said"; then
    fail "--legacy: $(cat "$WORK/said")"
fi

# Columns: each proved by the library that measured it, and AES-GCM is slower without AES instructions.
if $x86 && $aes; then
    measures '[.columns[].label] | join("; ")' 'all features; without aes, vaes; without sha, sha512' \
        aes-128-gcm sha256 --cpu-without aes --cpu-without sha --sizes 16k --max-time 30ms
    expect "mask" '~0x200000000000000:~0x20000000000:~0:~0:~0' "$(json '.columns[1].mask')"
    expect "proof" true "$(json '.columns[1].cpu_settings | contains("env:~0x200000000000000")')"
    expect "AES-GCM without AES" true "$(json '[.cases[] | select(.algorithm == "aes-128-gcm" and .direction == "encrypt")] |
        map([.rounds[] | .count / .wall_ns] | max) | .[0] > 2 * .[1]')"
    expect "ids are unique" true "$(json '[.cases[].id] | length == (unique | length)')"
    # The stitched pairs do not exist without AES instructions: their place stays empty, and "without 2" is still sha.
    says 0 'without 2' aes-128-cbc-hmac-sha1 --direction encrypt --cpu-without aes --cpu-without sha --sizes 1k --max-time 6ms
    grep -qE 'encrypt +1k +[0-9.]+ ±[0-9]+!? +– +[0-9]' "$WORK/said" || fail "a column without a case: $(cat "$WORK/said")"
    grep -q '^skipped .*/without aes, vaes: ' "$WORK/said" || fail "the column of what is skipped: $(cat "$WORK/said")"
    # Columns take turns at each figure, so that their rounds are pairs.
    measures '[.cases | group_by(.algorithm + .direction)[] | map(.rounds | length) | unique | length] | unique | join(" ")' 1 \
        aes-128-gcm md5 --cpu-without aes --sizes 1k --max-time 30ms
    expect "ratios" true "$(json '[.cases[] | select(.column != "all features") | .relative.ratio |
        .low <= .median and .median <= .high and .rounds >= 6 and (.range | not)] | length == 3 and all')"
    expect "ratio to" true "$(json '(.cases | map(.id)) as $ids | [.cases[].relative | select(.).to | IN($ids[])] | all')"
    says 0 'all/1' aes-128-gcm --cpu-without AES --sizes 1k --max-time 6ms
fi

# `run` without features: client and embedded server, in one command.
if $x86 && $aes; then
    result --cpu-without aes --suites TLS_AES_128_GCM_SHA256 --certs ecdsa-p256 --measure bulk --rounds 1 --duration 30ms
    expect "run --cpu-without: status" 0 "$STATUS"
    expect "run --cpu-without: both sides" true \
        "$(json '[.environment.hosts[].cpu_settings | contains("env:~0x200000000000000:")] | length == 2 and all')"
    grep -q 'without aes, vaes' "$WORK/said" || fail "run --cpu-without: $(cat "$WORK/said")"
    status=0
    "$BIN/suitemark" --cpu-without nosuch >"$WORK/said" 2>&1 || status=$?
    expect "run --cpu-without nosuch" '2 1' "$status $(grep -c 'there are: aes, pclmul' "$WORK/said")"
    status=0
    OPENSSL_ia32cap=:0 "$BIN/suitemark" --cpu-without aes >"$WORK/said" 2>&1 || status=$?
    expect "run --cpu-without over another mask" '2 1' "$status $(grep -c 'is set already' "$WORK/said")"
fi

# mcrypt beside EVP, its bytes compared.
if "$BIN/suitemark" evp --list | grep '^mcrypt: built in' >/dev/null; then
    measures '[.cases[] | select(.backend == "mcrypt") | .check | contains("same bytes as EVP")] | length > 0 and all' true \
        aes-128-cbc 3des-cbc --backend mcrypt --sizes 31,64 --shapes message,oneshot --max-time 6ms
else
    says 2 'without libmcrypt' --backend mcrypt
fi

# Nothing else is asked of --list, --dry-run and --help; none of them measures.
says 0 'chacha20-poly1305' --list
says 0 'figures, each to' --dry-run
says 0 'usage: suitemark evp' --help

# An interrupt keeps what is finished, and marks what is not.
interrupted() { # ARG…
    "$BIN/suitemark" evp --format json --precision 0.1% --max-time 60s sha256 aes-128-gcm "$@" >"$WORK/result.json" 2>/dev/null &
    local pid=$!
    wait_until 60 takes_signals "$pid"
    kill -INT "$pid"
    wait "$pid"
    expect "interrupted $*: status" 3 "$?"
    expect "interrupted $*: marked" 'true partial' "$(json '(.interrupted | tostring) + " " + ([.cases[].status] | unique - ["measured"] | join(" "))')"
}
interrupted
if $x86 && $aes; then
    interrupted --cpu-without aes
    expect "interrupted: both columns" 2 "$(json '[.cases[].column] | unique | length')"
fi

# begin ARG…: in the background, with signals as a terminal leaves them, which a script's & does not; $BEGUN.
begin() {
    set -m
    "$BIN/suitemark" evp --format json "$@" >"$WORK/result.json" 2>"$WORK/said" &
    BEGUN=$!
    set +m
}
children_of() { # PID: in the order of their start
    local file
    for file in $(grep -lsx "PPid:[[:space:]]*$1" /proc/[0-9]*/status | sort -V); do
        file=${file%/status}
        echo "${file#/proc/}"
    done
}
has_children() { # PID COUNT
    mapfile -t CHILDREN < <(children_of "$1")
    [ "${#CHILDREN[@]}" -ge "$2" ]
}
# begin_columns COUNT ARG…: stopped while the first of so many columns are set up, one after the other; false: it was too late.
begin_columns() {
    local count=$1
    shift
    begin "$@"
    wait_until 60 has_children "$BEGUN" 1 || fail "no child of $BEGUN"
    kill -STOP "$BEGUN"
    wait_until 60 is_stopped "$BEGUN" || fail "$BEGUN does not stop"
    mapfile -t CHILDREN < <(children_of "$BEGUN")
    [ "${#CHILDREN[@]}" -lt "$count" ] && return
    kill -KILL "$BEGUN"
    wait "$BEGUN" 2>/dev/null
    return 1
}
is_stopped() { # PID
    grep -qs '^State:[[:space:]]*T' "/proc/$1/status"
}
slept() { # PID: how often it has waited for something
    sed -n 's/^voluntary_ctxt_switches:[[:space:]]*//p' "/proc/$1/status"
}
slept_until() { # PID COUNT
    [ "$(slept "$1")" -ge "$2" ]
}
if $x86 && $aes; then
    # One signal while the columns are set up ends it: the child that is set up has it too, and no further one starts.
    for _ in 1 2 3 4 5 6 7 8; do
        begin_columns 3 ciphers --cpu-without aes --cpu-without avx --cpu-without pclmul --sizes 16,1k,16k && break
    done
    kill -INT "$BEGUN"
    kill -CONT "$BEGUN"
    status=0
    wait "$BEGUN" || status=$?
    expect "signal in set-up: status" 3 "$status"
    expect "signal in set-up: said" '' "$(cat "$WORK/said")"
    expect "signal in set-up: the last column" 'interrupted before this column was set up' \
        "$(json '.columns[3].label as $last | [.cases[] | select(.column == $last and .status == "partial").reason] | unique | .[]')"

    # A column whose process dies is told of, and the others go on. The second is started when the first is ready, which then
    # sleeps until it is its turn, and again after each.
    begin sha256 --cpu-without aes --cpu-without pclmul --sizes 16k --max-time 3s --precision 0.1
    wait_until 60 has_children "$BEGUN" 2 || fail "no second child of $BEGUN"
    child=${CHILDREN[0]}
    wait_until 60 slept_until "$child" $(($(slept "$child") + 3)) || fail "no turn of the first column"
    kill -KILL "$child"
    status=0
    wait "$BEGUN" || status=$?
    expect "dead column: status" 1 "$status"
    expect "dead column: cases" 'measured, failed: the process without aes, vaes was ended by signal 9, measured' \
        "$(json '.cases | "\(.[0].status), \(.[1].status): \(.[1].reason), \(.[2].status)"')"
fi
