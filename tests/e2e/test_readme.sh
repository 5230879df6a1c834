# The README shows every program's options as the program does.
. "$(dirname "$0")/support.sh"

readme="$(dirname "$0")/../../README.md"
for program in suitemark "suitemark evp" "suitemark check" suitemark-server suitemark-certs; do
    awk -v start="<!-- output: build/release/$program --help -->" '
        $0 == start { inside = 1; next }
        inside && $0 == "<!-- end -->" { exit }
        inside && $0 != "```"' "$readme" >"$WORK/shown"
    # shellcheck disable=SC2086
    "$BIN"/$program --help >"$WORK/real"
    [ -s "$WORK/real" ] || fail "$program --help prints nothing"
    diff -u "$WORK/shown" "$WORK/real" || fail "README.md differs from $program --help: run scripts/readme --help"
done

# And names every field of a result.
sed -n '/^## The result document/,/^## Building/p' "$readme" >"$WORK/fields"
result --certs ecdsa-p256 --suites TLS_AES_128_GCM_SHA256 --duration 1s --rounds 1
expect "a result (status)" 0 "$STATUS"
while IFS= read -r field; do
    grep -qw -- "$field" "$WORK/fields" || fail "README.md does not name the field $field"
done < <(json '[del(.cases[].histograms, .cases[].failures) | paths[] | strings] | unique[]')
