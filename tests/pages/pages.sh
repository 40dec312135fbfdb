#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The commands of the pages print what the pages show: pages.sh SOURCE BUILD [--slow]
# With --slow nothing but the commands that take long are run.
. "$1/tests/check.sh"
source=$1 build=$2
commands=$source/tests/pages/commands.py
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ "${3-}" = --slow ]; then
    python3 "$commands" --only-slow "$source" "$build"
    exit $?
fi
python3 "$commands" "$source" "$build" || fail "commands.py"

# --- pages that are wrong are seen

: >"$work/numbers.txt"
: >"$work/commands.txt"
# page TEXT...: one line each
page() {
    printf '%s\n' "$@" >"$work/page.md"
}
compared() {
    python3 "$commands" --lists "$work" "$@" "$source" "$build" "$work/page.md"
}
block='```console'
page "$block" '$ echo a 0.5' '...' '$ printf "x\n  y 1.25(3)\nz 7 s\n"' 'x' 'y   1.25(3)' \
    'z ... s' '```' 'So 1.25(3).'
check "gaps, blanks and numbers of prose" compared
page "$block" '$ echo 1.25(3)' '1.25(2)' '```'
refuse "a number is wrong" compared
page "$block" '$ printf "a\n0.5\nb\n"' 'a' '...' '0.4' '...' '```'
refuse "a number between gaps is wrong" compared
page "$block" '$ echo 1; false' '1' '```'
refuse "a command fails" compared
page "$block" '$ echo "1.25(3)"' '1.25(3)' '```' 'So 1.24(3).'
refuse "a number of the prose is nowhere" compared
page "$block" '$ echo 1' '1' '```' 'Try `latmc-simulate --extents' '8x8`.'
refuse "a command in a sentence is not listed" compared
page "$block" '$ echo 1' '1' '```' '' '    latmc-bench' ''
refuse "a command in a block is not listed" compared
echo 'other | * | latmc-bench | for this test' >"$work/commands.txt"
check "now it is" compared
page "$block" '$ echo 1' '1' '```'
refuse "the list has more than the page" compared
echo 'runs | * | latmc-bench --nosuch | for this test' >"$work/commands.txt"
page "$block" '$ echo 1' '1' '```' '`latmc-bench --nosuch`'
refuse "a command that is listed fails" compared
: >"$work/commands.txt"
page 'No command.'
refuse "a page that shows nothing" compared

# --- --update

page "$block" '$ printf "a 0.5\n1.25(3)\nb 3 s\nend\n"' 'a 0.5' '1.24(2)' 'b ... s' 'end' \
    '```' 'So 1.24(2).'
check "numbers are put in" compared --update
check "and are right then" compared
check "in prose, too, and gaps stay" \
    sh -c 'grep -qx "So 1.25(3)\." "$1" && grep -qx "b \.\.\. s" "$1"' - "$work/page.md"
page "$block" '$ printf "1\n2\na 7\nb 8\n3\n"' '...' 'a 5' 'b 6' '...' '```'
check "lines between gaps are put in" compared --update
check "the same lines" sh -c \
    'grep -qx "a 7" "$1" && grep -qx "b 8" "$1" && [ "$(wc -l <"$1")" -eq 7 ]' - "$work/page.md"
finish
