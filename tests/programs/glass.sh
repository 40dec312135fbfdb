#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# latmc-ising-glass from the outside: glass.sh SOURCE BUILD. That its means are right is exact_glass's.
. "$1/tests/programs/common.sh"

while IFS='|' read -r pattern flags; do
    # shellcheck disable=SC2086
    check "glass $flags" refuses "$pattern" "$glass" --device cpu $flags
done <<'EOF'
--sizes is "8,4"; up to 6 rising|--sizes 8,4
--sizes is "4,,8"|--sizes 4,,8
--sizes is "1"|--sizes 1
--sizes is "2,3,4,5,6,7,8"|--sizes 2,3,4,5,6,7,8
--samples is "3"; a whole number from 4 to 1048576|--samples 3
--samples: 400000 samples with two copies of 12 temperatures are 9600000 replicas|--samples 400000
--samples: 131072 samples with two copies of 32 temp.*; a lattice has at most 4194304|--samples 131072 --steps 32
--temperatures is "2:1"; a range FROM:TO with 0 < FROM < TO|--temperatures 2:1
--temperatures is "0:1"|--temperatures 0:1
--temperatures is "1"|--temperatures 1
--steps is "3"|--steps 3
--sweeps is "1"|--sweeps 1
--effort is "0"|--effort 0
--output is "nosuchdir/deeper"|--output nosuchdir/deeper
EOF

little="--sizes 2,4 --samples 8 --steps 5 --temperatures 1:3 --sweeps 600 --seed 3"
# shellcheck disable=SC2086
{
    check "glass: a table" answers 0 "^L = 4: 8 samples, 80 replicas, 64 of 64 measurements" \
        "$glass" $little --device cpu --output one
    check "glass: that fits" is_narrow out
    check "glass: two sizes, and where they cross or not" grep -q "^xi/L of L = 2 and L = 4 " out
    check "glass: few samples have marks" grep -q "^\* Fewer than 20 samples" out
    check "glass: the bins" grep -q "^At T = 1.0000 the last two of these bins differ" out
    check "glass: the data" test "$(grep -c '^[0-9]' one/ising-glass.dat)" -eq 11
    if have gnuplot; then
        check "glass: the picture" test -s one/ising-glass.png
        mkdir bare
        ln -s "$(command -v sh)" bare/
        check "glass without gnuplot" answers 0 "^No picture" env PATH="$work/bare" "$glass" \
            $little --device cpu
    else
        skip "glass: gnuplot is missing"
    fi
    check "glass --json" is_json "$glass" $little --device cpu --threads 2 --json --output one
    cp json whole
    timeless='"seconds"\|"updates_per_ns"\|"device"\|"threads"'
    grep -v "$timeless" json >first
    "$glass" $little --device cpu:scalar --threads 1 --json --output two >json
    grep -v "$timeless" json >second
    check "glass: the same on another lane with another number of threads" cmp first second
    check "glass: short runs are not in equilibrium, and it says so" answers 0 \
        "^latmc-ising-glass: L = 8 is not in equilibrium: give more --sweeps" "$glass" --sizes 8 \
        --samples 16 --sweeps 80 --device cpu --output one
    check "glass: --effort is a factor on the samples" is_json "$glass" --sizes 2 --effort 0.015625 \
        --sweeps 40 --device cpu --json --output one
    check "glass: 8 of 512" same "$(field samples)" 8
}
if have python3; then
    cp whole json
    check "glass: two sizes" json_says "[s['size'] for s in j['sizes']] == [2, 4]"
    check "glass: all measurements" json_says \
        "all(s['records'] == s['wanted'] == 64 and s['every'] == 10 for s in j['sizes'])"
    check "glass: chi is N q2" json_says "all(math.isclose(p['chi'], s['size'] ** 3 * p['q2'])
        for s in j['sizes'] for p in s['points'])"
    check "glass: every number has an error" json_says "all(p[k] is not None and p[k + '_error'] > 0
        for s in j['sizes'] for p in s['points']
        for k in ('energy', 'link_overlap', 'q2', 'g', 'chi', 'xi_over_l'))"
    check "glass: the energy rises" json_says "all(a['energy'] < b['energy']
        for s in j['sizes'] for a, b in zip(s['points'], s['points'][1:]))"
    check "glass: q2 falls" json_says "all(s['points'][0]['q2'] > 2 * s['points'][-1]['q2']
        for s in j['sizes'])"
    check "glass: no energy is below the lowest" json_says "all(len(s['lowest']['samples']) == 8 and
        s['lowest']['energy'] < s['points'][0]['energy'] and
        s['lowest']['found_again'] <= 8 for s in j['sizes'])"
    check "glass: energies of +-1 are whole" json_says "all(float(e * s['size'] ** 3).is_integer()
        for s in j['sizes'] for e in s['lowest']['samples'])"
    check "glass: bins double, and the last two agree" json_says \
        "all([b['measurements'] for b in s['bins']] == [1, 1, 2, 4, 8, 16, 32] and s['thermalized']
        and max(map(abs, s['drift_in_errors'].values())) < 3 for s in j['sizes'])"
    check "glass: an acceptance between all temperatures" json_says \
        "all(len(s['acceptance']) == 4 and 0 < min(s['acceptance']) and max(s['acceptance']) < 1
        for s in j['sizes'])"
    check "glass: the crossing" json_says "[(x['size'], x['larger_size']) for x in j['crossings']]
        == [(2, 4)] and 0 <= j['crossings'][0]['share_of_draws'] <= 1"
fi
finish
