#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Plants bugs one by one in a copy of the source and asks whether a test notices:
#   mutate.sh SOURCE [OPTION...]           the plants of tests/mutations.txt
#   mutate.sh SOURCE --cuda [OPTION...]    those of tests/mutations_cuda.txt, on this machine's GPU
#   mutate.sh SOURCE --places              only whether each has its place, without a build
# Options are those of tests/mutate.py, such as --named REGEX, --in REGEX, --jobs N, --table FILE.
# With --pick N the build has the scalar lane alone, which compiles in half a minute.
# MUTATE_OPTIONS are more options for Meson.
. "$1/tests/check.sh"
source=$1
shift
[ "${1-}" != --places ] || exec python3 "$source/tests/plants.py" "$source"
meson_options='-Dcuda=disabled -Dexamples=enabled -Done_text=scalar,avx2,avx512,neon,doubles'
case " $* " in
*' --pick'*) meson_options='-Dcuda=disabled -Dexamples=disabled -Dmpi=disabled
    -Doptimization=1 -Dlanes=scalar -Done_text=scalar,doubles' ;;
esac
list=tests/mutations.txt
if [ "${1-}" = --cuda ]; then
    shift
    list=tests/mutations_cuda.txt
    meson_options="-Dexamples=disabled -Dmpi=disabled -Dlanes=scalar -Done_text=scalar,doubles -Dcuda=enabled -Dgpu_archs=$(nvidia-smi --query-gpu=compute_cap \
        --format=csv,noheader | head -1 | tr -d .)"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
# Those that are chosen by the commit; without git they are always the same.
seed=$(git -C "$source" rev-parse HEAD 2>/dev/null) || seed='no commit'
[ "$list" != tests/mutations.txt ] || unset LATMC_TEST_GPUS # that build has no CUDA
MESON=${MESON:-meson}
export OMP_WAIT_POLICY=passive LATMC_DEVICE='' LC_ALL=C

copy=$work/latmc # with its build inside, as the paths of a build are relative
mkdir "$copy"
(cd "$source" && tar cf - --exclude='./build*' --exclude=./.git .) | tar xf - -C "$copy"
# shellcheck disable=SC2086
check "configures" "$MESON" setup "$copy/build" "$copy" $meson_options -Dtests=enabled ${MUTATE_OPTIONS-}
[ "$checks_failed" -eq 0 ] || finish
python3 "$copy/tests/mutate.py" "$copy" "$copy/build" --list "$list" --seed "$seed" "$@"
