#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A GPU that LATMC_TEST_GPUS promises is one that tests use, or they fail: promise.sh SOURCE BUILD
# No GPU can be seen here, whatever this machine has.
. "$1/tests/check.sh"
source=$1 build=$2/tests
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CUDA_VISIBLE_DEVICES=
unset LATMC_TEST_GPUS

# skips COMMAND...: it is skipped, or all in it is.
skips() {
    "$@" >"$work/out" 2>&1 || [ $? -eq 77 ] || { cat "$work/out"; return 1; }
    grep -qi skip "$work/out" || { cat "$work/out"; return 1; }
}
# fails GPUS COMMAND...: it fails with so many promised, and says why.
fails() {
    gpus=$1
    shift
    if LATMC_TEST_GPUS=$gpus "$@" >"$work/out" 2>&1; then
        echo "it passes"
        return 1
    fi
    grep -q 'LATMC_TEST_GPUS promises' "$work/out" || { cat "$work/out"; return 1; }
}
# both WHAT COMMAND...
both() {
    what=$1
    shift
    check "$what without a GPU are skipped" skips "$@"
    check "$what without a GPU that is promised fail" fails 1 "$@"
}
both "a program's tests" "$build/test_streams_gpu"
both "known answers" "$build/known/test_known" --device cuda:0
both "known answers of two GPUs" "$build/known/test_known" --device cuda:0,0
both "random cases" "$build/random/random" --device cuda:0
# shellcheck disable=SC2016
both "a script's checks" sh -c '. "$1/tests/check.sh"; skip_gpu "one"; finish' sh "$source"

second="$build/known/test_known --device cuda:0,1"
# shellcheck disable=SC2086
{
    check "one that is promised is not two" env LATMC_TEST_GPUS=1 sh -c "$second; [ \$? -eq 77 ]"
    check "two that are promised are two" fails 2 $second
}
finish
