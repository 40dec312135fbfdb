#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Plants the bugs of tests/mutations.txt one by one in a copy of the source and asks whether a
# test notices:
#   mutate.sh SOURCE [TEST...]
# The default tests are quick, quickest first; `mutate.sh . exact_rates exact_enumerated ...`
# asks what the tests against exact answers notice by themselves. MUTATE=PATTERN takes only the bugs
# whose names match. MUTATIONS=cuda plants those of tests/mutations_cuda.txt and needs a GPU.
. "$1/tests/check.sh"
source=$1
shift
list=mutations.txt cuda=-Dcuda=disabled limit=300
preset='contract phi4_colours phi4_contract known run save damage replace changing analysis'
if [ "${MUTATIONS-}" = cuda ]; then
    limit=45 # some of these hang
    list=mutations_cuda.txt cuda="-Dcuda=enabled -Dgpu_archs=$(nvidia-smi --query-gpu=compute_cap \
        --format=csv,noheader | head -1 | tr -d .)"
    preset='kernels kernels_disturbed'
fi
# shellcheck disable=SC2086
[ $# -gt 0 ] || set -- $preset
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
copy=$work/latmc
MESON=${MESON:-meson}
NINJA=${NINJA:-ninja}
export OMP_WAIT_POLICY=passive LATMC_DEVICE='' LC_ALL=C

programs=
for test in "$@"; do
    programs="$programs tests/test_$test"
done

build() {
    # shellcheck disable=SC2086
    "$NINJA" -C "$copy/build" $programs >"$work/build.log" 2>&1
}

# The first test that fails, or nothing.
catcher() {
    for test in "$@"; do
        if ! timeout "$limit" "$copy/build/tests/test_$test" >"$work/test.log" 2>&1; then
            echo "$test"
            return
        fi
    done
}

# plant NAME FILE EXPRESSION TEST...
plant() {
    name=$1 file=$copy/$2 expression=$3
    shift 3
    cp -p "$file" "$work/original"
    sed "$expression" "$work/original" >"$file"
    if cmp -s "$file" "$work/original"; then
        fail "$name: the bug could not be planted in ${file#"$copy"/}"
        return
    fi
    if build; then
        caught=$(catcher "$@")
        if [ -n "$caught" ]; then
            pass "$name: caught by $caught"
        else
            fail "$name: SURVIVED"
        fi
    else
        fail "$name: does not build"
        sed -n '/error/p' "$work/build.log" | head -3
    fi
    cp "$work/original" "$file"
}

mkdir "$copy"
(cd "$source" && tar cf - --exclude=./build --exclude=./.git .) | tar xf - -C "$copy"
# shellcheck disable=SC2086
check "configures" "$MESON" setup "$copy/build" "$copy" $cuda -Dexamples=disabled
check "builds" build
caught=$(catcher "$@")
[ -z "$caught" ] || fail "without a bug: $caught fails"
[ "$checks_failed" -eq 0 ] || finish

tab=$(printf '\t')
while IFS="$tab" read -r name file expression; do
    case $name in
    '' | '#'*) continue ;;
    *${MUTATE-}*) plant "$name" "$file" "$expression" "$@" ;;
    esac
done <"$source/tests/$list"
finish
