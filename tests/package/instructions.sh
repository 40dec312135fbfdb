#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# No instruction outside the lane that it belongs to: instructions.sh SOURCE BUILD
. "$1/tests/check.sh"
build=$2
[ "$(uname -m)" = x86_64 ] && have objdump || { skip "needs objdump on x86-64"; finish; }

# VEX and EVEX encodings are written with a leading v.
disassemble() {
    objdump -d --no-show-raw-insn "$1" | grep -P '^\s+[0-9a-f]+:\t'
}
avx='\tv[a-z0-9]+ |%[yz]mm|%k[0-7]\b'
avx512='%zmm|%[xy]mm(1[6-9]|2[0-9]|3[01])|%k[0-7]\b'

contains() {
    disassemble "$2" | grep -qP "$1"
}
free_of() {
    ! disassemble "$2" | grep -P "$1" | head -5 | grep .
}
has_code() {
    [ "$(disassemble "$1" | wc -l)" -gt 0 ]
}

for object in "$build"/liblatmc_lib.a.p/*.o "$build"/backends/liblatmc_backends.a.p/*.o \
    "$build"/backends/lib*loops*_scalar.a.p/*.o "$build"/backends/cuda/*.o; do
    # Without CUDA there are none of its objects; any other pattern that finds none is wrong.
    [ -e "$object" ] || [ "$object" != "$build/backends/cuda/*.o" ] || continue
    [ -e "$object" ] || fail "baseline: there is no $object"
    check "baseline: ${object##*/}" free_of "$avx" "$object"
done

for lane in "$build"/backends/lib*loops*.a.p/*.o; do
    name=$(echo "$lane" | sed 's/.*lib\([a-z0-9_]*\)\.a\.p.*/\1/')
    check "$name: has code" has_code "$lane"
    # A function that several lanes share would be taken from whichever comes first.
    check "$name: exports one table" sh -c "[ \$(nm -g --defined-only '$lane' | grep -c .) = 1 ]"
    case $name in
        *_avx2*)
            check "$name: uses it" contains '%ymm' "$lane"
            check "$name: nothing of AVX-512" free_of "$avx512" "$lane"
            # A green search that finds nothing anywhere would prove nothing.
            refuse "$name: would be found in the baseline" free_of "$avx" "$lane"
            ;;
        *_avx512*)
            check "$name: uses it" contains '%zmm' "$lane"
            refuse "$name: would be found in AVX2's" free_of "$avx512" "$lane"
            ;;
    esac
done
finish
