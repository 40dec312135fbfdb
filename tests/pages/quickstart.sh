#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The quick starts of latmc.h, of examples/ and of README.md are one text, and print README's numbers:
# quickstart.sh SOURCE BUILD
. "$1/tests/check.sh"
source=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# between BEGIN END FILE: the lines of the first block in FILE; BEGIN and END are whole lines.
between() {
    awk -v begin="$1" -v end="$2" '$0 == begin { on = 1; next } $0 == end && on { exit } on' "$3"
}
between ' * @code{.c}' ' * @endcode' "$source/include/latmc/latmc.h" | sed 's/^ \* \{0,1\}//' >"$work/header.c"
between '```c' '```' "$source/README.md" >"$work/readme.c"
# The header has no licence and no title of the program.
sed 1,2d "$source/examples/quickstart.c" >"$work/example.c"

check "README.md has the text of examples/quickstart.c" \
    cmp "$work/readme.c" "$source/examples/quickstart.c"
check "latmc.h has the text of examples/quickstart.c" cmp "$work/header.c" "$work/example.c"
sed 's/0\.43/0.44/' "$work/example.c" >"$work/changed.c"
refuse "another text is seen" cmp "$work/header.c" "$work/changed.c"

# The block that shows this command, and below it what the command prints.
awk '/^\$ cc quickstart\.c / { on = 1; next } /^```/ { on = 0 } on' "$source/README.md" >"$work/shown"
"$build/examples/quickstart" >"$work/printed" || fail "quickstart runs"
check "README.md shows one line for each temperature" test "$(wc -l <"$work/shown")" -eq 4
check "quickstart prints what README.md shows" diff "$work/shown" "$work/printed"
finish
