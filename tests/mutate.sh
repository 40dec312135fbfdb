#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Plants the bugs of tests/mutations.txt one by one in a copy of the source and asks whether a
# test notices:
#   mutate.sh SOURCE [TEST...]
#   mutate.sh SOURCE --places      only whether each has its place, and one alone, without a build
# A line "#: TEST..." of the list says which tests the bugs behind it are for, unless some are given
# here; one with a model behind a colon plays the known answers of that model alone. The default
# tests are quick, quickest first; `mutate.sh . exact_rates exact_enumerated ...` asks what the tests
# against exact answers notice by themselves. MUTATE=EXPRESSION takes only the
# bugs whose names match (grep -E), MUTATE_JOBS=N tries so many at a time, each in a copy of the build,
# MUTATE_LIMIT=SECONDS is how long a test may take, MUTATE_OPTIONS are more of Meson's, such as
# -Dnvcc_args=--Ofast-compile=max for kernels that shall only be compiled soon.
# MUTATIONS=cuda plants those of tests/mutations_cuda.txt and needs a GPU.
. "$1/tests/check.sh"
source=$1
shift
list=$source/tests/mutations.txt cuda=-Dcuda=disabled limit=${MUTATE_LIMIT-300}
in_ranks='--device cpu:scalar,scalar --ranks 2'
places=
[ "${1-}" != --places ] || places=yes
preset='contract ising_contract ising_field_contract onvector_contract onvector_turns phi4_colours phi4_contract
    known run save resume damage damage_sites siteword sections replace changing analysis errors draw couplings pairs structure
    disorder links static_values saved_schedule schedule slots automaton door_calls'
if [ "${MUTATIONS-}" = cuda ] && [ -z "$places" ]; then
    limit=${MUTATE_LIMIT-45} # some of these hang
    in_ranks='--device cuda:0 --ranks 2'
    list=$source/tests/mutations_cuda.txt
    cuda="-Dcuda=enabled -Dgpu_archs=$(nvidia-smi --query-gpu=compute_cap \
        --format=csv,noheader | head -1 | tr -d .)"
    preset='kernels slots kernels_disturbed automaton'
fi
given=$#
# shellcheck disable=SC2086
[ $given -gt 0 ] || set -- $preset
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
copy=$work/latmc chosen=$work/chosen # each job has a folder of its own, and all have one list
jobs=${MUTATE_JOBS-1}
at_once=$(nproc) # of a build
MESON=${MESON:-meson}
NINJA=${NINJA:-ninja}
export OMP_WAIT_POLICY=passive LATMC_DEVICE='' LC_ALL=C

# program TEST: its file in the build.
program() {
    case ${1%:*} in
    known | known_gpu | known_packs | known_resident | two_halves | ranks_known)
        echo tests/known/test_known
        ;;
    fuzz) echo tests/fuzz/fuzz ;;
    random | random_parts) echo tests/random/random ;;
    mpi) echo tests/mpi/ranks tests/mpi/transport ;;
    *) echo "tests/test_${1%:*}" ;;
    esac
}

# arguments TEST: what it is given; random compares the best lane with the scalar one.
arguments() {
    case $1 in
    *:*) echo --model "${1#*:}" ;;
    esac
    case ${1%:*} in
    random) echo --device cpu --threads 3 --runs 400 --cost 20 --failures 1 --shrink 0 ;;
    ranks_known) echo "$in_ranks" ;;
    known_gpu) echo --device cuda:0 ;;
    known_resident) echo --device cuda:0 --kernel resident ;;
    two_halves) echo --device cuda:0,0 ;;
    random_parts) echo --device cuda:0 --failures 1 --shrink 0 --cases "$copy/tests/random/parts.txt" ;;
    esac
}

build() {
    # shellcheck disable=SC2086
    "$NINJA" -j "$at_once" -C "$copy/build" $programs >"$work/build.log" 2>&1
}

run() {
    if [ "$1" = mpi ]; then
        sh "$copy/tests/mpi/mpi.sh" "$copy" "$copy/build" "$(command -v "${MPICC:-mpicc}")" quick
    elif [ "$1" = known_packs ]; then # a kernel that only tests ask for: its name has a space
        timeout "$limit" "$copy/build/$(program known)" --device cuda:0 --kernel 'onvector packs'
    else
        # shellcheck disable=SC2046
        timeout "$limit" "$copy/build/$(program "$1")" $(arguments "$1")
    fi
}

# The first test that fails, or nothing.
catcher() {
    for test in "$@"; do
        code=0
        run "$test" >"$work/test.log" 2>&1 || code=$?
        [ $code -ne 124 ] || { echo "$test, by the limit of time"; return; }
        [ $code -eq 0 ] || { echo "$test"; return; }
    done
}

# place EXPRESSION FILE...: those of the files of the copy that it changes.
place() {
    change=$1
    shift
    for candidate in "$@"; do
        sed "$change" "$copy/$candidate" | cmp -s - "$copy/$candidate" || echo "$candidate"
    done
}

# plant NAME EXPRESSION FILES TEST...: it is in one of the files, if anywhere.
plant() {
    # Names of files have no spaces.
    # shellcheck disable=SC2086
    name=$1 expression=$2 found=$(place "$2" $3)
    shift 3
    case $found in
    '') fail "$name: has no place" ;;
    *"
"*) fail "$name: has several places: $(echo "$found" | tr '\n' ' ')" ;;
    *)
        if [ -n "$places" ]; then
            pass "$name: $found"
        else
            try "$name" "$found" "$expression" "$@"
        fi
        ;;
    esac
}

# try NAME FILE EXPRESSION TEST...
try() {
    name=$1 file=$2 expression=$3
    shift 3
    cp -p "$copy/$file" "$work/original"
    sed "$expression" "$work/original" >"$copy/$file"
    if build; then
        caught=$(catcher "$@")
        if [ -n "$caught" ]; then
            pass "$name: caught by $caught"
        else
            fail "$name: SURVIVED"
        fi
    else
        fail "$name: does not build"
        sed -n '/error/p' "$work/build.log" | head -3
    fi
    cp "$work/original" "$copy/$file"
}

mkdir "$copy"
(cd "$source" && tar cf - --exclude=./build --exclude=./.git .) | tar xf - -C "$copy"
if [ -n "$places" ]; then
    cat "$source/tests/mutations.txt" "$source/tests/mutations_cuda.txt" >"$work/list"
    list=$work/list
fi
tab=$(printf '\t')
# Names, expressions, and the tests of the bugs that have their own, or "-".
awk -v FS="$tab" -v OFS="$tab" -v given="$given" '/^#:/ { own = given ? "" : substr($0, 4) }
    !/^#/ && NF { print $1, $2, own == "" ? "-" : own }' "$list" |
    grep -E "^[^$tab]*(${MUTATE-.})[^$tab]*$tab" >"$work/asked"
# shellcheck disable=SC2046
python3 "$source/tests/places.py" "$copy" "$work/asked" \
    $(cd "$copy" && find lib backends -type f ! -name meson.build | sort) >"$chosen" ||
    { fail "the files with the bugs' places are listed"; finish; }
all_tests=$(awk -v FS="$tab" -v preset="$*" '{ print $3 != "-" ? $3 : preset }' "$chosen" |
    tr ' ' '\n' | sort -u)
programs=
for test in $all_tests; do
    programs="$programs $(program "$test")"
done

if [ -z "$places" ]; then
    # shellcheck disable=SC2086
    check "configures" "$MESON" setup "$copy/build" "$copy" $cuda -Dexamples=disabled ${MUTATE_OPTIONS-}
    check "builds" build
    # shellcheck disable=SC2086
    caught=$(catcher $all_tests)
    [ -z "$caught" ] || fail "without a bug: $caught fails"
    [ "$checks_failed" -eq 0 ] || finish
fi

# plant_each EVERY TEST...: the bugs of `chosen` from the line EVERY on, and every `jobs`-th after it.
plant_each() {
    line=0 every=$1
    shift
    while IFS="$tab" read -r name expression own files; do
        line=$((line + 1))
        [ "$own" != - ] || own=$*
        # shellcheck disable=SC2086
        [ $((line % jobs)) -ne $((every % jobs)) ] || plant "$name" "$expression" "$files" $own
    done <"$chosen"
}

if [ "$jobs" -eq 1 ]; then
    plant_each 1 "$@"
    finish
fi
for job in $(seq "$jobs"); do
    (
        mkdir "$work/$job"
        cp -a "$copy" "$work/$job/latmc"
        copy=$work/$job/latmc work=$work/$job at_once=$(($(nproc) / jobs + 1))
        trap - EXIT
        plant_each "$job" "$@" | tee "$work/said"
    ) &
done
wait
for job in $(seq "$jobs"); do
    checks_passed=$((checks_passed + $(grep -c '^ok' "$work/$job/said")))
    checks_failed=$((checks_failed + $(grep -c '^FAILED' "$work/$job/said")))
done
finish
