#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A signal ends a run early but well: signals.sh SOURCE BUILD
. "$1/tests/programs/common.sh"
have python3 || { skip "signals: python3 is missing"; finish; }

# stops STATUS SIGNALS COMMAND...: its stdout is in `json`, its stderr in `err`.
stops() {
    wanted=$1 signals=$2 got=0
    shift 2
    python3 "$source/tests/programs/stop.py" "$signals" "${pause-0}" \
        "${pattern-}" "$@" >json 2>err || got=$?
    [ "$got" -eq "$wanted" ] || { echo "exit status $got instead of $wanted"; cat json err; return 1; }
}

# says PATTERN: one line on stderr, and it is like that.
says() {
    [ "$(wc -l <err)" -eq 1 ] && grep -q -- "$1" err || { cat err; return 1; }
}

# Half a minute or more, if nobody stopped them, with room for no more records than that.
long="--extents 64x64 --threads 1 --device cpu --sweeps 40000000 --every 10"

# The stopped series and that of the rest are the whole one, slot by slot.
follows() {
    python3 - <<'EOT'
import csv
def series(name):
    slots = {}
    for row in csv.DictReader(open(name)):
        del row['record']
        slots.setdefault(row['slot'], []).append(row)
    return slots
begun, rest, whole = series('g.csv'), series('rest.csv'), series('whole.csv')
assert len(whole) == 8 and len(rest['0']) == 40 and len(begun['0']) > 0
assert all(begun[slot] + rest[slot] == whole[slot] for slot in whole)
EOT
}

# --- latmc-simulate

# shellcheck disable=SC2086
{
    check "SIGINT: 130" stops 130 SIGINT "$simulate" $long --json --csv a.csv --save a.sav
    check "one sentence says after how many records" \
        says "stopped by SIGINT after [1-9][0-9]* of 4000000 records"
    check "JSON says so" json_says "j['stopped_by'] == 'SIGINT' and 0 < j['records'] < 4 * 10**6"
    check "all that was asked for is there" json_says "j['sweeps'] == 4 * 10**7 and j['every'] == 10"
    records=$(field records) sweeps=$(field sweeps_since_start) hash=$(field state_hash)
    check "the series was cut, and only its last record" json_says \
        "0 <= j['sweeps_since_start'] - 10 * j['records'] < 10"
    check "its means are numbers" json_says "all(math.isfinite(o['mean']) and not o['not_ergodic']
        for o in j['replicas'][0]['observables'].values())"
    check "csv: a line for each record" test "$(wc -l <a.csv)" -eq $((records + 1))
    check "csv: none is empty" sh -c '! grep -qi nan a.csv'
    means() {
        cp json stopped.json
        python3 - <<'EOT'
import csv, json
rows = list(csv.DictReader(open('a.csv')))
seen = json.load(open('stopped.json'))['replicas'][0]['observables']
for name in ('energy', 'm2', 'changed'):
    mean = sum(float(row[name]) for row in rows) / len(rows)
    assert abs(mean - seen[name]['mean']) < 1e-9, name
EOT
    }
    check "csv: the means are those of the JSON" means
    check "the saved lattice loads" same "$(hash_of --load a.sav --sweeps 0 --device cpu)" "$hash"
    check "and is where an unbroken run would be" same \
        "$(hash_of --extents 64x64 --device cpu --sweeps "$sweeps" --every "$sweeps")" "$hash"
    check "and goes on as that would" same "$(hash_of --load a.sav --sweeps 33 --device cpu)" \
        "$(hash_of --extents 64x64 --device cpu --sweeps $((sweeps + 33)) --every "$sweeps")"

    # Two updates and exchanges, with copies: the loaded run has no flags of the first.
    tempered="--extents 4x4x4 --couplings pm1 --copies 2 --replicas 8 --set beta=0.4:1 --device cpu
        --update metropolis,heatbath:2 --temper 5"
    check "a tempered run that is stopped" stops 143 SIGTERM "$simulate" $tempered --sweeps 10000000 \
        --json --save g.sav --csv g.csv
    begun=$(($(field sweeps_since_start) / 15 * 5)) rest=$((5 * 40))
    check "goes on as if nothing had been" same \
        "$(hash_of --load g.sav --device cpu --sweeps $rest --csv rest.csv --save rest.sav)" \
        "$(hash_of $tempered --sweeps $((begun + rest)) --csv whole.csv --save whole.sav)"
    check "with a file of the same bytes" cmp rest.sav whole.sav
    check "and the records that would have followed" follows

    check "SIGTERM: 143" stops 143 SIGTERM "$simulate" $long
    check "the table, too, says after how many" grep -q "^stopped by SIGTERM after [1-9]" json
    check "and has means" grep -q "^energy  *-1\." json
    check "nothing more is said" says "stopped by SIGTERM"

    check "while it thermalizes" stops 130 SIGINT "$simulate" $long --thermalize 1000000000 --json \
        --save b.sav --csv b.csv
    check "nothing was measured" json_says "j['records'] == 0 and j['stopped_by'] == 'SIGINT' and
        j['replicas'][0]['observables']['energy']['mean'] is None"
    check "the lattice was saved" same "$(hash_of --load b.sav --sweeps 0 --device cpu)" \
        "$(sed -n 's/.*"state_hash": "\(.*\)".*/\1/p' json)"
    check "the csv has its head" test "$(wc -l <b.csv)" -eq 1
    check "a table of nothing" stops 143 SIGTERM "$simulate" $long --thermalize 1000000000
    check "says so" grep -q "^Nothing was measured" json

    field="--model phi4 --extents 16x16 --device cpu --threads 1"
    check "while it tunes" stops 130 SIGINT "$simulate" $field --tune 100000000 --json --save c.sav
    check "the width that it came to is told" json_says \
        "j['replicas'][0]['parameters']['epsilon'] != 1 and j['records'] == 0"
    check "and saved" same "$(hash_of --load c.sav --sweeps 0 --device cpu)" \
        "$(sed -n 's/.*"state_hash": "\(.*\)".*/\1/p' json)"
    check "in a schedule of several updates" stops 143 SIGTERM "$simulate" $field --sweeps 3000000 \
        --every 3 --update overrelax:4,metropolis --json --csv d.csv
    records=$(field records)
    check "what was reached is there" json_says "0 < j['records'] < 1000000 and
        0 <= j['sweeps_since_start'] - 15 * j['records'] < 15"
    check "csv: a line for each of them" test "$(wc -l <d.csv)" -eq $((records + 1))

    check "two signals at once are one" stops 130 SIGINT,SIGINT "$simulate" $long --json
    check "and lose nothing" json_says "j['records'] > 0"
    # A sweep that is far from its end when the second signal comes.
    slow="--model phi4 --extents 256x256x256 --set hits=64 --device cpu:scalar --threads 1"
    pause=0.6
    check "a second one ends it at once" stops 130 SIGINT,SIGINT "$simulate" $slow --sweeps 1000 \
        --csv e.csv
    check "SIGTERM after SIGINT as well" stops 143 SIGINT,SIGTERM "$simulate" $slow --sweeps 1000 \
        --csv e.csv
    unset pause
    check "without a word" test ! -s err
    check "and without a file" test ! -e e.csv

    echo old >f.csv
    check "SIGKILL" stops 137 SIGKILL "$simulate" $long --csv f.csv
    check "leaves the old file" same "$(cat f.csv)" old
    check "and nothing beside any of them" none "$(ls -A | grep '^\.')"
}

# --- the others

check "bench: 143" stops 143 SIGTERM "$bench" --device cpu --threads 1 --json --seconds 0.05
check "bench: the cases that were done" json_says \
    "j['stopped_by'] == 'SIGTERM' and all(c['updates_per_ns'] > 0 for c in j['cases'])"
check "bench: a table" stops 130 SIGINT "$bench" --device cpu --threads 1 --seconds 10000 \
    --extents 64x64
check "bench: a case that was not done is not there" test ! -s json

check "binder: 130" stops 130 SIGINT "$binder" --device cpu --threads 1 --effort 50 --output one
check "binder: no T_c" sh -c '! grep -q "T_c =" json'
check "binder: how many sizes" says "stopped by SIGINT after 0 of 4 sizes: there is no T_c"
check "binder: no files of nothing" none "$(ls -A one)"
check "binder: JSON" stops 143 SIGTERM "$binder" --device cpu --threads 1 --effort 5 --json \
    --output two
check "binder: JSON has what was done and no T_c" json_says \
    "j['stopped_by'] == 'SIGTERM' and j['t_c'] is None and len(j['sizes']) < 4 and
    len(j['crossings']) == max(0, len(j['sizes']) - 1)"
pattern='^ *16 .*[0-9]$'
check "binder: after its second size" stops 130 SIGINT "$binder" --device cpu --threads 1 \
    --effort 0.1 --output three
unset pattern
check "binder: the crossing of the sizes that were done" grep -q "^ *8 *16 *2\.[0-9]* *[0-9.]* *0\.61" \
    json
check "binder: but no T_c" sh -c '! grep -q "T_c =" json'
check "binder: how many sizes were done" says "after [23] of 4 sizes"
check "binder: their data" grep -q "^# L = 16" three/ising-binder.dat
check "binder: no picture of a part" none "$(ls -A two three | grep png)"

check "xy: 130" stops 130 SIGINT "$xy" --device cpu --threads 1 --effort 500 --output turns
check "xy: how many sizes" says "stopped by SIGINT after 0 of 3 sizes: there is no T_KT"
check "xy: no files of nothing" none "$(ls -A turns)"
check "xy: JSON" stops 143 SIGTERM "$xy" --device cpu --threads 1 --effort 500 --json --output turns
check "xy: JSON says so" json_says \
    "j['stopped_by'] == 'SIGTERM' and j['t_kt'] is None and len(j['sizes']) == 0"

# shellcheck disable=SC2086
{
    scan="--extents 8x8,256x256 --g 6 --inv-lambda 0 --mu2 -1.5:-1 --replicas 5 --device cpu --threads 1"
    check "phase: 130" stops 130 SIGINT "$phase" $scan --sweeps 1000000 --json --output four
    check "phase: the records that were reached" json_says "j['stopped_by'] == 'SIGINT' and
        len(j['lattices']) <= 1 and all(0 < l['records'] < 10**6 for l in j['lattices'])"
    check "phase: in which lattice" says "stopped by SIGINT in lattice 1 of 2, after [0-9]* of 1000000"
    pattern='^The Binder cumulant|^$'
    check "phase: after its first lattice" stops 143 SIGTERM "$phase" $scan --sweeps 2000 --output five
    unset pattern
    check "phase: the table of the first" grep -q "^phi4 8x8, periodic" json
    check "phase: says where it was" says "stopped by SIGTERM in lattice 2 of 2"
    check "phase: data and no pictures" same "$(ls -A five)" phi4-phase.dat
}

check "glass: 130" stops 130 SIGINT "$glass" --device cpu --threads 1 --sweeps 1e9 --json --output six
check "glass: where it was" says "stopped by SIGINT after [0-9]* of 134217728 measurements of size 1 of 3"
check "glass: what there is" json_says "j['stopped_by'] == 'SIGINT' and len(j['sizes']) <= 1 and
    all(0 < s['records'] < s['wanted'] for s in j['sizes']) and not j['crossings']"
pattern='^Lowest energies'
check "glass: after its first size" stops 143 SIGTERM "$glass" --device cpu --threads 1 --sizes 2,12 \
    --samples 8 --steps 4 --sweeps 20480 --output seven
unset pattern
check "glass: the table of the first" grep -q "^L = 2: 8 samples" json
check "glass: says where it is" says "stopped by SIGTERM after [0-9]* of 2048 measurements of size 2 of 2"
check "glass: data and no picture" same "$(ls -A seven)" ising-glass.dat
finish
