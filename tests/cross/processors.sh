#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every device of this machine, and processors that it does not have, follow the scalar
# lane's trajectory; a lane that a processor lacks is refused: processors.sh SOURCE BUILD
. "$1/tests/check.sh"
source=$1 build=$2
hashes=$build/tests/cross/hashes
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset LATMC_DEVICE
# Emulated barriers are slow where threads outnumber cores.
export OMP_NUM_THREADS=2

if ! "$hashes" cpu:scalar >"$work/scalar" 2>"$work/log"; then
    fail "cpu:scalar runs"
    cat "$work/log"
    finish
fi

# follows WHAT DEVICE EXPECTED_NAME COMMAND...: runs COMMAND DEVICE.
follows() {
    what=$1 device=$2 expected=$3
    shift 3
    if ! "$@" "$device" >"$work/out" 2>"$work/err"; then
        fail "$what: $device runs"
        sed 's/^/    /' "$work/err"
    else
        check "$what: $device is $expected" grep -qx "device $expected" "$work/err"
        check "$what: $device follows the scalar trajectory" diff "$work/scalar" "$work/out"
    fi
}
refused() {
    what=$1 device=$2
    shift 2
    refuse "$what: $device is refused" "$@" "$device"
    if "$@" "$device" 2>&1 | grep -q LATMC_ERROR_NO_DEVICE; then
        pass "$what: $device is refused for want of the device"
    else
        fail "$what: $device is refused for want of the device"
    fi
}

# An explicit device is either had or refused; which, the processor says.
native() {
    if [ "$(uname -m)" = aarch64 ]; then
        echo cpu:neon
    else
        if grep -qw avx2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo; then
            echo cpu:avx2
        fi
        if grep -qw avx512bw /proc/cpuinfo && grep -qw avx512vl /proc/cpuinfo; then
            echo cpu:avx512
        fi
    fi
}
for device in $(native); do
    follows "this processor" "$device" "$device" "$hashes"
done
if "$hashes" cuda:0 >/dev/null 2>&1; then
    follows "this GPU" cuda:0 cuda:0 "$hashes"
else
    skip_gpu "no GPU here: cuda:0 follows the scalar trajectory"
    refused "no GPU here" cuda:0 "$hashes"
fi

if [ "$(uname -m)" != x86_64 ]; then
    skip "x86-64 processors are emulated on x86-64 alone"
elif have qemu-x86_64; then
    nehalem="qemu-x86_64 -cpu Nehalem $hashes"
    haswell="qemu-x86_64 -cpu Haswell $hashes"
    # Commands are several words on purpose.
    # shellcheck disable=SC2086
    {
        follows "without AVX2" cpu cpu:scalar $nehalem
        refused "without AVX2" cpu:avx2 $nehalem
        refused "without AVX2" cpu:avx512 $nehalem
        if qemu-x86_64 -cpu Haswell /bin/true 2>&1 | grep -q "doesn't support.*AVX2"; then
            skip "this qemu does not emulate AVX2"
        else
            follows "without AVX-512" cpu cpu:avx2 $haswell
            refused "without AVX-512" cpu:avx512 $haswell
        fi
    }
else
    skip "qemu-x86_64 is missing: processors without AVX2 and AVX-512"
fi

cross=aarch64-linux-gnu
if ! have $cross-gcc || ! have qemu-aarch64; then
    skip "$cross-gcc or qemu-aarch64 is missing: NEON"
    finish
fi
# The one header that the library is built with; it is the same for all architectures. One text of a
# field's sweeps (backends/cpu/field/lane_update.h) for all kinds of lattices, and no optimization: this
# is about the vocabulary. All texts would take minutes to compile, and -O1 twice as long as this.
mkdir "$work/include"
cp "$(pkg-config --variable=includedir libxxhash 2>/dev/null || echo /usr/include)"/xx*.h "$work/include"
if ! { "${MESON:-meson}" setup "$work/arm" "$source" --cross-file "$source/tests/cross/aarch64.ini" \
    -Dexamples=disabled -Dtests=auto -Doptimization=0 \
    -Dc_args="-I$work/include -DLM_ONE_TEXT" &&
    ninja -C "$work/arm" tests/cross/hashes; } >"$work/log" 2>&1; then
    fail "AArch64: cross build"
    tail -20 "$work/log"
    finish
fi
pass "AArch64: cross build"
arm="qemu-aarch64 -L /usr/$cross $work/arm/tests/cross/hashes"
# shellcheck disable=SC2086
{
    follows "AArch64" cpu cpu:neon $arm
    follows "AArch64" cpu:scalar cpu:scalar $arm
    refused "AArch64" cpu:avx2 $arm
}
finish
