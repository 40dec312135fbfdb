#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# latmc-population-annealing from the outside: population.sh SOURCE BUILD
. "$1/tests/programs/common.sh"
population=$bin/latmc-population-annealing
other=$(another_lane)

check "help" answers 0 "squared number of descendants" "$population" --help
check "help fits" is_narrow out
check "too few replicas" refuses "--replicas is" "$population" --replicas 999
check "no steps" refuses "--steps is" "$population" --steps 0
check "a chain of one site" refuses "--extents" "$population" --extents 1
check "no such device" refuses 'no device "gpu:7"' "$population" --device gpu:7

# The exact numbers of the periodic square of 8 x 8 spins: B. Kaufman, Phys. Rev. 76, 1232 (1949).
exact="{0.4: (-1.22232064325091311, 56.5993887604253733), 0.5: (-1.74568317029319993, 66.3445818792278084)}"
pulls="[pull for s in j['steps'] for beta, (e, z) in $exact.items() if abs(s['beta'] - beta) < 1e-12
    for pull in ((s['energy'] - e) / s['energy_error'], (s['ln_z'] - z) / s['ln_z_error'])]"

check "a table" answers 0 "^      0.5            2  -1.74[0-9]*([0-9]*)  *-2.07[0-9]*([0-9]*) " "$population" \
    --device cpu --threads 1 --replicas 20000
check "that fits" is_narrow out
check "too few families have a mark" answers 0 " -[0-9.]*([0-9.]*)\*  *[0-9]*  *[0-9.]*$" "$population" \
    --device cpu --replicas 1000 --beta 1 --steps 3 --sweeps 1
check "one family has no error" answers 0 "^      0.5            2  -1.[0-9]*\*  *-1.[0-9]*\*  *1  *1000$" "$population" \
    --device cpu --extents 64x64 --replicas 1000 --steps 3
check "--json" is_json "$population" --device cpu --threads 1 --replicas 20000 --sweeps 1 --json
if have python3; then
    check "energies and free energies are the exact ones" json_says "len($pulls) == 4 and
        max(abs(pull) for pull in $pulls) < 4 and
        max(s['ln_z_error'] for s in j['steps']) < 0.03 and
        max(s['energy_error'] for s in j['steps']) < 0.006"
    check "the free energy is that of ln Z, and families become fewer and larger" json_says \
        "all(math.isclose(s['free_energy'], -s['ln_z'] / (64 * s['beta']), rel_tol=1e-12) and
        s['families'] * s['rho'] >= 20000 and s['rho'] >= 1 for s in j['steps']) and
        all(a['families'] >= b['families'] and a['rho'] <= b['rho']
        for a, b in zip(j['steps'], j['steps'][1:]))"
    cp json first
    check "another lane with two threads" is_json "$population" --device "$other" --threads 2 --replicas 20000 --sweeps 1 --json
    check "gives the same steps" json_says "j['steps'] == json.load(open('first'))['steps']"
    check "another seed" is_json "$population" --device cpu --replicas 20000 --sweeps 1 --json --seed 2
    check "gives others" json_says "j['steps'] != json.load(open('first'))['steps']"

    # More than 2^16 replicas are in several lots, which resampling mixes.
    check "a large population" is_json "$population" --device cpu --replicas 100000 --steps 10 --sweeps 1 --json
    check "has the exact numbers, too" json_says "len($pulls) == 4 and max(abs(pull) for pull in $pulls) < 4 and
        j['steps'][-1]['ln_z_error'] < 0.03"

    # The least and the largest sum of squares leave out one part in a thousand of chi^2 on either side.
    runs=20
    for seed in $(seq $runs); do
        "$population" --device cpu --threads 1 --replicas 2000 --seed "$seed" --json >"run$seed" || break
    done
    sums() {
        python3 - <<EOT
import json
of = [0] * 4
for seed in range(1, $runs + 1):
    j = json.load(open('run%d' % seed))
    of = [a + pull ** 2 for a, pull in zip(of, $pulls)]
assert all(5.9 < a < 45.3 for a in of), of
EOT
    }
    check "errors are those of independent runs" sums

    # An open chain of 12 spins has Z = 2^12 cosh(beta)^11, whatever the signs of its couplings.
    check "a chain with random signs" is_json "$population" --device cpu --extents 12 --boundary open \
        --couplings pm1 --coupling-seed 3 --beta 2 --replicas 20000 --json
    check "has the exact numbers" json_says "j['couplings']['kind'] == 'pm1' and
        all(abs(s['ln_z'] - 12 * math.log(2) - 11 * math.log(math.cosh(s['beta']))) < 4 * s['ln_z_error'] and
        abs(s['energy'] + 11 / 12 * math.tanh(s['beta'])) < 4 * s['energy_error'] for s in j['steps'])"
else
    skip "python3 is missing"
fi
finish
