#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A model joins the files that doc/adding-a-model.md lists, and no others: joins.sh SOURCE
. "$1/tests/check.sh"
source=$1
joins=$source/tests/pages/joins.py
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$source/include" "$source/lib" "$source/backends" "$source/doc" "$work"

check "the page is true" python3 "$joins" "$source"
check "a copy's is, too" python3 "$joins" "$work"

# planted NAME FILE: what was changed in the file is seen, and undone
planted() {
    refuse "it is seen: $1" python3 "$joins" "$work"
    cp "$source/$2" "$work/$2"
}
for file in backends/cpu/bits/band.h backends/cuda/bits/view.h backends/cuda/exchange.h lib/models/model.h; do
    echo 'extern const int lm_blume_capel_planted;' >>"$work/$file"
    planted "a model in $file" "$file"
done
echo "planted = 'cpu/bits/potts_planted.c'" >>"$work/backends/cuda/meson.build"
planted "a model in another list of files" backends/cuda/meson.build
sed -i '/^| .backends.rows.h/d' "$work/doc/adding-a-model.md"
planted "a page with a file too few" doc/adding-a-model.md
sed -i 's/^| .lib.meson.build/| `lib\/models\/list.c` | . |\n&/' "$work/doc/adding-a-model.md"
planted "a page with a file too many" doc/adding-a-model.md
finish
