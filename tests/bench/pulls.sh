#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# pulls.sh [-j JOBS] [-s SEEDS] [-l least|preset] BUILD [PROGRAM..]
#
# Measures whether the numbers that the bundled programs quote have honest errors. Each program runs with
# seeds 1 to SEEDS (40), once at the least effort that its --help trusts and once at its preset, each run on
# one thread of the CPU and JOBS (the number of processors) of them at a time. A pull is a quoted number less
# its true value, over the quoted error; honest errors have pulls with a root mean square near 1. The last lines
# are a table, and the outputs stay in the folder that the first line names. Needs python3, and about three
# hours of one core in all.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
unset OMP_NUM_THREADS # nproc would count by it
jobs=$(nproc 2>/dev/null || echo 2) seeds=40 levels='least preset'
usage() {
    echo "usage: pulls.sh [-j JOBS] [-s SEEDS] [-l least|preset] BUILD [PROGRAM..]" >&2
    exit 2
}
while getopts j:s:l: flag; do
    case $flag in
    j) jobs=$OPTARG ;;
    s) seeds=$OPTARG ;;
    l) levels=$OPTARG ;;
    *) usage ;;
    esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || usage
build=$(cd "$1" && pwd)
shift
programs=$*

# The flags of a program's least effort; its presets need none. latmc-phi4-phase names no least one: it marks
# runs that are too short, as most of these are in two dimensions.
rows() {
    cat <<EOF
latmc-ising-binder|--effort 0.1
latmc-xy-helicity|--effort 0.2
latmc-phi4-phase|--sweeps 800
latmc-ising-glass|--effort 0.25
latmc-heisenberg-glass|--samples 32
latmc-potts-thermodynamics|--effort 0.5
latmc-blume-capel-tricritical|--effort 0.1
EOF
}

# Each line of standard input: LEVEL PROGRAM SEED FLAGS..
run_one() {
    level=$1 program=$2 seed=$3
    shift 3
    to=$work/$level.$program.$seed
    "$build/examples/$program" "$@" --seed "$seed" --device cpu --threads 1 --json --output "$to" \
        >"$to.json" 2>"$to.said" || echo "$level $program --seed $seed: status $?" >>"$work/failed"
    rm -rf "$to"
}

if [ "${PULLS_ONE-}" ]; then
    work=$PULLS_ONE
    # shellcheck disable=SC2086 # the words of a line
    run_one $programs
    exit 0
fi

work=$(mktemp -d)
echo "outputs: $work"
: >"$work/failed"
chosen() {
    [ -z "$programs" ] && return 0
    case " $programs " in *" $1 "*) return 0 ;; esac
    return 1
}
# The long runs first, so that no processor waits for them at the end.
# shellcheck disable=SC2086 # one level or two
for level in $(printf '%s\n' $levels | sort -r); do
    rows | while IFS='|' read -r program least; do
        chosen "$program" || continue
        [ "$level" = least ] && flags=$least || flags=''
        seed=1
        while [ "$seed" -le "$seeds" ]; do
            echo "$level $program $seed${flags:+ $flags}" # to xargs a blank at the end joins lines
            seed=$((seed + 1))
        done
    done
done >"$work/runs"
# A failed run counts in the table; sh -c takes the words of a line.
PULLS_ONE=$work xargs -P "$jobs" -L 1 sh "$0" "$build" <"$work/runs"
exec python3 "$here/pulls.py" "$work"
