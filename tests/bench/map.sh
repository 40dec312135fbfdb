#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# map.sh LATMC_BENCH DEVICE [SECONDS [ROWS]]
#
# Measures the ensembles of map.txt (or of the file ROWS) with 1, 2, 4, .. replicas, and prints the rates of
# each on a line. A rate that is more than 10 % below the one before it is marked. The exit status is 1 if
# there is one, or if a row cannot be measured. Two rates within a tenth of each other may change places
# from run to run, so that a row with a mark is measured once more: a step down is one that is there twice.
set -eu
[ $# -ge 2 ] || { echo "usage: map.sh LATMC_BENCH DEVICE [SECONDS [ROWS]]" >&2; exit 2; }
bench=$1 device=$2 seconds=${3-0.02} rows=${4-$(dirname "$0")/map.txt}

# The rates of a row on one line, with marks.
measure() {
    # shellcheck disable=SC2086
    "$bench" --map --device "$device" --seconds "$seconds" $1 2>&1 | awk '
        /^ *replicas  *updates/ { rates = 1; next }
        rates && NF >= 3 { line = line " " $1 ":" $2 (NF > 3 ? "<" : "") }
        { last = $0 }
        END { if (line == "") { print "failed: " last; exit 1 } print substr(line, 2) }'
}
# What is marked in both lines.
both() {
    for mark in $(printf '%s\n' $1 | grep '<$' | cut -d : -f 1); do
        printf '%s\n' $2 | grep "^$mark:.*<\$" || :
    done
}
steps=0
while IFS= read -r flags; do
    case $flags in '#'*) continue ;; esac
    line=$(measure "$flags") || steps=$((steps + 1))
    down=''
    case $line in *'<'*)
        down=$(both "$line" "$(measure "$flags")")
        [ -z "$down" ] || steps=$((steps + 1)) ;;
    esac
    printf '%s\n    %s\n' "$flags" "$line"
    [ -z "$down" ] || printf '    steps down, twice: %s\n' "$(echo $down)"
done <"$rows"
echo "$steps rows with steps down"
[ "$steps" -eq 0 ]
