#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# latmc-simulate --temper, --anneal and --local-fields from the outside: tempering.sh SOURCE BUILD
. "$1/tests/programs/common.sh"

small="--extents 16x16 --sweeps 100 --device cpu"
ladder="--extents 8x8 --replicas 5 --set beta=0.36:0.5 --device cpu"

# goes_on FLAGS: a run of 20 steps that is saved and loaded without its flags is one of 40 steps.
goes_on() {
    # shellcheck disable=SC2086
    check "a loaded run goes on: $1" same \
        "$("$simulate" $1 --sweeps 20 --save begun >/dev/null &&
            hash_of --load begun --device cpu --sweeps 20 && field update)" \
        "$(hash_of $1 --sweeps 40 && field update)"
}

# shellcheck disable=SC2086
{
    check "tempering is an exchange after so many steps" same \
        "$(hash_of $ladder --temper 4 --sweeps 80 --update metropolis:2)" \
        "$(hash_of $ladder --sweeps 20 --update metropolis:8:exchange=1)"
    check "of all updates" same \
        "$(hash_of $ladder --temper 2 --sweeps 40 --update metropolis,heatbath:2)" \
        "$(hash_of $ladder --sweeps 20 \
            --update metropolis,heatbath:2,metropolis,heatbath:2:exchange=1)"
    check "a table says what it came to" answers 0 \
        "^Tempering in beta: neighbours accept 0\.[0-9]* (slots" \
        "$simulate" $ladder --temper 4 --sweeps 80
    check "and how it is done" grep -q "an exchange every 4 steps" out
    check "and fits" is_narrow out
    check "a range is that of each sample" is_json "$simulate" --extents 4x4x4 --couplings pm1 \
        --samples 2 --replicas 6 --set beta=0.25:0.75 --temper 1 --sweeps 10 --json --device cpu
    check "as its results say" same "0.25 0.5 0.75 0.25 0.5 0.75 " \
        "$(sed -n '/"joined"/q; s/^ *"beta": \([^,]*\),*$/\1/p' json | tr '\n' ' ')"
    check "save and load a tempered run" same \
        "$("$simulate" $ladder --temper 5 --sweeps 60 --save tempered >/dev/null &&
            hash_of --load tempered --device cpu --temper 5 --sweeps 40)" \
        "$(hash_of $ladder --temper 5 --sweeps 100)"
    "$simulate" $ladder --temper 5 --sweeps 100 --json | sed -n '/"tempering"/,/"replicas"/p' >whole
    "$simulate" --load tempered --device cpu --temper 5 --sweeps 40 --json |
        sed -n '/"tempering"/,/"replicas"/p' >parts
    check "and its counts" cmp whole parts
    check "which are there" grep -q '"round_trips": [0-9]' whole
    check "a loaded run goes on tempering without being told" same \
        "$(hash_of --load tempered --device cpu --sweeps 40)" \
        "$(hash_of $ladder --temper 5 --sweeps 100)"
    check "and says so" answers 0 "an exchange every 5 steps" \
        "$simulate" --load tempered --device cpu --sweeps 40
    check "and counts whole rounds" answers 2 "^latmc-simulate: --sweeps is 41; with --temper 5" \
        "$simulate" --load tempered --device cpu --sweeps 41
    check "another update does not end the exchanges" answers 0 "^heatbath, an exchange every 5 steps" \
        "$simulate" --load tempered --device cpu --sweeps 40 --update heatbath
    check "unless it says so" answers 0 "^heatbath, 0 steps" \
        "$simulate" --load tempered --device cpu --sweeps 41 --update heatbath:1:exchange=0
    check "nor does --temper change the update" same \
        "$(hash_of --load tempered --device cpu --temper 4 --sweeps 40)" \
        "$(hash_of --load tempered --device cpu --temper 4 --update metropolis --sweeps 40)"
    goes_on "$ladder --update metropolis:2,heatbath:3 --temper 2"
    goes_on "$ladder --update metropolis:1:exchange=2,heatbath:1"
    goes_on "--model onvector --extents 4x4x4 --replicas 8 --copies 2 --set beta=0.5:0.8 --device cpu
        --update metropolis:1:hits=2,overrelax:4 --temper 2"
    check "with its copies" grep -q '"copies": 2' json
    check "what thermalization came to is not counted" differ \
        "$("$simulate" $ladder --temper 1 --sweeps 10 --json | sed -n '/"tempering"/,/\]/p')" \
        "$("$simulate" $ladder --temper 1 --thermalize 10 --sweeps 10 --json |
            sed -n '/"tempering"/,/\]/p')"
    check "--local-fields is --site-fields" same \
        "$(hash_of $small --local-fields gaussian:0.5)" \
        "$(hash_of $small --site-fields gaussian --site-field-width 0.5)"
    check "with any argument, and a seed" same \
        "$(hash_of $small --local-fields gaussian:mean=0.1:width=0.5 --site-field-seed 5)" \
        "$(hash_of $small --site-fields gaussian --site-field-mean 0.1 --site-field-width 0.5 \
            --site-field-seed 5)"
    check "--local-fields none is none" same "$(hash_of $small --local-fields none)" \
        "$(hash_of $small)"
    check "annealing from a value to itself is a run" same \
        "$(hash_of $small --anneal beta=0.3:0.3)" "$(hash_of $small --set beta=0.3)"
    check "annealing" is_json "$simulate" $small --replicas 2 --anneal beta=0:1 --json
    check "ends where it should" same "$(field beta)" 1
    check "and is told" same "$(field from)" 0
    check "two sweeps of a ramp are those with its beginning and its middle" same \
        "$(hash_of $small --thermalize 5 --sweeps 2 --anneal beta=0:1)" \
        "$("$simulate" $small --set beta=0 --sweeps 6 --save half >/dev/null &&
            hash_of --load half --device cpu --sweeps 1 --set beta=0.5)"
    check "the series of a ramp" answers 0 "^field goes from 1 to -1 in 8 sweeps: means" \
        "$simulate" --extents 8x8 --set beta=0.6 --anneal field=1:-1 --start cold --sweeps 8 \
        --every 2 --csv ramp --device cpu
    check "has the value of each record" same "field 0.5 0 -0.5 -1 " \
        "$(sed 's/.*,//' ramp | tr '\n' ' ')"
    refuse "the table does not say that one value held" grep -q "field = " out
    refuse "nor what follows from it" grep -q "specific_heat\|susceptibility" out
    check "annealing in a table" answers 0 "annealed: beta=0:1" "$simulate" $small \
        --anneal beta=0:1
    check "with the lowest energy" grep -q "^lowest energy -[0-9.]*, of replica 0 after" out
}

if have python3; then
    # By replica; rows are slots, which are the replicas' own here.
    lowest() {
        # shellcheck disable=SC2086
        "$simulate" $small --replicas 3 --anneal beta=0:0.6 --csv path.csv --json >json &&
            python3 - <<'EOF'
import csv, json
best = json.load(open('json'))['best']
rows = list(csv.DictReader(open('path.csv')))
for r in range(3):
    energies = [float(row['energy']) for row in rows if int(row['replica']) == r]
    assert best['energy'][r] == min(energies)
    assert best['sweeps_since_start'][r] == 1 + energies.index(min(energies))
EOF
    }
    check "the lowest energies of an annealing" lowest
    # What is counted is read off the holders of the slots.
    recount() {
        # shellcheck disable=SC2086
        "$simulate" $ladder --temper 1 --sweeps 400 --csv path.csv --json >json && python3 - <<'EOF'
import csv, json
t = json.load(open('json'))['tempering']
rows = list(csv.DictReader(open('path.csv')))
n = 5
holders = [[int(float(r['holder'])) for r in rows if int(r['slot']) == s] for s in range(n)]
before, offered, accepted = list(range(n)), [0] * n, [0] * n
paths = [[r] for r in range(n)]
for k in range(400):
    now = [holders[s][k] for s in range(n)]
    assert sorted(now) == list(range(n))
    for s in range(k % 2, n - 1, 2):
        offered[s] += 1
        accepted[s] += now[s] != before[s]
    for s in range(n):
        paths[now[s]].append(s)
    before = now
assert t['acceptance'] == [accepted[s] / offered[s] for s in range(n - 1)], t
trips = []
for path in paths:
    ends = ''.join({0: 'f', n - 1: 'l'}.get(s, '') for s in path)
    while 'ff' in ends or 'll' in ends:
        ends = ends.replace('ff', 'f').replace('ll', 'l')
    trips.append(max(len(ends.lstrip('l')) - 1, 0) // 2)
assert t['ladders'][0]['round_trips'] == trips and t['round_trips'] == sum(trips) > 0, (t, trips)
EOF
    }
    check "the counts are those of the paths" recount
    # The spread of two samples says little of itself.
    # shellcheck disable=SC2086
    check "few samples have marks" answers 0 "^\* Fewer than 20 samples" "$simulate" \
        --extents 4x4x4 --couplings gaussian --coupling-seed 11 --samples 2 --copies 2 --replicas 8 \
        --set beta=0.3:0.6 --temper 5 --sweeps 200 --device cpu
    check "beside every mean over them" grep -q "^ *1 .*)\* .*)\*" out
    # Two copies of two samples are four ladders, and no replica comes from one to another.
    copies() {
        # shellcheck disable=SC2086
        "$simulate" --extents 4x4x4 --couplings pm1 --samples 2 --copies 2 --replicas 12 \
            --set beta=0.25:0.75 --temper 1 --sweeps 400 --device cpu --csv path.csv --json >json &&
            python3 - <<'EOF'
import csv, json
j = json.load(open('json'))
t = j['tempering']
assert [r['parameters']['beta'] for r in j['replicas']] == 4 * [0.25, 0.5, 0.75]
assert [(l['sample'], l['copy']) for l in t['ladders']] == [(0, 0), (0, 1), (1, 0), (1, 1)]
accepted, paths = [[0, 0] for l in t['ladders']], [[s % 3] for s in range(12)]
holders = [[None] * 12 for record in range(400)]
for row in csv.DictReader(open('path.csv')):
    slot, holder = int(row['slot']), int(float(row['holder']))
    assert holder // 3 == slot // 3, row
    holders[int(row['record'])][slot] = holder
before = list(range(12))
for now in holders:
    for s, r in enumerate(now):
        if s % 3 < 2 and before[s + 1] == r:
            accepted[s // 3][s % 3] += 1
        paths[r].append(s % 3)
    before = now
def round_trips(path):
    ends = ''.join({0: 'f', 2: 'l'}.get(s, '') for s in path)
    while 'ff' in ends or 'll' in ends:
        ends = ends.replace('ff', 'f').replace('ll', 'l')
    return max(len(ends.lstrip('l')) - 1, 0) // 2
for k, l in enumerate(t['ladders']):
    assert l['acceptance'] == [a / 200 for a in accepted[k]], (l, accepted[k])
    assert l['round_trips'] == [round_trips(p) for p in paths[3 * k:3 * k + 3]], l
assert t['round_trips'] == sum(sum(l['round_trips']) for l in t['ladders']) > 0
EOF
    }
    check "each copy has a ladder of its own" copies
    # Rows are slots, each at its own parameter: also where a lattice is loaded whose replicas have
    # moved and that exchanges no more.
    loaded() {
        # shellcheck disable=SC2086
        "$simulate" $ladder --temper 1 --sweeps 397 --csv path.csv --save tempered >/dev/null &&
            "$simulate" --load tempered --sweeps 0 --json --device cpu >json && python3 - <<'EOF'
import csv, json
last = [r for r in csv.DictReader(open('path.csv')) if r['record'] == '396']
assert [int(float(r['holder'])) for r in last] != list(range(5)), 'nothing has moved'
for row, seen in zip(last, json.load(open('json'))['replicas']):
    assert seen['parameters']['beta'] == float(row['beta'])
    assert seen['observables']['energy']['mean'] == float(row['energy'])
EOF
    }
    check "a loaded lattice's results are by slot" loaded
fi

finish
