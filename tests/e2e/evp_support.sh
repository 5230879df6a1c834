# Shared by the tests of suitemark evp, behind support.sh.

# says STATUS TEXT ARG…: exit status and a text in what is printed.
says() {
    local wanted=$1 text=$2 status=0
    shift 2
    timeout 400 "$BIN/suitemark" evp "$@" >"$WORK/said" 2>&1 || status=$?
    expect "$* (status)" "$wanted" "$status"
    grep -qF -- "$text" "$WORK/said" || fail "$*: \"$text\" is not in: $(cat "$WORK/said")"
}
