#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The unit tests under AddressSanitizer and UndefinedBehaviorSanitizer: sanitize.sh SOURCE [BUILD]
set -eu
source=$1
if [ $# -gt 1 ]; then
    build=$2
else
    build=$(mktemp -d)
    trap 'rm -rf "$build"' EXIT
fi
meson=${MESON:-meson}
# The scalar lane and the best one: the others share their code but for a few lines an operation.
lane=avx2
! grep -q avx512dq /proc/cpuinfo || lane=avx512
[ "$(uname -m)" = x86_64 ] || lane=auto
# gcc clears the upper halves of vector registers from -fexpensive-optimizations on, which is needed
# here: what AddressSanitizer adds behind lm_leave() uses them. The scalar lane, which they do not look
# at here, has one text of a field's sweeps too (backends/cpu/field/lane_update.h).
# Functions with many accesses, as a lane's loops over words are, call what looks at an access: with all
# of it in place gcc takes four to six times as long to compile them. A null pointer that is followed is a
# fault that AddressSanitizer reports, and so is one that has wrapped around; where an object ends it
# knows better than the compiler. These three checks of every access, once more, would be half of what
# there is to compile. Points-to analysis is of use only to what optimizes further.
quick="--param asan-instrumentation-with-call-threshold=400 -fno-sanitize=null,object-size,pointer-overflow -fno-tree-pta"
[ -f "$build/build.ninja" ] || "$meson" setup "$build" "$source" -Dcuda=disabled -Dmpi=disabled -Dexamples=disabled \
    -Dtests=enabled -Dlanes="$lane" -Db_sanitize=address,undefined -Db_lundef=false -Doptimization=1 \
    -Db_ndebug=false -Ddebug=false -Dc_args="-g1 -fexpensive-optimizations -DLM_ONE_TEXT $quick" \
    >"$build.log" 2>&1 || { cat "$build.log"; exit 1; }
unset LATMC_TEST_GPUS # this build has no CUDA
export ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1:allocator_may_return_null=1
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
status=0
# It compiles what these tests need, and no more. Those of numbers run nothing that the others do not.
"$meson" test -C "$build" --suite unit --no-suite numbers --print-errorlogs --timeout-multiplier 4 || status=1
printf 'total: '
python3 "$source/tests/count.py" "$build/meson-logs/testlog.json" || status=1
exit $status
