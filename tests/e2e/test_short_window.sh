# A window that is too short for its connections is told, with the option that makes it longer.
. "$(dirname "$0")/support.sh"

noted() { # TEXT ARG…
    local text=$1
    shift
    result --suites TLS_AES_128_GCM_SHA256 --certs ecdsa-p384 --measure handshake --connections 256 --handshake-timeout 100s --rounds 1 "$@"
    expect "$*: note" "the window is too short for so many connections; give $text" "$(json '.cases[0].note')"
}

noted 'a longer --duration' --duration 20ms
noted 'more --time' --time 1s
true
