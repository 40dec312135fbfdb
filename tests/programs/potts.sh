#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# latmc-potts-thermodynamics from the outside: potts.sh SOURCE BUILD
. "$1/tests/programs/common.sh"
potts=$bin/latmc-potts-thermodynamics
effort=0.1
other=$(another_lane)

check "help" answers 0 "1 / ln(1 + sqrt 10)" "$potts" --help
check "help fits" is_narrow out
check "--effort 0" refuses "--effort is" "$potts" --effort 0
check "no directory" refuses "--output is" "$potts" --output nosuchdir/deeper
check "no such device" refuses 'no device "gpu:7"' "$potts" --device gpu:7

check "--json" is_json "$potts" --effort $effort --device cpu --threads 1 --json --output one
if have python3; then
    check "nine sizes" json_says "[(c['dims'], c['size']) for c in j['two_states']] ==
        [(2, 4), (2, 8), (2, 16), (2, 32), (2, 64), (3, 2), (3, 4), (3, 8), (3, 16)]"
    check "exact energies, one by all states of 4 x 4" json_says \
        "all(math.isclose(p['exact']['energy'], -c['dims'], rel_tol=1e-3)
        for c in j['two_states'] for p in c['points'][:1] if c['dims'] == 2) and
        math.isclose(j['two_states'][0]['points'][16]['exact']['energy'], -1.4606597705451756, rel_tol=1e-9)"
    check "exact heats" json_says \
        "math.isclose(j['two_states'][0]['points'][16]['exact']['specific_heat'], 0.8147730465663329,
        rel_tol=1e-6)"
    check "energies are the exact ones" json_says "all(abs(p['energy']['mean'] - p['exact']['energy'])
        < 5 * p['energy']['error'] for c in j['two_states'] if c['size'] <= 4
        for p in c['points'] if p['exact']['energy'] is not None and p['temperature'] > 2)"
    check "the cumulant falls from 2/3" json_says "all(c['points'][0]['binder']['mean'] > 0.66 and
        c['points'][-1]['binder']['mean'] < 0.5 for c in j['two_states'] if c['size'] > 2)"
    check "ten states: both phases, apart by the latent heat" json_says \
        "all(abs(p['energy'] - p['exact']) < 5 * p['error'] < 0.05
        for p in (j['ten_states']['ordered'], j['ten_states']['disordered'])) and
        math.isclose(j['ten_states']['latent_heat_exact'], 0.6960494, rel_tol=1e-6)"
    check "the histogram has all measurements" json_says "sum(j['ten_states']['histogram']) ==
        j['ten_states']['replicas'] * j['ten_states']['records']"
fi
check "a table" answers 0 "^latent heat .*standard errors away" "$potts" --effort $effort \
    --device $other --threads 2 --output two
check "that fits" is_narrow out
for data in two ten; do
    check "$data states: the same on another lane with another number of threads" \
        cmp "one/potts-$data-states.dat" "two/potts-$data-states.dat"
    if have gnuplot; then
        check "$data states: the picture" test -s "one/potts-$data-states.png"
    else
        skip "$data states: gnuplot is missing"
    fi
done
finish
