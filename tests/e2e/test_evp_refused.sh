# suitemark evp: what cannot be measured as it was asked for is said, not measured as something else.
. "$(dirname "$0")/support.sh"
. "$(dirname "$0")/evp_support.sh"

# A mask that is set already: the column "all" would not have all features.
case "$(uname -m)" in
x86_64 | i?86)
    OPENSSL_ia32cap='~0x0:~0x20000000:~0:~0:~0' says 2 'OPENSSL_ia32cap is set already (~0x0:~0x20000000:' \
        sha256 --cpu-without aes --sizes 1k --max-time 6ms
    # Without columns it is obeyed, and told of.
    OPENSSL_ia32cap='~0x0:~0x20000000:~0:~0:~0' says 0 '~0x0:~0x20000000:~0:~0:~0' sha256 --sizes 1k --max-time 6ms
    ;;
esac

# A legacy provider that is not there: what to install.
OPENSSL_MODULES=$WORK/nothing says 1 'openssl-provider-legacy): could not load' rc4 --legacy

# A backend that has none of what is asked for.
if "$BIN/suitemark" evp --list | grep '^mcrypt: built in' >/dev/null; then
    says 2 'libmcrypt has none of these algorithms' sha256 x25519 --backend mcrypt
fi

# What does not fit into memory is not tried.
if awk '$1 == "MemAvailable:" { exit !($2 < 700 * 1024 * 1024) }' /proc/meminfo; then
    says 1 'three quarters are taken at most' aes-128-gcm --sizes 1g --threads 256 --direction encrypt --max-time 1ms
fi

# A signal ends also the making of a key, which takes most of a minute at this size.
set -m
"$BIN/suitemark" evp rsa:8192 --format json >"$WORK/result.json" 2>"$WORK/said" &
pid=$!
set +m
PIDS+=("$pid")
wait_until 60 takes_signals "$pid" || fail "the key's making does not begin"
kill -INT "$pid"
status=0
wait "$pid" || status=$?
expect "signal while a key is made: status" 3 "$status"
expect "signal while a key is made: cases" 'partial: interrupted after 0 rounds' \
    "$(json '[.cases[] | .status + ": " + .reason] | unique | join(", ")')"
true
