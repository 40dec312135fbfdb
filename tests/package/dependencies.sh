#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Dependencies point one way: include <- lib <- backends. dependencies.sh SOURCE
. "$1/tests/check.sh"
cd "$1" || exit 1

# nothing_else PATTERN FILE...: every #include in the files matches the pattern.
nothing_else() {
    pattern=$1
    shift
    [ "$#" -gt 0 ] && [ -e "$1" ] || { echo "no files to look at"; return 1; }
    ! grep -nE '^[[:space:]]*#[[:space:]]*include' "$@" | grep -vE "include[[:space:]]*($pattern)"
}

libc='<(assert|ctype|errno|fcntl|fenv|float|inttypes|limits|locale|math|signal|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|stdnoreturn|string|time|unistd|getopt|pthread|libgen|dlfcn|sys/[a-z]+)\.h>'
cpp='<[a-z_]+>'
simd='<(immintrin|arm_neon|cpuid)\.h>'

check "include/ stands alone" nothing_else '<std(def|int)\.h>' include/latmc/*.h
check "lib/ knows of devices only the vtable" \
    nothing_else "$libc|<latmc/latmc\.h>|<xxhash\.h>|\"lib/[a-z0-9_]+\.h\"|\"lib/physics/[a-z0-9_]+\.h\"|\"backends/backend\.h\"" \
    lib/*.[ch]
check "lib/physics knows only itself, and the words that a lane offers it" \
    nothing_else "<(stdint|stddef|math|string)\.h>|\"lib/physics/[a-z0-9_]+\.h\"|\"backends/cpu/lane_scalar\.h\"" lib/physics/*.h
check "lib/physics has no lane's words of its own" \
    sh -c '! grep -nE "_mm(256|512)?_|vld1q|__shfl|threadIdx|#[[:space:]]*pragma[[:space:]]+omp" lib/physics/*.h'
# list.c is the one place where they meet.
for file in backends/*.[ch]; do
    [ "$file" = backends/list.c ] || shared_files="${shared_files-} $file"
done
# shellcheck disable=SC2086
check "backends/ shared by all know none of them" \
    nothing_else "$libc|<latmc/latmc\.h>|\"lib/[a-z0-9_/]+\.h\"|\"backends/[a-z0-9_]+\.h\"" \
    $shared_files
check "backends/list.c knows their tables alone" \
    nothing_else '<stddef\.h>|"backends/(cpu/cpu|cuda/cuda)\.h"' backends/list.c
check "backends/cpu knows nothing of CUDA" \
    nothing_else "$libc|$simd|<(omp|sched|linux/futex)\.h>|<latmc/latmc\.h>|\"(lib|backends/cpu)/[a-z0-9_/]+\.h\"|\"backends/[a-z0-9_]+\.h\"|LM_[A-Z_]+" \
    backends/cpu/*.[ch]
if ls backends/cuda/cuda*.cu >/dev/null 2>&1; then
    check "backends/cuda knows nothing of the CPU's" \
        sh -c '! grep -nE "include.*backends/cpu" backends/cuda/*'
fi
check "examples use the public header alone" \
    nothing_else "$libc|$cpp|<png\.h>|<latmc/latmc\.h>|\"[a-z0-9_]+\.h\"" examples/*.[ch] examples/*.cpp

# A file that no list names would be neither built nor tested.
named() {
    for file in "$1"/$2; do
        grep -qw "$(basename "$file" .c)" "$1/meson.build" || { echo "$file is in no list"; return 1; }
    done
}
check "lib/meson.build names its sources" named lib '*.c'
check "backends/meson.build names its sources" named backends '*.c'
check "backends/meson.build names the CPU's sources" named backends 'cpu/*.c'
check "backends/cuda/meson.build names its sources" named backends/cuda '*.cu'
check "examples/meson.build names its sources" named examples '*.c'
check "tests/meson.build names its sources" named tests 'test_*.c'

# A check that compared nothing would be green, too: plant what it must find.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo '#include "backends/cpu/cpu.h"' >"$work/planted.c"
refuse "a planted include is found" \
    nothing_else "$libc|\"backends/backend\.h\"" "$work/planted.c"
finish
