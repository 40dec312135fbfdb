#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# latmc-blume-capel-tricritical from the outside: blume_capel.sh SOURCE BUILD
. "$1/tests/programs/common.sh"
tricritical=$bin/latmc-blume-capel-tricritical
effort=0.1
other=$(another_lane)

check "help" answers 0 "1.98789, where it is of first order" "$tricritical" --help
check "help fits" is_narrow out
check "--effort 0" refuses "--effort is" "$tricritical" --effort 0
check "no directory" refuses "--output is" "$tricritical" --output nosuchdir/deeper
check "no such device" refuses 'no device "gpu:7"' "$tricritical" --device gpu:7

# Few sites are 0 after a cold start where two phases meet, and few are not after a hot one.
check "two phases" answers 0 "^first order   0.5  1.98789  0.0[0-9]*([0-9]*)  *0.9[0-9]*([0-9]*)$" "$tricritical" \
    --effort $effort --device cpu --threads 1 --output one
check "one phase" answers 0 "^continuous    0.8  1.87879  0.6[0-9]*([0-9]*)  *0.6[0-9]*([0-9]*)$" "$tricritical" \
    --effort $effort --device $other --threads 2 --output two
check "that fits" is_narrow out
check "--json" is_json "$tricritical" --effort $effort --device cpu --threads 1 --seed 7 --json --output seven
check "its inputs, and both means with errors of the replicas' spread" json_says \
    "j['seed'] == 7 and j['effort'] == $effort and j['stopped_by'] is None and
    [p['temperature'] for p in j['points']] == [0.8, 0.5] and
    all(0 < p[start]['error'] < 0.01 for p in j['points'] for start in ('hot', 'cold')) and
    all(abs(sum(p['histogram']) - 1) < 1e-9 for p in j['points'])"
check "the same on another lane with another number of threads" \
    cmp one/blume-capel-tricritical.dat two/blume-capel-tricritical.dat
if have gnuplot; then
    check "the picture" test -s one/blume-capel-tricritical.png
else
    skip "gnuplot is missing"
fi
finish
