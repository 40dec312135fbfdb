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
    for name in latmc_lattice_info latmc_estimate latmc_description latmc_device_info; do
        grep -q "<class-decl name='$name' size-in-bits='[0-9]" "$1" || { echo "no struct $name"; return 1; }
    done
    grep -q "enumerator name='LATMC_HEATBATH' value='702'" "$1" || { echo "no enumerators"; return 1; }
}

# The library as it is built and installed has no debug information: types are read from the
# same sources, compiled anew (build.sh), and the functions are those of the library.
copy_tree() {
    mkdir "$1"
    cp -r "$source/include" "$source/lib" "$source/backends" "$1"
}
# plant TREE SCRIPT FILE...: a break, made by sed, in each of the files.
plant() {
    tree=$1 script=$2
    shift 2
    for file in "$@"; do
        cp "$tree/$file" "$work/before"
        sed -i "$script" "$tree/$file"
        ! cmp -s "$work/before" "$tree/$file" || { echo "nothing planted in $file"; return 1; }
    done
}
describe() {
    "$here/build.sh" "$1" "$1/liblatmc.so" && dump "$1/liblatmc.so" "$1/include/latmc" "$2"
}
exported() {
    nm -D --defined-only --format=posix "$1" | awk '{ print $1, $2 }' | sort
}
same_functions() {
    exported "$1" >"$work/one" && exported "$2" >"$work/two" && [ -s "$work/one" ] &&
        diff "$work/one" "$work/two"
}

copy_tree "$work/tree"
check "the interface can be compiled" describe "$work/tree" "$work/built.abi"
check "its types and functions are described" described "$work/built.abi"
check "the library exports the same" same_functions "$build/liblatmc.so" "$work/tree/liblatmc.so"
check "the reference describes them, too" described "$here/latmc.abi"
check "the interface is the committed one" same "$here/latmc.abi" "$work/built.abi"

# A library that describes nothing, which would pass for any other.
stripped() {
    strip --strip-debug -o "$work/bare.so" "$work/tree/liblatmc.so" &&
        dump "$work/bare.so" "$source/include/latmc" "$work/bare.abi"
}
check "a library without debug information can be dumped" stripped
refuse "it is noticed" described "$work/bare.abi"

# Breaks planted on purpose: each must be seen. One is a matter of linking; the others are compiled
# together, and the report has each of them.
gone() {
    plant "$work/tree" 's/latmc_\*;/latmc_[!v]*;/' lib/latmc.map && describe "$work/tree" "$work/gone.abi"
}
broken() {
    copy_tree "$work/broken" &&
        plant "$work/broken" 's/int32_t model;  /int64_t model;  /' include/latmc/latmc.h &&
        plant "$work/broken" 's/LATMC_HEATBATH = 702/LATMC_HEATBATH = 703/' include/latmc/models.h &&
        plant "$work/broken" 's/int64_t length,/int32_t length,/' include/latmc/analysis.h lib/analysis/analysis.c &&
        describe "$work/broken" "$work/broken.abi"
}
reported() {
    sed -n "/function latmc_status $1(/,/^ *\[C\]/p" "$work/report" | grep -q "$2"
}
check "a library without a function can be described" gone
refuse "a function that is gone is seen" same "$here/latmc.abi" "$work/gone.abi"
check "a broken interface can be described" broken
same "$here/latmc.abi" "$work/broken.abi" >"$work/report" || true
refuse "it is another" same "$here/latmc.abi" "$work/broken.abi"
check "a struct's field that grew is seen" reported latmc_get_lattice_info "type of 'int32_t model' changed"
check "an enumerator with another value is seen" \
    reported latmc_get_choice "LATMC_HEATBATH' from value '702' to '703'"
check "a parameter of another type is seen" \
    reported latmc_binned "typedef name changed from int64_t to int32_t"
finish
