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
check "all pages" names "$source"/*.md "$source"/doc/*.md

# nowhere WORDS PLACE...: these words stand in no file there (doc/words.md, "Ten words").
nowhere() {
    words=$1
    shift
    ! (cd "$source" && grep -rnwE "$words" "$@")
}
check "planes are no bits of thresholds" \
    nowhere 'LM_PLANES|lm_(ballot|gather|potts|blume_capel)_planes' lib backends
check "teams are of CPUs" nowhere 'teams?' lib/physics lib/save backends/cuda
check "members are of teams" nowhere 'member' lib/physics backends/cuda/bits backends/rules.c
check "rounds are of schedules" nowhere 'rounds?' backends/cpu/team backends/cpu/field/sweep.c \
    backends/cuda/bits/ising_ahead.cuh lib/divide/abreast.c
check "batches are of replicas and rows" nowhere 'batch(es)?|lm_batch' backends
check "ways are of rules" nowhere 'lm_ways?|way_of' lib backends
check "a replica of a word, or a thread of a warp, is no lane" \
    nowhere 'lanes?' lib/geometry/siteword.c lib/geometry/siteword.h backends/bonds.c backends/cuda
check "nor is it one on CPUs" nowhere '(int|int64_t|uint32_t) lanes?' backends/cpu/bits
check "ties alone are settled" nowhere 'settle' lib/base lib/models lib/lattice lib/settings lib/divide lib/sites lib/sums \
    lib/measure lib/sweep backends/cpu/team \
    backends/cpu/field
# of_ising FOLDER: kernels that know the Ising model are in files that are named for it.
of_ising() {
    ! (cd "$1" && grep -lE 'lm_(launch_)?ising_|cuda/bits/ising_' ./*.cu ./*.cuh | grep -v '^./ising_')
}
check "kernels of the Ising model say so in their files' names" of_ising "$source/backends/cuda/bits"
cp -r "$source/backends/cuda/bits" "$work/bits"
mv "$work/bits/ising_ruled.cu" "$work/bits/ruled.cu"
refuse "a kernel of the Ising model in a file of another name is seen" of_ising "$work/bits"
cp -r "$source/lib/geometry" "$work/geometry"
printf '/* lane */\n' >>"$work/geometry/siteword.c"
refuse "a word in the wrong room is seen" nowhere 'lanes?' "$work/geometry"

# functions HEADER: what a vocabulary offers.
functions() {
    sed -nE 's/^LM_INLINE [a-z0-9_ ]*[ *](lm_[a-z0-9_]+)\(.*/\1/p' "$1" | sort -u
}
# vocabulary PAGE LANE OTHER: the page has every function that both headers have.
vocabulary() {
    functions "$2" >"$work/one"
    functions "$3" >"$work/other"
    comm -12 "$work/one" "$work/other" >"$work/both"
    [ "$(wc -l <"$work/both")" -gt 10 ] || { echo "no vocabulary"; return 1; }
    unsaid=
    while read -r word; do
        grep -q "\`$word(" "$1" || unsaid="$unsaid $word"
    done <"$work/both"
    [ -z "$unsaid" ] || { echo "not in the page:$unsaid"; return 1; }
}
cpu=$source/backends/cpu
cat "$source/lib/physics/lane_one.h" "$cpu/lane_scalar.h" >"$work/lane.h"
cat "$source/lib/physics/real_one.h" "$cpu/real_scalar.h" >"$work/real.h"
cat "$cpu/lane_x86.h" "$cpu/lane_avx2.h" >"$work/lane_avx2.h"
cat "$cpu/real_x86.h" "$cpu/real_avx2.h" >"$work/real_avx2.h"
check "adding-a-lane.md has all words of bits" \
    vocabulary "$source/doc/adding-a-lane.md" "$work/lane.h" "$work/lane_avx2.h"
check "adding-a-lane.md has all words of real numbers" \
    vocabulary "$source/doc/adding-a-lane.md" "$work/real.h" "$work/real_avx2.h"
sed 's/`lm_real_fma(/`(/' "$source/doc/adding-a-lane.md" >"$work/page.md"
refuse "a word that is not said is seen" \
    vocabulary "$work/page.md" "$work/real.h" "$work/real_avx2.h"

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
