#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The binary interface is the committed one: check.sh SOURCE BUILD
. "$1/tests/check.sh"
source=$1 build=$2
here=$source/tests/abi
[ "$(uname -m)" = x86_64 ] || { skip "the reference is for x86-64"; finish; }
have abidw && have abidiff || { skip "abigail-tools are missing"; finish; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

dump() {
    "$here/dump.sh" "$1" "$2" "$3"
}
# Any difference counts, also an addition: the reference then moves on purpose.
same() {
    abidiff "$1" "$2"
}
# Without debug information two libraries compare as equal, whatever they are.
described() {
    for name in latmc_create latmc_record latmc_jackknife; do
        grep -q "<function-decl name='$name'" "$1" || { echo "no function $name"; return 1; }
    done
    for name in latmc_lattice_info latmc_estimate latmc_info latmc_device_info; do
        grep -q "<class-decl name='$name' size-in-bits='[0-9]" "$1" || { echo "no struct $name"; return 1; }
    done
    grep -q "enumerator name='LATMC_HEATBATH' value='702'" "$1" || { echo "no enumerators"; return 1; }
}

# The library as it is built and installed has no debug information: types are read from the
# same sources, compiled anew (build.sh), and the functions are those of the library.
# plant NAME [SCRIPT FILE...]: with a break, made by sed, in each of the files.
plant() {
    name=$1 script=${2-}
    [ $# -lt 2 ] || shift
    shift
    tree=$work/planted
    rm -rf "$tree"
    mkdir "$tree"
    cp -r "$source/include" "$source/lib" "$source/backends" "$tree"
    for file in "$@"; do
        cp "$tree/$file" "$work/before"
        sed -i "$script" "$tree/$file"
        ! cmp -s "$work/before" "$tree/$file" || { echo "nothing planted in $file"; return 1; }
    done
    "$here/build.sh" "$tree" "$tree/liblatmc.so" &&
        dump "$tree/liblatmc.so" "$tree/include/latmc" "$tree/planted.abi" || return 1
    echo "$name: compared"
}
exported() {
    nm -D --defined-only --format=posix "$1" | awk '{ print $1, $2 }' | sort
}
same_functions() {
    exported "$1" >"$work/one" && exported "$2" >"$work/two" && [ -s "$work/one" ] &&
        diff "$work/one" "$work/two"
}

check "the interface can be compiled" plant "nothing"
cp "$work/planted/planted.abi" "$work/built.abi"
check "its types and functions are described" described "$work/built.abi"
check "the library exports the same" same_functions "$build/liblatmc.so" "$work/planted/liblatmc.so"
check "the reference describes them, too" described "$here/latmc.abi"
check "the interface is the committed one" same "$here/latmc.abi" "$work/built.abi"

# A library that describes nothing, which would pass for any other.
stripped() {
    strip --strip-debug -o "$work/bare.so" "$work/planted/liblatmc.so" &&
        dump "$work/bare.so" "$source/include/latmc" "$work/bare.abi"
}
check "a library without debug information can be dumped" stripped
refuse "it is noticed" described "$work/bare.abi"

# Breaks planted on purpose: each must be seen.
seen() {
    name=$1
    if ! plant "$@" >"$work/log" 2>&1; then
        fail "$name: could not be planted"
        sed 's/^/    /' "$work/log"
    else
        refuse "$name is seen" same "$here/latmc.abi" "$work/planted/planted.abi"
    fi
}
seen "a struct's field that grew" 's/int32_t model;  /int64_t model;  /' include/latmc/latmc.h
seen "an enumerator with another value" 's/LATMC_HEATBATH = 702/LATMC_HEATBATH = 703/' include/latmc/latmc.h
seen "a parameter of another type" 's/int64_t length,/int32_t length,/' include/latmc/analysis.h lib/analysis.c
seen "a function that is gone" 's/latmc_\*;/latmc_[!v]*;/' lib/latmc.map
finish
