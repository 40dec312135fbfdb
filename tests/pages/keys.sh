#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# doc/output.md has the keys of JSON and columns of CSV that programs write: keys.sh SOURCE BUILD
. "$1/tests/check.sh"
source=$1 build=$2
page=$source/doc/output.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 "$source/tests/pages/keys.py" "$page" "$build" || fail "keys.py"

# planted NAME SED: a page that is changed so is refused
planted() {
    sed "$2" "$page" >"$work/page.md"
    check "the page was changed: $1" sh -c '! cmp -s "$1" "$2"' - "$page" "$work/page.md"
    refuse "a page that is wrong is seen: $1" \
        python3 "$source/tests/pages/keys.py" "$work/page.md" "$build" latmc-simulate
}
planted "a key less" '/^| `every` |/d'
planted "a key less in a part of several programs" '/^| `boundaries` |/d'
planted "no errors" '/^| `error` |/d'
planted "a key more" 's/^| `every` |.*/&\n| `nosuch` | not there |/'
planted "a section less" '/^## `latmc-simulate`/d'
finish
