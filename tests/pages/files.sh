#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# doc/files.md is what the first comments of the source files say: files.sh SOURCE
. "$1/tests/check.sh"
source=$1
files=$source/tests/pages/files.py
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/doc"
cp -r "$source/include" "$source/lib" "$source/backends" "$source/examples" "$work"
cp "$source/doc/files.md" "$work/doc"

check "the page is current" python3 "$files" "$source"
check "a copy is, too" python3 "$files" "$work"

# planted NAME: what was changed is seen, and undone
planted() {
    refuse "it is seen: $1" python3 "$files" "$work"
    rm -rf "$work/lib"
    cp -r "$source/lib" "$work"
}
sed -i '2s/.*/\/* Something else. *\//' "$work/lib/base/status.c"
planted "another first comment"
printf '/* SPDX-License-Identifier: BSD-3-Clause */\n/* Planted. */\n' >"$work/lib/base/planted.c"
planted "a file that the page lacks"
rm "$work/lib/base/status.c"
planted "a file that is gone"
mkdir "$work/lib/planted"
printf '/* SPDX-License-Identifier: BSD-3-Clause */\n/* Planted. */\n' >"$work/lib/planted/a.c"
planted "a room that has no line"
printf '/* SPDX-License-Identifier: BSD-3-Clause */\nint planted;\n' >"$work/lib/base/planted.c"
refuse "a file without a comment is refused" python3 "$files" "$work" --write
rm "$work/lib/base/planted.c"
printf '/* SPDX-License-Identifier: BSD-3-Clause */\n/* Planted. */\n' >"$work/lib/base/planted.h"
check "a page is made anew" python3 "$files" "$work" --write
check "and has the new file" grep -qx '| `planted.h` | Planted. |' "$work/doc/files.md"
finish
