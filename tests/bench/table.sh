#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What pulls.sh makes of runs: table.sh SOURCE BUILD. That pulls are honest no test says: it takes hours.
. "$1/tests/check.sh"
pulls=$1/tests/bench/pulls.sh
if ! have python3 || [ ! -x "$2/examples/latmc-blume-capel-tricritical" ]; then
    skip "python3 or latmc-blume-capel-tricritical is missing"
    finish
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TMPDIR="$work"
cd "$work" || exit 1

# Three seeds whose pulls are +1, -18 and +12, one of them marked, one without a number, one without an output.
mkdir made
seed=0
for number in 1.1,false -0.8,true 2.2,false null,false; do
    seed=$((seed + 1))
    echo "{\"t_c\": ${number%,*}, \"error\": 0.1, \"exact\": 1.0, \"too_short\": ${number#*,}, \"seconds\": 2}" \
        >made/least.latmc-ising-binder.$seed.json
done
: >made/least.latmc-ising-binder.5.json
python3 "$1/tests/bench/pulls.py" made >table
check "root mean square, mean, the largest, marked and missing runs" grep -qE \
    "^latmc-ising-binder +least +T_c +3 +12\.50 +-1\.67 +-18\.0 +0\.1 +1 +1 +2\.0$" table
check "runs without an output" grep -q "^latmc-ising-binder at least effort: 1 runs without an output" table

sh "$pulls" -j 2 -s 2 -l least "$2" latmc-blume-capel-tricritical >table 2>said
check "a program is run" grep -qE "^latmc-blume-capel-tricritical +least +hot less cold +2 " table
check "and no other one" test "$(grep -c ' least ' table)" -eq 1
refuse "without a folder" sh "$pulls"
finish
