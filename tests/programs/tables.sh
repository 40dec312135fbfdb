#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What tables and JSON say: all that a run was given, and which numbers are not to be trusted.
# tables.sh SOURCE BUILD
. "$1/tests/programs/common.sh"
have python3 || { skip "tables: python3 is missing"; finish; }

run="--device cpu --threads 1"

# narrow COMMAND...: its table, which is in `table`, fits a screen.
narrow() {
    "$@" >table 2>err </dev/null || { cat err; return 1; }
    is_narrow table
}

# --- tables

# shellcheck disable=SC2086
{
    ising="--extents 8x8 $run --sweeps 500"
    phi4="--model phi4 $ising --tune 20 --set g=6"
    for flags in "--replicas 1" "--replicas 3 --set beta=0.3:0.5" "--replicas 45 --set beta=0.3:0.5" \
        "--replicas 12 --set beta=0.3:0.5 --set field=-1e30:1e30" "--set beta=1e30 --replicas 4" \
        "--couplings pm1 --boundary open,antiperiodic --start cold" \
        "--update metropolis:3,heatbath:5,metropolis:7,heatbath:11,metropolis:13,heatbath:17,metropolis"
    do
        check "ising $flags: the table fits" narrow "$simulate" $ising $flags
        check "and has tau_int, energy and binder" has tau_int energy binder
    done
    for flags in "--replicas 1" "--replicas 3 --set mu2=-1.5:-1" \
        "--replicas 45 --set mu2=-1.5:-1 --option cutoff=1 --set inv_lambda=0:0.5" \
        "--replicas 5 --set g=1:2 --set mu2=-2:-1 --set field=0:1e-3 --set hits=1:5" \
        "--set field=1e6 --option precision=64"; do
        check "phi4 $flags: the table fits" narrow "$simulate" $phi4 $flags
        check "and has tau_int, energy, xi and acceptance" has tau_int energy xi acceptance
    done
    for flags in "--replicas 1" "--replicas 20 --set beta=0.5:1.5 --option q=200"; do
        check "potts $flags: the table fits" narrow "$simulate" --model potts $ising $flags
        check "and has tau_int, order_parameter and binder" has tau_int \
            order_parameter binder
    done
    check "shares of two hundred states are left to JSON" has_not occupation
    check "phase: the table fits" narrow "$phase" --extents 8x8,4x4x4 --g 6 --inv-lambda 0,0.25 \
        --mu2 -1.5:-1,-0.6:-0.2 --replicas 30 --sweeps 100 $run --output phase
    check "binder: the table fits" narrow "$binder" --effort 0.001 $run --seed 5 --output binder
    cp table binder.table
    check "bench: the table fits" narrow "$bench" $run --seconds 0.01 --model phi4 \
        --extents 16x16x16 --set hits=8 --set local_sweeps=50 --update block_metropolis
    check "bench: a long schedule fits" narrow "$bench" $run --seconds 0.01 --extents 16x16 --update \
        metropolis:3,heatbath:5,metropolis:7,heatbath:11,metropolis:13,heatbath:17,metropolis

    check "what replicas share" narrow "$simulate" $phi4 --replicas 3 --set mu2=-1.5:-1
    check "is said once" test "$(grep -c 'inv_lambda' table)" -eq 1
    check "above the table" has '^g = 6, inv_lambda = 0, field = 0, hits = 1, local_sweeps = 1$'
    check "what does not exist is not there" has_not energy_cutoff
    check "a term without weight" narrow "$simulate" $phi4 --option cutoff=1
    check "what is 0 in every measurement is left out" has \
        '^left out, being 0 in every measurement: energy_cutoff$'
    check "and is in the JSON" is_json "$simulate" $phi4 --option cutoff=1 --json
    check "as 0" json_says "j['replicas'][0]['observables']['energy_cutoff']['mean'] == 0"
    check "with the term" narrow "$simulate" $phi4 --option cutoff=1 --set inv_lambda=0.25
    check "it is there" has '^energy_cutoff  *0\.'
    check "a row for each quantity of one replica" narrow "$simulate" --extents 8x8 $run
    check "with its mean, its error and tau_int" has \
        '^energy  *-1\.[0-9]*([0-9]*)\**  *[0-9.]*([0-9.]*)$'
    check "a huge parameter" narrow "$simulate" $ising --set beta=1e30 --set field=1e30 \
        --start cold
    check "is written with its power of ten" has '^beta = 1e+30, field = 1e+30$'
    check "and so are huge numbers" has '^energy  *-1e+30\*'
    check "replicas that differ in nothing are numbered" narrow "$simulate" $ising --replicas 2 --each
    check "from 0" has '^replica  *energy' '^  *0 .*-1\.' '^  *1 .*-1\.'
    check "axes' couplings" narrow "$simulate" $ising --axis-couplings 1,-0.25 --couplings pm1
    check "are said" has 'couplings pm1 of seed 1, axis couplings 1 x -0.25, 1 replica'
    check "which device, seed, start and boundaries" narrow "$simulate" $ising --seed 77 --start cold \
        --boundary open,periodic --couplings pm1 --coupling-seed 5
    check "the table says" has '^ising 8x8, open x periodic, couplings pm1 of seed 5, 1 replica, seed 77,' \
        'cold start' 'on cpu:[a-z0-9]*' 'with 1 thread'
    check "what was swept" narrow "$simulate" $phi4 --thermalize 30 --every 5 \
        --update overrelax:2,metropolis
    check "the table says, too" has '^overrelax:2, metropolis, 20 sweeps to tune, 30 steps to thermalize,' \
        '500 steps measured every 5'
}

# --- inputs

# shellcheck disable=SC2086
{
    check "inputs" is_json "$simulate" $ising --json --replicas 2 --boundary open,antiperiodic \
        --couplings pm1 --coupling-seed 18446744073709551615 --seed 3 --start cold --thermalize 7 \
        --every 10 --update metropolis:2,heatbath
    check "the lattice" json_says "j['model'] == 'ising' and j['extents'] == [8, 8] and
        j['boundaries'] == ['open', 'antiperiodic'] and j['replica_count'] == 2 and
        j['first_replica'] == 0 and j['type'] == 'int8' and j['options'] == {}"
    check "its couplings" json_says "j['couplings'] == {'kind': 'pm1', 'seed': 2**64 - 1,
        'plus': 0.5, 'missing': 0, 'samples': 1, 'first_sample': 0}"
    check "its seed and start" json_says \
        "j['seed'] == 3 and j['start'] == 'cold' and j['loaded_from'] is None"
    check "the device and its threads" json_says "j['device'].startswith('cpu:') and j['threads'] == 1"
    check "the schedule" json_says "j['update'] == [{'name': 'metropolis', 'sweeps': 2},
        {'name': 'heatbath', 'sweeps': 1}] and j['tune'] == 0 and j['thermalize'] == 7 and
        j['sweeps'] == 500 and j['every'] == 10 and j['records'] == 50"
    check "samples" is_json "$simulate" $ising --json --replicas 6 --couplings pm1 --samples 3 \
        --coupling-plus 0.75 --coupling-missing 0.125
    check "are said" json_says "j['couplings'] == {'kind': 'pm1', 'seed': 1, 'plus': 0.75,
        'missing': 0.125, 'samples': 3, 'first_sample': 0}"
    check "samples in a table" narrow "$simulate" $ising --replicas 6 --couplings pm1 --samples 3 \
        --coupling-plus 0.75 --coupling-missing 0.125
    check "are said, too" has 'couplings pm1 with plus 0.75 and missing 0.125 of seed 1, 3 samples'
    check "presets" is_json "$simulate" --extents 6x4x5 --device cpu --json --sweeps 10
    check "are told as well" json_says "j['couplings'] == {'kind': 'uniform'} and
        j['axis_couplings'] == [1, 1, 1] and j['seed'] == 1 and
        j['start'] == 'hot' and j['threads'] == 0 and j['extents'] == [6, 4, 5]"
    check "real couplings, site fields" is_json "$simulate" --model onvector --extents 8x8 --sweeps 5 --json \
        --replicas 4 --samples 2 --couplings gaussian --coupling-mean 0.5 --coupling-width 2 \
        --site-fields gaussian --site-field-width 0.25 --site-field-seed 3
    check "are said as well" json_says "j['couplings'] == {'kind': 'gaussian', 'seed': 1,
        'missing': 0, 'mean': 0.5, 'width': 2, 'samples': 2, 'first_sample': 0} and
        j['site_fields'] == {'kind': 'gaussian', 'seed': 3, 'missing': 0, 'mean': 0,
        'width': 0.25, 'samples': 2, 'first_sample': 0}"
    "$simulate" --extents 8x8 --couplings pm1 --seed 9 --sweeps 5 --device cpu --save glass >/dev/null
    "$simulate" --extents 8x8 --sweeps 5 --device cpu --save magnet >/dev/null
    "$simulate" --model phi4 --extents 8x8 --sweeps 5 --option precision=64 --device cpu --save field \
        >/dev/null
    check "a loaded glass" is_json "$simulate" --load glass --json --sweeps 10 --device cpu
    check "is no magnet" json_says "j['couplings']['kind'] == 'pm1' and j['start'] is None and
        j['couplings']['seed'] == 1 and j['couplings']['plus'] == 0.5 and j['loaded_from'] == 'glass' and j['seed'] == 9"
    check "nor in the table" narrow "$simulate" --load glass --sweeps 10 --device cpu
    check "which says so" has 'couplings pm1 of seed 1,' 'from glass, on'
    check "a loaded magnet" is_json "$simulate" --load magnet --json --sweeps 10 --device cpu
    check "is one" json_says "j['couplings'] == {'kind': 'uniform'} and j['seed'] == 1"
    "$simulate" --extents 8x8 --axis-couplings 0.5,2 --sweeps 5 --device cpu --save layers >/dev/null
    check "loaded axes' couplings" is_json "$simulate" --load layers --json --sweeps 10 --device cpu
    check "are those that were saved" json_says "j['axis_couplings'] == [0.5, 2]"
    check "a loaded field" is_json "$simulate" --load field --json --sweeps 10 --device cpu
    check "has its precision" json_says "j['type'] == 'float64' and j['options'] == {'precision': 64, 'cutoff': 0} and j['model'] == 'phi4' and
        j['couplings'] == {'kind': 'uniform'}"
    check "bench: inputs" is_json "$bench" --json --extents 32x16 $run --seconds 0.01 --couplings pm1 \
        --coupling-seed 4 --seed 6 --boundary open
    check "bench: the lattice" json_says "[(c['extents'], c['boundaries'], c['couplings'], c['seed'],
        c['threads'], c['start']) for c in j['cases']] ==
        [([32, 16], ['open', 'open'], {'kind': 'pm1', 'seed': 4, 'plus': 0.5,
        'missing': 0, 'samples': 1, 'first_sample': 0}, 6, 1, 'hot')]"
    check "binder: inputs" is_json "$binder" --effort 0.001 $run --json --output binder --seed 5
    cp json binder.json
    check "binder: the lattices" json_says "j['model'] == 'ising' and j['start'] == 'cold' and
        j['boundaries'] == ['periodic', 'periodic'] and j['couplings'] == {'kind': 'uniform'} and
        j['threads'] == 1 and j['seed'] == 5 and j['effort'] == 0.001 and j['stopped_by'] is None and
        [s['extents'] for s in j['sizes']] == [[8, 8], [16, 16], [32, 32], [64, 64]] and
        all(s['thermalize'] > 0 and s['every'] > 0 and s['seed'] % 2**32 == 5 for s in j['sizes'])"
    check "phase: inputs" is_json "$phase" --extents 8x8,4x4x4 --g 6,5 --inv-lambda 0.25 \
        --mu2 -1.5:-1,-0.6:-0.2 --replicas 6 --sweeps 100 --option precision=64 $run --json --output phase
    check "phase: the lattices" json_says "[l['extents'] for l in j['lattices']] == [[8, 8], [4, 4, 4]]
        and [l['g'] for l in j['lattices']] == [6, 5] and all(l['type'] == 'float64' and l['options'] == {'precision': 64, 'cutoff': 1} and
        l['start'] == 'cold' and l['replica_count'] == 6 and l['tune'] == 100 and l['thermalize'] == 20
        and l['sweeps'] == 100 and l['inv_lambda'] == 0.25 and len(l['update']) == 10 and
        l['threads'] == 1 for l in j['lattices'])"
}

# --- csv

# shellcheck disable=SC2086
{
    "$simulate" $ising --replicas 2 --set beta=0.3:0.5 --every 50 --csv c.csv >/dev/null
    check "csv: the parameters of every row" same "$(cut -d , -f 1,11,12 c.csv | sort -u | tr '\n' ' ')" \
        "0,0.3,0 1,0.5,0 replica,beta,field "
}

# --- the sign of a deviation

# The run of the table above, and the JSON of the same.
cp binder.table table
cp binder.json json
check "binder: T_c is printed" has '^T_c = '
check "binder: the sign of its deviation is that of the JSON" json_says "
    '%+.1f standard errors' % j['deviation_in_errors'] in open('table').read() and
    (j['deviation_in_errors'] > 0) == (j['t_c'] > j['exact'])"

# --- estimates that are not to be trusted

# shellcheck disable=SC2086
{
    check "a frozen series" is_json "$simulate" --extents 8x8 $run --start cold --set beta=20 --sweeps 1000 \
        --json
    check "is too short, and has no error" json_says "all(o['too_short'] and o['error'] is None and
        o['tau_int'] is None for o in j['replicas'][0]['observables'].values())"
    check "its table" narrow "$simulate" --extents 8x8 $run --start cold --set beta=20 --sweeps 1000
    check "has its mark" has '^energy  *-2\*  *-$' '^\* The series is too short'
    check "a long series" narrow "$simulate" --extents 8x8 $run --sweeps 100000 --set beta=0.2
    check "has none" has_not '\*'
    relax="--model phi4 --extents 8x8 $run --sweeps 4000 --every 4"
    check "over-relaxation alone" is_json "$simulate" $relax --update overrelax --json
    check "is flagged" json_says "j['not_ergodic'] and
        all(o['not_ergodic'] for o in j['replicas'][0]['observables'].values())"
    check "its table" narrow "$simulate" $relax --update overrelax:2,overrelax --replicas 3
    check "says that its means are not those of exp(-H)" has '^! ' 'not those of exp(-H)' '[0-9])!'
    for update in metropolis metropolis,overrelax:4 overrelax:4,metropolis block_metropolis; do
        check "$update" is_json "$simulate" $relax --update $update --json
        check "is not" json_says "not j['not_ergodic'] and
            not any(o['not_ergodic'] for o in j['replicas'][0]['observables'].values())"
    done
    check "its table" narrow "$simulate" $relax --update metropolis,overrelax:4
    check "has no such mark" has_not '!'
    "$simulate" $relax --save relaxed >/dev/null
    check "over-relaxation of a loaded lattice" is_json "$simulate" --load relaxed --update overrelax \
        --json --device cpu
    check "is flagged, too" json_says "j['not_ergodic']"
    check "help says which updates are so" answers 0 "overrelax .*not ergodic" "$simulate" --help
    check "phase: too few records for the transition" narrow "$phase" --extents 16x16 --g 6 \
        --inv-lambda 0 --mu2 -1.5:-1 --replicas 5 --sweeps 100 $run --output phase
    check "phase: xi is marked in the ordered phase" has '^-1.50000 .*~ ' '^~ Below the transition'
    check "phase: and not above" test "$(grep -c '^-1\.[01].*~ ' table)" -eq 0
    check "phase: what its error is made of" has '(statistical 0.[0-9]*, corrections to'
    check "phase: half of 8 with the cut-off term is too little for a lattice of its own" answers 0 \
        'a statistical error, of this one' "$phase" --extents 4x4x4 --g 6 --inv-lambda 0.25 \
        --mu2 -1:0.5 --replicas 5 --sweeps 100 $run --output phase
}

# --- numbers near the limits of their formulas

# shellcheck disable=SC2086
{
    check "C at a very low temperature" is_json "$simulate" --model onvector --option n=3 \
        --option precision=64 --extents 8x8 --set beta=1e6 --update heatbath:1,overrelax:1 \
        --start cold --thermalize 1000 --sweeps 10000 --json $run
    check "has its digits: equipartition" json_says "all(abs(o['mean'] - 0.984) < 0.06 and
        o['error'] < 0.03 and not o['too_short'] for o in
        [j['replicas'][0]['observables']['specific_heat']])"
    check "xi of noise" is_json "$simulate" --extents 16x16 --set beta=0.05 --sweeps 5000 --seed 3 \
        --thermalize 100 --structure --json $run
    check "is not negative, and not too sure" json_says "all(o['mean'] >= 0 and
        (o['too_short'] or abs(o['mean'] - 0.25) < 3 * o['error']) for o in
        [j['replicas'][0]['observables']['xi']])"
}

# --- LATMC_DEVICE

export LATMC_DEVICE=tpu:0
while read -r program flags; do
    # shellcheck disable=SC2086
    check "$program: a wrong LATMC_DEVICE is named, and no flag blamed" refuses \
        'environment variable LATMC_DEVICE: there is no device "tpu:0"; there are' "$bin/$program" $flags
    # shellcheck disable=SC2086
    check "$program: but not if a flag says otherwise" answers 2 '^[a-z0-9-]*: --device: .*"gpu:7"' \
        "$bin/$program" $flags --device gpu:7
done <<'EOT'
latmc-simulate --extents 8x8
latmc-simulate --extents 8x8 --device auto
latmc-bench --extents 8x8
latmc-ising-binder
latmc-ising-glass
latmc-phi4-phase
latmc-xy-helicity
EOT
finish
