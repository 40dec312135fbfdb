#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# latmc-heisenberg-glass from the outside: heisenberg.sh SOURCE BUILD
. "$1/tests/programs/common.sh"
glass=$bin/latmc-heisenberg-glass

run="--device cpu --threads 1"
little="--sizes 4 --samples 2 --temperatures 3 --rounds 16 $run"
# shellcheck disable=SC2086
{
    check "help" answers 0 "link overlap of" "$glass" --help
    check "help fits" is_narrow out

    while IFS='|' read -r pattern flags; do
        check "$flags" refuses "$pattern" "$glass" $little $flags
    done <<'EOT'
--sizes is "4,x"; at most 4 whole numbers from 2|--sizes 4,x
--sizes is "1"|--sizes 1
--sizes is "4,"|--sizes 4,
--sizes is "2,2,2,2,2"|--sizes 2,2,2,2,2
--range is "0.5"; FROM:TO with 0 < FROM < TO|--range 0.5
--range is "0.5:0.1"|--range 0.5:0.1
--range is "0:1"|--range 0:1
--samples|--samples 1
--temperatures|--temperatures 1
--rounds|--rounds 15
--overrelax|--overrelax 0
4200000 replicas, and 4194304 are the most|--samples 525000 --temperatures 4
--device: .*"gpu:7"|--device gpu:7
EOT
    export LATMC_DEVICE=tpu:0
    check "a wrong LATMC_DEVICE" refuses 'variable LATMC_DEVICE: there is no device "tpu:0"' "$glass"
    unset LATMC_DEVICE
    mkdir -p taken/heisenberg-glass.png
    check "a folder of the picture's name" refuses "heisenberg-glass.png cannot be written" \
        "$glass" $little --output taken

    check "tables" answers 0 "^The identity: energies and those of links differ" "$glass" $little --sizes 2,4 \
        --output one
    check "fit" is_narrow out
    check "of both sizes" test "$(grep -c '^The coldest temperature' out)" -eq 2
    check "data of both sizes" test "$(grep -c '^# L = ' one/heisenberg-glass.dat)" -eq 2
    if have gnuplot; then
        check "the picture" test -s one/heisenberg-glass.png
    else
        check "no picture" grep -q "is gnuplot installed" out
    fi
    "$glass" $little --sizes 2,4 --device cpu:scalar --threads 2 --output two >out 2>&1
    check "lanes and threads agree" cmp one/heisenberg-glass.dat two/heisenberg-glass.dat
    "$glass" $little --sizes 2,4 --seed 2 --output two >out 2>&1
    check "seeds do not" sh -c '! cmp -s one/heisenberg-glass.dat two/heisenberg-glass.dat'
}

if have python3; then
    # shellcheck disable=SC2086
    {
        check "--json" is_json "$glass" --sizes 4 --samples 24 --temperatures 5 --range 0.3:0.9 \
            --rounds 256 $run --json
        check "bins, of which each is as long as all before it" json_says \
            "[(b['from_round'], b['to_round']) for b in j['sizes'][0]['bins']] ==
            [(1, 8), (9, 16), (17, 32), (33, 64), (65, 128), (129, 256)]"
        check "temperatures in equal ratios" json_says \
            "[round(p['temperature'], 4) for p in j['sizes'][0]['bins'][0]['points']] ==
            [round(0.3 * 3 ** (k / 4), 4) for k in range(5)]"
        check "what is known of a temperature" json_says \
            "set(j['sizes'][0]['bins'][-1]['points'][0]['observables']) == {'energy',
            'energy_of_links', 'difference', 'link_overlap', 'self_link_overlap',
            'tensor_overlap2', 'tensor_overlap4', 'binder', 'spin_glass_susceptibility',
            'xi_over_l'}"
        # Five temperatures of the same samples: 3.5 errors of 24 samples are a chance of 1 in 100.
        check "the identity holds in equilibrium" json_says \
            "max(abs(p['deviation_in_errors']) for p in j['sizes'][0]['bins'][-1]['points']) < 3.5"
        check "closely" json_says \
            "max(p['observables']['difference']['error'] for p in
            j['sizes'][0]['bins'][-1]['points']) < 0.06"
        check "with both terms" json_says \
            "all(0.34 < p['observables']['self_link_overlap']['mean'] < 0.7 and
            p['observables']['link_overlap']['mean'] > 0.05 for p in
            j['sizes'][0]['bins'][-1]['points'])"
        check "the correlation length falls as it gets warm" json_says \
            "(lambda x: 0.25 < x[0] < 0.4 and x == sorted(x, reverse=True))(
            [p['observables']['xi_over_l']['mean'] for p in j['sizes'][0]['bins'][-1]['points']])"
        check "the identity does not hold where a hot start is still hot" json_says \
            "j['sizes'][0]['bins'][0]['points'][0]['deviation_in_errors'] > 3"
        check "neighbours sometimes exchange" json_says \
            "all(0.05 < p['acceptance'] < 0.95 for p in j['sizes'][0]['bins'][-1]['points'][:-1])"
        check "and there are round trips" json_says "j['sizes'][0]['round_trips'] > 0"

        # To first order in 1/T: <(s . s)^2> = 1/3, e = -1/T, and no overlap.
        check "far above all order" is_json "$glass" --sizes 4 --samples 24 --temperatures 2 \
            --range 50:60 --rounds 64 $run --json
        check "energies are the exact ones" json_says \
            "all(abs(p['observables']['energy']['mean'] + 1 / p['temperature']) <
            4 * p['observables']['energy']['error'] for p in
            j['sizes'][0]['bins'][-1]['points'])"
        check "so are spin-glass susceptibilities, which are 1" json_says \
            "all(abs(p['observables']['spin_glass_susceptibility']['mean'] - 1) <
            4 * p['observables']['spin_glass_susceptibility']['error'] < 0.4 for p in
            j['sizes'][0]['bins'][-1]['points'])"
        check "so is a copy's link overlap with itself" json_says \
            "all(abs(p['observables']['self_link_overlap']['mean'] - 1 / 3) <
            4 * p['observables']['self_link_overlap']['error'] for p in
            j['sizes'][0]['bins'][-1]['points'])"
        # <(q^mu,nu)^2> = 1 / (9 N), of nine
        check "and the tensor's square" json_says \
            "all(abs(p['observables']['tensor_overlap2']['mean'] - 1 / 64) <
            4 * p['observables']['tensor_overlap2']['error'] for p in
            j['sizes'][0]['bins'][-1]['points'])"

        status=0
        timeout --preserve-status -s INT 2 "$glass" --sizes 4 --samples 4 --temperatures 4 \
            --rounds 1e9 $run --json --output three >json 2>err || status=$?
        check "SIGINT: 130" test "$status" -eq 130
        check "SIGINT: the bins that were whole" json_says \
            "j['stopped_by'] == 'SIGINT' and 0 < j['sizes'][0]['rounds'] < 10**9 and
            j['sizes'][0]['bins'][-1]['to_round'] == j['sizes'][0]['rounds']"
        check "SIGINT: is told" grep -q "stopped by SIGINT in size 1 of 1, with [0-9]* of" err
        check "SIGINT: data and no picture" same "$(ls -A three)" heisenberg-glass.dat
    }
fi
finish
