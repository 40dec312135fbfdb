#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Lattices on a communicator: mpi.sh SOURCE BUILD MPICC built|other [--quick]
# `built` runs the programs of the build, which has the MPI of that wrapper. `other` compiles
# liblatmc_mpi and the tests with another MPI's wrapper, if there is one beside it, against the
# liblatmc of the build. What plays cases knows no MPI, and is the build's.
# `--quick`, which planted bugs name, is a part of it that takes seconds.
. "$1/tests/check.sh"
source=$1 build=$2 mpicc=$3 which=$4
here=$source/tests/mpi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/files"

# More ranks than processors, for root too; a rank that waits lets others work.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe MPIR_CVAR_POLLS_BEFORE_YIELD=1
export OMP_NUM_THREADS=1 LATMC_DEVICE=cpu

# The wrapper of another MPI; nothing if there is none.
another() {
    for name in mpicc.openmpi mpicc.mpich mpicc; do
        if have "$name" && [ "$("$name" -show)" != "$("$mpicc" -show)" ]; then
            command -v "$name"
            return
        fi
    done
}
if [ "$which" = other ]; then
    mpicc=$(another)
    [ -n "$mpicc" ] || { skip "there is one MPI alone"; finish; }
fi
# mpirun.mpich stands beside mpicc.mpich.
mpirun=$(echo "$mpicc" | sed 's/mpicc\([^/]*\)$/mpirun\1/')
have "$mpirun" || { skip "there is no $mpirun"; finish; }
echo "with $mpicc and $mpirun"

# on RANKS COMMAND...: what hangs has failed.
on() {
    ranks=$1
    shift
    timeout -k 5 "${LIMIT:-120}" "$mpirun" -n "$ranks" "$@"
}

compiled() {
    "$mpicc" -std=c11 -O1 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -I"$source" \
        -I"$source/include" "$@" -L"$build" "-Wl,-rpath,$build" -llatmc -lm -lpthread
}
programs=$build/tests/mpi
if [ "$which" = other ]; then
    programs=$work
    check "the transport compiles" compiled -o "$work/transport" "$here/transport.c" "$here/patient.c" "$here/told.c" \
        "$source"/lib/mpi/*.c
    check "the tests compile" compiled -o "$work/ranks" "$here/errors.c" "$here/files.c" \
        "$here/modes.c" "$here/patient.c" "$here/ranks.c" "$here/told.c" "$source"/lib/mpi/*.c \
        "$source/tests/random/kernels.c" "$build/tests/random/librandom_play.a"
    [ "$checks_failed" -eq 0 ] || finish
fi

if [ "${5-}" = --quick ]; then
    export LIMIT=25
    check "transport on 3" on 3 "$programs/transport" "$work/files"
    check "cases on 3" on 3 "$programs/ranks" cases "$work/files" "$here/cases.txt" 0
    check "errors on 3" on 3 "$programs/ranks" errors "$work/files"
    check "files on 3" on 3 "$programs/ranks" files "$work/files"
    finish
fi

for ranks in 1 2 5; do
    check "transport on $ranks" on $ranks "$programs/transport" "$work/files"
done
# Drawn are many that cannot be divided among more ranks.
for pair in 1:10 2:40 3:30 5:20 8:0; do
    ranks=${pair%%:*}
    check "cases on $ranks" on $ranks "$programs/ranks" cases "$work/files" "$here/cases.txt" \
        "${pair#*:}"
done
for ranks in 1 2 3; do
    check "errors on $ranks" on $ranks "$programs/ranks" errors "$work/files"
done
for ranks in 1 2 3 8; do
    check "files on $ranks" on $ranks "$programs/ranks" files "$work/files"
done

# A rank that is killed in mid-run ends the job, with a word of mpirun's, and leaves a file that can
# be loaded.
killed() {
    on 3 "$programs/ranks" die "$work/files" >"$work/log" 2>&1 &
    job=$!
    for _ in $(seq 100); do
        sleep 0.2
        [ ! -s "$work/files/alive" ] || break
    done
    [ -s "$work/files/alive" ] || { echo "nothing was saved"; cat "$work/log"; return 1; }
    sleep 0.5
    victim=$(sed -n 's/^rank 1 is process //p' "$work/log")
    kill -KILL "$victim" || return 1
    if wait $job; then
        echo "the job went on"
        return 1
    fi
    grep -qiE 'signal 9|killed|exit code: 9|BAD TERMINATION' "$work/log" || { cat "$work/log"; return 1; }
}
check "a rank that is killed ends the job with a message" killed
if [ "$which" = built ] && [ -x "$build/examples/latmc-simulate" ]; then
    check "and leaves the last good file" "$build/examples/latmc-simulate" \
        --load "$work/files/alive" --device cpu --sweeps 1
    . "$here/programs.sh"
fi
finish
