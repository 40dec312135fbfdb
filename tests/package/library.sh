#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the library exports, needs and contains: library.sh SOURCE BUILD SOVERSION GPU_ARCHS...
. "$1/tests/check.sh"
source=$1 build=$2 soversion=$3
shift 3
library=$build/liblatmc.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

exports() {
    python3 "$source/tests/package/exports.py" "$@"
}
# That of the other library, which not everybody can compile, is apart.
mpi=$source/include/latmc/mpi.h
headers=$(ls "$source"/include/latmc/*.h | grep -v '/mpi\.h$')
# Names of files have no spaces.
# shellcheck disable=SC2086
check "exports are what the headers declare" exports "$library" $headers
# shellcheck disable=SC2086
{ cat $headers; echo 'LATMC_API int latmc_planted(void);'; } >"$work/more.h"
refuse "a declaration without its export is found" exports "$library" "$work/more.h"
# shellcheck disable=SC2086
sed 's/^LATMC_API const char \*latmc_version(void);//' $headers >"$work/less.h"
refuse "an export without its declaration is found" exports "$library" "$work/less.h"

# The loader is part of libc; clang has its own library for OpenMP.
needs_only_libc() {
    ! readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
        grep -vE '^(libc\.so\.6|libm\.so\.6|libgomp\.so\.1|libomp\.so\.5|ld-linux-[a-z0-9_-]+\.so\.[0-9])$'
}
check "needs only libc, libm and libgomp" needs_only_libc "$library"
check "SONAME is liblatmc.so.$soversion" \
    sh -c "readelf -d '$library' | grep -q 'SONAME.*\[liblatmc\.so\.$soversion\]'"
check "the stack is not executable" sh -c "! readelf -lW '$library' | grep GNU_STACK | grep -q E"
check "no text relocations" sh -c "! readelf -d '$library' | grep -q TEXTREL"

# Debug information doubles its size. Nobody gets it who has not asked for it.
option() {
    "${MESON:-meson}" introspect --buildoptions "$1" 2>/dev/null | python3 -c "import json, sys
print([o['value'] for o in json.load(sys.stdin) if o['name'] == '${2-debug}'][0])"
}
preset_is_off() {
    [ "$(option "$source/meson.build")" = False ]
}
has_debug() {
    readelf -SW "$1" | grep -q '\.debug_info'
}
check "debug information is not made unless asked for" preset_is_off
if [ "$(option "$build")" = False ]; then
    refuse "has no debug information" has_debug "$library"
else
    check "has the debug information asked for" has_debug "$library"
fi

# As distributions have it, unless the flags of the build say otherwise; lengths are checked where the
# compiler optimizes.
bound_at_once() {
    readelf -d "$1" | grep -qE "BIND_NOW|FLAGS_1.*NOW" && readelf -lW "$1" | grep -q GNU_RELRO
}
calls() {
    nm -D "$1" | grep -qE " U $2(@|\$)"
}
check "is bound before anything runs" bound_at_once "$library"
case "$(option "$build" c_args)" in
*stack-protector*) skip "guards on the stack: the flags of the build say otherwise" ;;
*) check "has guards on the stack" calls "$library" __stack_chk_fail ;;
esac
case "$(option "$build" optimization) $(option "$build" b_sanitize) $(option "$build" c_args)" in
[123s]*none*_FORTIFY_SOURCE*) skip "checked lengths: the flags of the build say otherwise" ;;
[123s]*none*) check "checks lengths" calls "$library" "__[a-z]+_chk" ;;
*) skip "checked lengths: this build has none" ;;
esac

# Code for each family of GPUs that was asked for: PTX of virtual ones.
cuobjdump=$(command -v cuobjdump || echo /usr/local/cuda/bin/cuobjdump)
if [ "$#" -gt 0 ] && [ ! -x "$cuobjdump" ]; then
    skip "cuobjdump is missing: code for GPUs of $*"
elif [ "$#" -gt 0 ]; then
    "$cuobjdump" --list-elf --list-ptx "$library" >"$work/gpu" 2>&1
    for arch in "$@"; do
        case $arch in
        *-virtual) check "has PTX of $arch" grep -q "sm_${arch%-virtual}\.ptx" "$work/gpu" ;;
        *) check "has code for GPUs of sm_$arch" grep -q "sm_$arch\.cubin" "$work/gpu" ;;
        esac
    done
fi

# The library never ends the process, prints or changes what belongs to it.
calls_none_of() {
    for object in "$build"/liblatmc_lib.a.p/*.o "$build"/backends/*.a.p/*.o \
        "$build"/lib/mpi/*.a.p/*.o; do
        [ -e "$object" ] || [ "$object" = "$build/lib/mpi/*.a.p/*.o" ] || return 1
        [ -e "$object" ] || continue
        ! nm -u "$object" | grep -wE "$1" || { echo "    in $object"; return 1; }
    done
}
check "calls nothing that exits, prints or changes the process" \
    calls_none_of 'MPI_Abort|exit|_exit|abort|printf|__printf_chk|puts|putchar|setlocale|signal|sigaction|srand|rand|__assert_fail|stdout|stderr'

# The same of liblatmc_mpi.
over=$build/lib/mpi/liblatmc_mpi.so
if [ -e "$over" ]; then
    check "liblatmc_mpi: exports are what mpi.h declares" exports "$over" "$mpi"
    refuse "liblatmc_mpi: other exports are found" exports "$over" "$work/more.h"
    check "liblatmc_mpi: SONAME is liblatmc_mpi.so.$soversion" \
        sh -c "readelf -d '$over' | grep -q 'SONAME.*\[liblatmc_mpi\.so\.$soversion\]'"
    check "liblatmc_mpi: needs liblatmc" \
        sh -c "readelf -d '$over' | grep -q 'NEEDED.*\[liblatmc\.so\.$soversion\]'"
    check "liblatmc_mpi: needs MPI" sh -c "readelf -d '$over' | grep -q 'NEEDED.*\[libmp'"
    refuse "liblatmc itself needs none" sh -c "readelf -d '$library' | grep -q 'NEEDED.*\[libmp'"
else
    skip "liblatmc_mpi is not built"
fi
finish
