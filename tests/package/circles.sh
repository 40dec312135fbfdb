#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Files of the library do not use each other in large circles, and those of lib/ use lower floors
# alone, by the symbols of their objects; dependencies.sh looks at what they include.
# circles.sh SOURCE BUILD
. "$1/tests/check.sh"
here=$1/tests/package
if ! have nm || ! have python3; then
    skip "no nm or no python3"
    finish
fi

floors() {
    python3 "$here/circles.py" "$1" "$here/floors.txt"
}
check "no circle has more than three files, and none of lib/ uses a higher floor" floors "$2"

# The same of small builds, some of which break a rule.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/liblatmc_lib.a.p" "$work/backends" "$work/tests"
# object NAME SYMBOL USED...: an object that defines one function, which calls others.
object() {
    name=$1 code="void lm_$2(void); void lm_$2(void) {"
    shift 2
    for used in "$@"; do code="void lm_$used(void); $code lm_$used();"; done
    printf '%s }\n' "$code" >"$work/source.c"
    ${CC:-cc} -c "$work/source.c" -o "$work/$name"
}
base=liblatmc_lib.a.p/lib_base_a.c.o
object "$base" a
object liblatmc_lib.a.p/lib_lattice_b.c.o b a
object liblatmc_lib.a.p/lib_measure_c.c.o c b a d
object backends/d.c.o d e
object backends/e.c.o e f
object backends/f.c.o f d a
object tests/t.c.o t d c
check "a circle of three files, and uses of lower floors" floors "$work"
object backends/f.c.o f g
object backends/g.c.o g d
refuse "seen: a circle of four files" floors "$work"
object backends/g.c.o g t
object backends/f.c.o f g a
check "programs' own functions are not the library's" floors "$work"
object "$base" a c
refuse "seen: base uses measure" floors "$work"
object "$base" a
check "the same without that" floors "$work"
object liblatmc_lib.a.p/lib_lattice_b.c.o b a c
refuse "seen: lattice uses measure" floors "$work"
object liblatmc_lib.a.p/lib_lattice_b.c.o b a
object liblatmc_lib.a.p/lib_attic_h.c.o h
refuse "seen: a room on no floor" floors "$work"
rm "$work"/liblatmc_lib.a.p/*
refuse "seen: no objects of lib/" floors "$work"
finish
