#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The library's interface with debug information, which an installed library lacks:
# build.sh TREE LIBRARY. All public functions are in the device-independent half, so that this is
# compiled, in the tree, and the backends stay unresolved. Objects that the tree has already are taken
# as they are.
set -eu
# The same names of files in the same order everywhere make the same text.
LC_ALL=C
export LC_ALL
cd "$1"
for file in $(find lib -name '*.c' ! -path 'lib/mpi/*' | sort); do
    [ -e "${file%.c}.o" ] || ${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -w -g -O0 -fPIC \
        -fvisibility=hidden -DLM_VERSION='"0"' -I. -Iinclude -c "$file" -o "${file%.c}.o"
done
# Names of files have no spaces.
# shellcheck disable=SC2046
${CC:-cc} -shared -o "$2" $(find lib -name '*.o' | sort) -Wl,--unresolved-symbols=ignore-all \
    -Wl,--version-script=lib/latmc.map -Wl,-soname,liblatmc.so.0
