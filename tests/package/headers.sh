#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every public header alone is C11 and C++17: headers.sh SOURCE
. "$1/tests/check.sh"
cd "$1" || exit 1
strict="-Wall -Wextra -Wpedantic -Werror -pedantic-errors -fsyntax-only -Iinclude"

# header_as LANGUAGE STANDARD COMPILER HEADER: twice, for the include guard.
header_as() {
    # shellcheck disable=SC2086
    printf '#include <%s>\n#include <%s>\n' "$4" "$4" | $3 -x "$1" -std="$2" $strict -
}

for header in $(cd include && ls latmc/*.h); do
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
finish
