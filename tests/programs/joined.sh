#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What latmc-simulate makes of several replicas: joint means, samples, copies, marks; and what its
# table shows of each model. joined.sh SOURCE BUILD
. "$1/tests/programs/common.sh"
have python3 || { skip "joined: python3 is missing"; finish; }

run="--device cpu --threads 1"

# table FLAGS...: of latmc-simulate
table() {
    # shellcheck disable=SC2086
    "$simulate" $run "$@" >table 2>err </dev/null || { cat err; return 1; }
    is_narrow table
}

# --- what a table shows

check "XY: a table" table --model onvector --extents 8x8 --set beta=1.12
check "has the helicity moduli of its axes and vortices" has '^helicity\[0\]  *0\.' \
    '^helicity\[1\]  *0\.' '^vortices  *0\.'
check "not those of other axes" has_not 'helicity\[2'
check "nor powers and structure factors" has_not '^energy2\|^m2\|^structure'
check "Heisenberg: a table" table --model onvector --option n=3 --extents 8x8 --couplings pm1
check "has chirality" has '^chirality\[0\]  *-*[0-9]'
check "Potts: a table" table --model potts --extents 8x8
check "has occupations" has '^occupation\[0\]  *0\.' '^occupation\[2\]  *0\.'
check "but no powers of the order parameter" has_not 'order_parameter[24]'
check "Potts: --structure" refuses "structure: potts has no structure factors" "$simulate" \
    --model potts --extents 8x8 --structure
check "deep in the ordered phase" table --extents 8x8 --set beta=0.7 --start cold --structure
check "xi is marked" has '^xi  *[0-9.()]*\**~' '^~ xi is larger than the lattice'
check "in the disordered phase" table --extents 8x8 --set beta=0.3 --structure
check "it is not" has_not '~'
check "with a field" table --extents 8x8 --set beta=0.3 --set field=0.2 --sweeps 4000
check "there is the connected susceptibility" has '^connected_susceptibility  *1\.' \
    '^susceptibility has <|m|>^2'
check "without one" table --extents 8x8 --set beta=0.3
check "there is not" has_not 'connected_susceptibility\|^susceptibility has'
check "with fields of sites" table --extents 8x8 --set beta=0.3 --local-fields gaussian:1
check "there is" has '^connected_susceptibility'
connected() {
    "$simulate" $run --extents 8x8 --set beta=0.3 --set field=0.2 --sweeps 4000 --csv field.csv \
        --json >json && python3 - <<'EOT'
import csv, json
rows = list(csv.DictReader(open('field.csv')))
mean = lambda name: sum(float(row[name]) for row in rows) / len(rows)
chi = 0.3 * 64 * (mean('m2') - mean('magnetization') ** 2)
seen = json.load(open('json'))['replicas'][0]['observables']['connected_susceptibility']
assert seen['error'] > 0 and abs(seen['mean'] - chi) < seen['error'] / 4, (seen, chi)
EOT
}
check "it is beta N (<m^2> - <m>^2)" connected

narrower() {
    COLUMNS=80 "$simulate" $run --extents 8x8 --replicas 4 --set beta=0.2:0.5 >table &&
        awk 'length($0) > 80 { print; bad = 1 } END { exit bad }' table
}
check "a terminal of 80 columns" narrower

# --- replicas with the same parameters

check "equal replicas" table --extents 8x8 --replicas 8 --set beta=0.4
check "are one row for each quantity" has '^means over 8 replicas with the same parameters' \
    '^quantity' '^energy  *-1\.[0-9]*([0-9]*)  *[0-9.]*('
check "--each" table --extents 8x8 --replicas 8 --set beta=0.4 --each
check "is a row for each" has '^replica  *energy' '^  *0 .*-1\.' '^  *7 .*-1\.'
check "two of each" table --extents 8x8 --replicas 4 --set beta=0.3,0.5,0.3,0.5
check "are two rows" same "0.3 0.5 " "$(sed -n 's/^ *\(0\.[35]\)  *-.*/\1/p' table | head -4 | tr '\n' ' ')"
joint() {
    "$simulate" $run --extents 8x8 --replicas 8 --set beta=0.4 --sweeps 2000 --json >json &&
        python3 - <<'EOT'
import json, math
j = json.load(open('json'))
assert len(j['replicas']) == 8 and len(j['joined']) == 1
one = j['joined'][0]
assert one['replicas'] == 8 and one['samples'] == 1 and one['disagree'] == []
for name in ('energy', 'abs_magnetization', 'binder'):
    each = [r['observables'][name] for r in j['replicas']]
    seen = one['observables'][name]
    assert abs(seen['mean'] - sum(e['mean'] for e in each) / 8) < 1e-12, name
    error = math.sqrt(sum(e['error'] ** 2 for e in each)) / 8
    assert abs(seen['error'] / error - 1) < 1e-9, name
EOT
}
check "their mean and error" joint

potts="--model potts --option q=10 --extents 32x32 --replicas 4 --thermalize 500 --sweeps 3000"
# shellcheck disable=SC2086
{
    check "hot and cold starts at a transition of first order" table $potts --set beta=1.4262 \
        --start hot,cold
    check "are marked" has '^energy  *-1[0-9.()]*\*#' '^# Replicas with the same parameters disagree'
    check "far from it" table $potts --set beta=1.3 --start hot,cold
    check "they are not" has_not '#'
    check "in JSON" is_json "$simulate" $run $potts --set beta=1.4262 --start hot,cold --json
    check "they are named" json_says "'energy' in j['joined'][0]['disagree'] and j['start'] == 'hot,cold'
        and j['joined'][0]['observables']['energy']['too_short']"
}
check "replicas that differ in the sign of m" table --extents 16x16 --replicas 8 --set beta=0.6
check "have the error of its spread" has '^magnetization  *-*0\.[0-9][0-9]([1-9][0-9])\*  '
check "but agree" has_not '#'
check "replicas that were tuned" table --model phi4 --extents 8x8 --replicas 4 --tune 100 \
    --set mu2=-1.4 --sweeps 500
check "are joined, though their proposals differ" has '^means over 4 replicas' '^energy  *-*[0-9]'
check "and agree" has_not '#'
glass="--extents 4x4x4 --couplings gaussian --quantities energy --sweeps 200"
# shellcheck disable=SC2086
{
    check "a glass without exchanges" table $glass --set beta=1
    check "is marked" has '^energy  *-1[0-9.()]*\**?' '^? Few copies of a glass'
    check "two copies" table $glass --set beta=1 --replicas 2
    check "are marked, too" has '^energy  *-1[0-9.()]*\**?'
    check "each of them" table $glass --set beta=1 --replicas 2 --each
    check "has the mark" has '^  *0  *-1[0-9.()]*\**?'
    check "three copies" table $glass --set beta=1 --replicas 3
    check "are not" has_not '?'
    check "nor is what exchanges" table $glass --set beta=0.5:1 --replicas 4 --temper 1
    check "at any temperature" has_not '?'
    check "one of two temperatures" table $glass --set beta=0.1,1 --replicas 2
    check "is hot enough" has '^ *0.1  *-[0-9.()]*\**  ' '^ *1  *-1[0-9.()]*\**?'
    check "a ramp" table $glass --anneal beta=0.1:1
    check "has no mark" has_not '?'
    check "in JSON" is_json "$simulate" $run $glass --set beta=1 --replicas 2 --json
    check "it is said" json_says "j['replicas'][0]['unchecked'] and j['joined'][0]['unchecked']"
}
check "a diluted ferromagnet" table --extents 8x8x8 --couplings pm1 --coupling-plus 1 \
    --coupling-missing 0.3 --set beta=0.4
check "is no glass" has_not '?'
check "nor is one with couplings of one sign" table --extents 6x6x6 --couplings gaussian \
    --coupling-mean 3 --coupling-width 0.1 --set beta=0.4 --axis-couplings 1,0.5,1
check "and no mark" has_not '?'
check "every second replica is cold" is_json "$simulate" $run --extents 8x8 --replicas 4 --sweeps 0 \
    --start hot,cold --json
check "and the others are hot" json_says "[r['observables']['energy']['mean'] == -2
    for r in j['replicas']] == [False, True, False, True]"

# --- samples and copies

glass="--extents 4x4x4 --couplings pm1 --samples 3 --copies 2 --replicas 24 --set beta=0.3:0.9"
# shellcheck disable=SC2086
{
    check "samples" table $glass --temper 2 --sweeps 400
    check "have means over them" has '^means over 3 samples of 2 replicas each' \
        '^beta  *energy  *magnetization' '^ *0\.3  *-0\.[0-9]*([0-9]*)\*' '^\* Fewer than 20 samples'
    check "four rows of energies" same 4 "$(sed -n '/^beta  *energy/,/^$/p' table | grep -c '^ *0\.')"
    check "pairs have their temperature" has '^slot  *beta  *overlap' '^ *3  *0\.9 '
    check "--each" table $glass --temper 2 --sweeps 400 --each
    check "names sample and copy" has '^slot  *sample  *copy  *beta' '^ *23  *2  *1  *0\.9 '
    check "csv and JSON" is_json "$simulate" $run $glass --temper 2 --sweeps 400 --json --csv glass.csv
    check "name them, too" same "slot,sample,copy,record" "$(head -n 1 glass.csv | cut -d , -f 1-4)"
}
samples() {
    python3 - <<'EOT'
import csv, json, math
j = json.load(open('json'))
rows = list(csv.DictReader(open('glass.csv')))
for row in rows:
    slot = int(row['slot'])
    assert (int(row['sample']), int(row['copy'])) == (slot // 8, slot % 8 // 4), row
assert [(r['sample'], r['copy']) for r in j['replicas']] == [(s // 8, s % 8 // 4) for s in range(24)]
assert len(j['joined']) == 4
for step, one in enumerate(j['joined']):
    assert one['replicas'] == 6 and one['samples'] == 3
    each = [r['observables']['energy']['mean'] for r in j['replicas']]
    means = [(each[8 * s + step] + each[8 * s + 4 + step]) / 2 for s in range(3)]
    mean = sum(means) / 3
    spread = math.sqrt(sum((m - mean) ** 2 for m in means) / 6)
    seen = one['observables']['energy']
    assert abs(seen['mean'] - mean) < 1e-12 and seen['too_short']
    assert abs(seen['error'] / spread - 1.3213) < 1e-3, (seen, spread)  # Student's, two degrees
for pair in j['pairs']:
    assert pair['observables']['overlap2']['too_short']
EOT
}
check "means of samples, with Student's factor" samples

# --- round trips

ladder="--extents 8x8 --replicas 5 --set beta=0.36:0.5 --temper 1"
# shellcheck disable=SC2086
{
    check "a short tempered run" table $ladder --sweeps 50
    check "is marked" has '^\* Fewer than 10 round trips were made' '^ *0\.36 *-[0-9.]*([0-9]*)\*' \
        '^ *0\.5 *-[0-9.]*([0-9]*)\*'
    check "a long one" table $ladder --sweeps 20000
    check "is not" has_not 'Fewer than 10 round trips'
    check "nor are its energies" has_not '^ *0\.[0-9]* *-[0-9.]*([0-9]*)\*'
    check "in JSON" is_json "$simulate" $run $ladder --sweeps 50 --json
    check "there is a key" json_says "j['tempering']['round_trips'] < 10 and
        j['tempering']['ladders'][0]['few_round_trips']"
}

finish
