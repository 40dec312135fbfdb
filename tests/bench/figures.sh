#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# figures.sh LATMC_BENCH MACHINE [SECONDS]
#
# Measures the figures of a machine again (figures.txt), and prints each with the one that is there:
# updates/ns then, now, and now over then. For whoever has changed a kernel, a lane or a structure that
# they copy: what nobody measures gets slower unseen. Rows below 0.95 are marked, and if there is one, or one
# that cannot be measured, the exit status is 1. No test asks for that, since machines and hours differ.
set -eu
[ $# -ge 2 ] || { echo "usage: figures.sh LATMC_BENCH MACHINE [SECONDS]" >&2; exit 2; }
bench=$1 machine=$2 seconds=${3-0.2}
figures=$(dirname "$0")/figures.txt
grep -q "^$machine	" "$figures" || { echo "figures.sh: no figures of $machine in $figures" >&2; exit 2; }
printf '%8s %8s %6s  %s\n' was now ratio flags
grep "^$machine	" "$figures" | while IFS='	' read -r _ was flags; do
    # shellcheck disable=SC2086
    said=$("$bench" $flags --seconds "$seconds" --json 2>&1 || :)
    now=$(printf '%s\n' "$said" | sed -n 's/.*"updates_per_ns": *\([0-9.e+-]*\).*/\1/p' | head -n 1)
    if [ -z "$now" ]; then
        printf '%8s %8s %6s  %s: %s\n' "$was" failed '' "$flags" "$(printf '%s\n' "$said" | head -n 1)"
        continue
    fi
    awk -v was="$was" -v now="$now" -v flags="$flags" 'BEGIN {
        printf "%8s %8.4g %6.3f  %s%s\n", was, now, now / was, flags, now < 0.95 * was ? "  <" : ""
    }'
done | awk '{ print } /  <$/ || $2 == "failed" { slow = 1 } END { exit slow }'
