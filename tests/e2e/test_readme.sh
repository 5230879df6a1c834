# The README shows every program's options as the program does.
. "$(dirname "$0")/support.sh"

readme="$(dirname "$0")/../../README.md"
for program in suitemark suitemark-server suitemark-certs; do
    awk -v start="<!-- output: build/release/$program --help -->" '
        $0 == start { inside = 1; next }
        inside && $0 == "<!-- end -->" { exit }
        inside && $0 != "```"' "$readme" >"$WORK/shown"
    "$BIN/$program" --help >"$WORK/real"
    [ -s "$WORK/real" ] || fail "$program --help prints nothing"
    diff -u "$WORK/shown" "$WORK/real" || fail "README.md differs from $program --help: run scripts/readme --help"
done
