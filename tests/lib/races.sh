#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ThreadSanitizer finds nothing in the crew, its teams and the lattices of all kinds that they share,
# and does find races that are planted: races.sh SOURCE
. "$1/tests/check.sh"
source=$1
meson=${MESON:-meson}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset LATMC_TEST_GPUS # this build has no CUDA
export TSAN_OPTIONS=exitcode=66:halt_on_error=1

echo 'int main(void) { return 0; }' >"$work/empty.c"
if ! ${CC:-cc} -fsanitize=thread -o "$work/empty" "$work/empty.c" 2>/dev/null ||
    ! "$work/empty" 2>/dev/null; then
    skip "the compiler has no ThreadSanitizer that runs here"
    finish
fi

# In a copy, for the plants. The vector lanes read whole vectors, for which C has no atomics; that
# they follow the scalar lane with any number of threads other tests see.
copy=$work/source
mkdir "$copy"
(cd "$source" && tar cf - --exclude=./build --exclude=./.git .) | tar xf - -C "$copy"
build() {
    ninja -C "$work/build" tests/test_crew tests/test_threads
}
silent() {
    "$work/build/tests/test_crew" >"$work/log" 2>&1 && "$work/build/tests/test_threads" >"$work/log" 2>&1 && return
    grep -m 1 -A 25 'WARNING: ThreadSanitizer' "$work/log" || tail "$work/log"
    return 1
}
# Where processors are busy, as they are with tests beside this one, a caller may do all of a call by
# itself, and then there is no race.
always_silent() {
    try=0
    while [ $((try += 1)) -le 20 ]; do
        silent || return 1
    done
}
check "configures" "$meson" setup "$work/build" "$copy" -Dcuda=disabled -Dmpi=disabled -Dexamples=disabled \
    -Dtests=enabled -Dlanes=scalar -Db_sanitize=thread -Db_lundef=false -Doptimization=1 \
    -Db_ndebug=false -Ddebug=false -Dc_args=-DLM_ONE_TEXT
check "builds" build
[ "$checks_failed" -eq 0 ] || finish
check "ThreadSanitizer is silent" silent

# plant NAME FILE EXPRESSION
plant() {
    cp "$copy/$2" "$work/original"
    sed "$3" "$work/original" >"$copy/$2"
    if cmp -s "$work/original" "$copy/$2" || ! build >"$work/log" 2>&1; then
        fail "$1: could not be planted"
    else
        refuse "$1: is found" always_silent
    fi
    cp "$work/original" "$copy/$2"
}
plant "a caller who does not see what a job has written" backends/cpu/team/crew.c \
    's/memory_order_acquire/memory_order_relaxed/
     s/atomic_exchange(&w->state, IDLE)/atomic_exchange_explicit(\&w->state, IDLE, memory_order_relaxed)/'
plant "rows copied while others read them" backends/cpu/bits/plan.c 's/if (p->words.folded)/if (1)/'
# In one model's loops: what reads words is compiled into all of them.
plant "words read while others store them" backends/cpu/bits/ising_words_lane.c \
    's/^#include LM_LANE_HEADER/&\n#define lm_load(p) (*(p))/'
# The last one, since all loops of phi^4 are compiled anew with it, and need not be without it.
plant "halos with their corners" backends/cpu/field/lane_tiles.h \
    's/left -= outside(\(.*\));/(void)outside(\1);/'
finish
