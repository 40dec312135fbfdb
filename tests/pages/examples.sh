#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The examples that the specification shows are true: examples.sh SOURCE BUILD
. "$1/tests/check.sh"
source=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 "$source/tests/pages/examples.py" "$source" "$build" || fail "examples.py"

ln -s "$source/tests" "$work/tests"
# planted NAME PAGE SED: a page that is changed so is refused
planted() {
    rm -rf "$work/doc"
    mkdir "$work/doc"
    cp "$source"/doc/trajectory*.md "$source/doc/format.md" "$work/doc"
    sed "$3" "$source/doc/$2" >"$work/doc/$2"
    check "the page was changed: $1" sh -c '! cmp -s "$1" "$2"' - "$source/doc/$2" "$work/doc/$2"
    refuse "a page that is wrong is seen: $1" \
        python3 "$source/tests/pages/examples.py" "$work" "$build"
}
for model in ising automaton blume-capel onvector phi4 potts; do
    planted "a hash, $model" "trajectory-$model.md" 's/^\(| `--extents.*\). |$/\1- |/'
done
planted "no hashes" trajectory-potts.md '/^    latmc-simulate /d'
planted "a hash after exchanges" trajectory.md 's/^\(| `--samples.*\). |$/\1- |/'
planted "a number that is drawn" trajectory.md 's/^3 -0x1\../3 -0x1.9/'
planted "a block of Philox" trajectory.md 's/^| 243f6a88 .* d16c/&0/'
planted "XXH64 of no bytes" trajectory.md 's/ef46db3751d8e999/ef46db3751d8e998/'
planted "a spin that is drawn" trajectory-ising.md 's/^\(    before   ++\)+/\1-/'
planted "a sum" trajectory-ising.md 's/^\(    B_0, B_1, M, changed .* \)9 /\18 /'
planted "a threshold" trajectory-ising.md 's/^| 1 | 11 .* 175072333/&0/'
planted "a random number" trajectory-ising.md 's/b8838a74/b8838a75/'
planted "a cell that is drawn" trajectory-automaton.md 's/^\(    before  *\)#/\1./'
planted "a preset" format.md 's/^\(| `potts` | `q` | \)3/\12/'
planted "a parameter less" format.md '/^| `phi4` | `hits` /d'
finish
