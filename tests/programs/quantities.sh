#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# latmc-simulate --quantities and --weights from the outside: quantities.sh SOURCE BUILD
. "$1/tests/programs/common.sh"

small="--extents 8x6 --set beta=0.4 --sweeps 200 --device cpu"

# shellcheck disable=SC2086
{
    check "a list" is_json "$simulate" $small --quantities 'energy,binder,structure[1]' --json
    if have python3; then
        check "has what was asked for, and what that is made of" json_says \
            "list(j['replicas'][0]['observables']) == ['energy', 'm2', 'm4', 'structure[1]', 'binder']"
        cp json asked
        check "all quantities" is_json "$simulate" $small --structure --json
        check "have the same values" json_says \
            "all(v == j['replicas'][0]['observables'][k] for k, v in
                json.load(open('asked'))['replicas'][0]['observables'].items())"
        check "names without indices" is_json "$simulate" $small --quantities structure --json
        check "stand for all of them" json_says \
            "list(j['replicas'][0]['observables']) == ['structure[0]', 'structure[1]']"
    fi
    "$simulate" $small --quantities energy,binder >table 2>&1
    check "a table has what was asked for" has '^energy ' '^binder '
    check "and not what that is made of" has_not '^m2 '

    # Weights: the same from a file; bonds with weights of 1 have the energy without its sign.
    awk 'BEGIN { for (i = 0; i < 48; i++) print i, 1 - 2 * ((i % 8 + (i - i % 8) / 8) % 2) }' >sites
    awk '{ print $2 }' sites >numbers
    awk 'BEGIN { for (i = 0; i < 48; i++) {
            x = i % 8; y = (i - x) / 8
            print i, (x + 1) % 8 + 8 * y, 1; print i, x + 8 * ((y + 1) % 6), 1 } }' >bonds
    check "several weights" is_json "$simulate" $small --weights staggered --weights file:sites \
        --weights file:numbers --weights file:bonds --quantities energy,weighted,weighted2 --json
    if have python3; then
        check "staggered weights are those of the files" json_says \
            "(lambda o: o['weighted[0,0]'] == o['weighted[1,0]'] == o['weighted[2,0]'] and
                o['weighted2[0]'] == o['weighted2[2]'] and o['weighted2[0]']['mean'] > 0)(
                j['replicas'][0]['observables'])"
        check "bonds have the energy" json_says \
            "(lambda o: o['weighted[3,0]']['mean'] == -o['energy']['mean'] and
                o['weighted[3,0]']['error'] == o['energy']['error'])(
                j['replicas'][0]['observables'])"
    fi
    check "vectors with weights of sites and bonds" answers 0 '^weighted\[0,1\]' "$simulate" $small \
        --model onvector --weights staggered --weights file:bonds
    check "have one component of bonds" grep -q '^weighted\[1,0\]' out
    refuse "and no other" grep -q '^weighted\[1,1\]' out
    check "saved weights" answers 0 '^abs_weighted\[0\]' "$simulate" $small --weights staggered \
        --save kept
    check "are loaded" answers 0 '^abs_weighted\[0\]' "$simulate" --load kept --sweeps 100
    check "a series" answers 0 '^state_hash' "$simulate" $small --weights staggered --csv series.csv \
        --quantities 'weighted[0]'
    check "has their column" grep -q '^replica,record,"weighted\[0,0\]",beta,field$' series.csv

    while IFS='|' read -r pattern flags; do
        check "refused: $flags" refuses "$pattern" "$simulate" $small $flags
    done <<'EOF'
--quantities: .*has no observable of "nosuch"; it has energy|--quantities energy,nosuch
--quantities: .*the lattice has no "structure\[2\]"; it has structure\[0\] to structure\[1\]|--quantities structure[2]
--quantities needs a list|--quantities energy,,m2
--quantities: .*has set no weights|--quantities weighted
--quantities: slot is no result|--quantities slot
--weights is "nosuch"; staggered or file:NAME|--weights nosuch
the file ends after 48 numbers|--weights file:numbers --extents 8x7
EOF
}
finish
