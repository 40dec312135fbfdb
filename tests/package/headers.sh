#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every public header alone is C11 and C++17, and a page's example is C11 with them; those of lib/
# and backends/ that are no texts over a vocabulary stand alone, too: headers.sh SOURCE
. "$1/tests/check.sh"
cd "$1" || exit 1
warnings="-Wall -Wextra -Wpedantic -Werror -pedantic-errors -Iinclude"
strict="$warnings -fsyntax-only"

# header_as LANGUAGE STANDARD COMPILER HEADER: twice, for the include guard.
header_as() {
    # shellcheck disable=SC2086
    printf '#include <%s>\n#include <%s>\n' "$4" "$4" | $3 -x "$1" -std="$2" $strict ${more-} -
}

# structs LANGUAGE STANDARD COMPILER: LATMC_INIT serves automatic variables and, in C, static ones.
structs() {
    # shellcheck disable=SC2086
    printf '#include <latmc/latmc.h>\n%s\ndouble f(void);\ndouble f(void)\n{\n%s\n%s\n}\n' "$4" \
        'latmc_estimate e = LATMC_INIT(latmc_estimate); latmc_scale s = LATMC_INIT(latmc_scale);' \
        'return e.value + s.sites + (double)e.size;' | $3 -x "$1" -std="$2" $strict -
}
# macros LANGUAGE STANDARD COMPILER: the initializers under a user's own warnings; `made` is a name
# that the user has, too. quantity: one with these arguments.
macros() {
    # shellcheck disable=SC2086
    printf '#include <latmc/latmc.h>\nint f(int64_t made);\nint f(int64_t made)\n{\n%s\n%s\n%s\n}\n' \
        'const latmc_quantity q[] = {LATMC_QUANTITY(LATMC_ENERGY), LATMC_QUANTITY(LATMC_STRUCTURE, made + 1), LATMC_QUANTITY(LATMC_WEIGHTED, 3, made)};' \
        'latmc_step s = LATMC_INIT(latmc_step); s.sweeps = made;' \
        'return q[0].index + q[1].index + q[2].second + (s.sweeps > 0);' |
        $3 -x "$1" -std="$2" $strict -Wshadow ${more-} -
}
quantity() {
    # shellcheck disable=SC2086
    printf '#include <latmc/latmc.h>\nlatmc_quantity q = LATMC_QUANTITY(%s);\n' "$4" |
        $3 -x "$1" -std="$2" $strict -
}
# A status that is not looked at, in either language; compilers say so only when they compile.
unchecked() {
    # shellcheck disable=SC2086
    printf '#include <latmc/latmc.h>\nvoid f(latmc_lattice *l);\nvoid f(latmc_lattice *l)\n{\n%s\n}\n' \
        "$4" | $3 -x "$1" -std="$2" $warnings -c -o /dev/null -
}
check "structs with their size in C11" structs c c11 "${CC:-cc}" \
    'latmc_description info(void); latmc_description info(void) { static latmc_description i = LATMC_INIT(latmc_description); return i; }'
check "structs with their size in C++17" structs c++ c++17 "${CXX:-c++}" ''
loud='latmc_sweep(l, LATMC_METROPOLIS, 1);' quiet='if (latmc_sweep(l, LATMC_METROPOLIS, 1)) return;'
check "a status that is looked at is no warning" unchecked c c11 "${CC:-cc}" "$quiet"
refuse "one that is not is a warning in C11" unchecked c c11 "${CC:-cc}" "$loud"
refuse "one that is not is a warning in C++17" unchecked c++ c++17 "${CXX:-c++}" "$loud"

check "macros in C11" macros c c11 "${CC:-cc}"
more=-Wold-style-cast
check "macros in C++17" macros c++ c++17 "${CXX:-c++}"
more=
check "a quantity with two indices" quantity c c11 "${CC:-cc}" 'LATMC_WEIGHTED, 3, 1'
refuse "a quantity with three indices in C11" quantity c c11 "${CC:-cc}" 'LATMC_WEIGHTED, 3, 1, 0'
refuse "a quantity with three indices in C++17" quantity c++ c++17 "${CXX:-c++}" 'LATMC_WEIGHTED, 3, 1, 0'

# example: the statements of doc/samples.md from "Samples" to "Pairs of replicas", whose statuses
# nobody looks at.
example() {
    {
        printf '#include <latmc/latmc.h>\n#include <math.h>\ndouble f(void);\ndouble f(void)\n{\n'
        printf 'latmc_lattice *lat;\ndouble error;\n'
        sed -n '/^## Samples/,/^## Pairs of replicas/s/^    //p' doc/samples.md
        printf 'return error;\n}\n'
    } >"$work/example.c"
    # shellcheck disable=SC2086
    ${CC:-cc} -std=c11 $strict -Wno-unused-result "$work/example.c"
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# clang-format does not wrap their comments.
narrow() { ! grep -nE '.{101}' "$@"; }
check "no line of a public header is longer than 100 characters" narrow include/latmc/*.h
printf '/* %100s */\n' wide >"$work/wide.h"
refuse "a longer line" narrow "$work/wide.h"

cuda=${CUDA_HOME:-/usr/local/cuda}/include
[ -f "$cuda/cuda_runtime_api.h" ] || cuda=
stand_alone() { python3 tests/package/stand_alone.py "$1" ${cuda:+"$cuda"}; }
check "headers of lib/ and backends/ that stand alone" stand_alone .
mkdir -p "$work/lib/base"
printf '#define LM_ALL (LM_MANY + 1)\n' >"$work/lib/base/all.h"
refuse "a macro of names from another header" stand_alone "$work"
printf 'static inline int lm_one(void) { return lm_two(); }\n' >"$work/lib/base/all.h"
refuse "a function of such names" stand_alone "$work"
printf '#define LM_ALL 1\n' >"$work/lib/base/all.h"
check "but not of a header's own" stand_alone "$work"

check "the example of samples in doc/samples.md" example
check "which has calls" grep -q 'latmc_observe_pairs(lat, LATMC_BY_REPLICA, samples' "$work/example.c"

# What mpi.h itself needs: any MPI's header, whose warnings are not ours.
mpi_flags=
for word in $("${MPICC:-mpicc}" -show 2>/dev/null); do
    case $word in -I*) mpi_flags="$mpi_flags -isystem ${word#-I}" ;; esac
done
for header in $(cd include && ls latmc/*.h); do
    more=
    if [ "$header" = latmc/mpi.h ]; then
        more=$mpi_flags
        have "${MPICC:-mpicc}" || { skip "$header: there is no MPI"; continue; }
    fi
    for compiler in "${CC:-cc}" gcc clang; do
        if have "$compiler"; then
            check "$header as C11 ($compiler)" header_as c c11 "$compiler" "$header"
        fi
    done
    for compiler in "${CXX:-c++}" g++ clang++; do
        if have "$compiler"; then
            check "$header as C++17 ($compiler)" header_as c++ c++17 "$compiler" "$header"
        fi
    done
done
# Headers that are included together have guards of their own. A lane, and real numbers of a lane, have one
# of several headers for their vocabulary.
guards() {
    ! grep -rhE '^#ifndef [A-Z0-9_]+_H$' "$@" --include='*.h' --include='*.cuh' | sort | uniq -d |
        grep -vE ' (LM_LANE|LM_REAL)_H$'
}
check "no two headers have one guard" guards include lib backends
planted=$(mktemp -d)
cp backends/bonds.h "$planted/other.h"
refuse "a guard that two headers have is found" guards backends "$planted"
rm -rf "$planted"
finish
