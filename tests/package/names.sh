#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The files and words of the library that the pages name are there: names.sh SOURCE
. "$1/tests/check.sh"
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

names() {
    python3 "$source/tests/package/names.py" "$source" "$@"
}
for page in "$source"/*.md "$source"/doc/*.md; do
    check "${page#"$source"/}" names "$page"
done

# planted TEXT: a page that says so names what is not there.
planted() {
    printf '%s\n' "$1" >"$work/page.md"
    refuse "a name that is not there is seen: $1" names "$work/page.md"
}
planted 'See `lib/nosuch.c`.'
planted 'See `backends/cpu/nosuch_*.h` and `lane_NAME.h`.'
planted 'See `status.cu`.'
planted 'See [the page](nosuch.md#there).'
planted 'Call `lm_no_such()`, or `LM_NO_SUCH`.'
planted 'No name at all.'
finish
