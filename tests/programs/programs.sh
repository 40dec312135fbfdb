#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The bundled programs from the outside: programs.sh SOURCE BUILD
. "$1/tests/programs/common.sh"

# --- all programs

# shellcheck disable=SC2086
for program in "$simulate" "$bench" "$binder" "$phase" "$glass" "$xy"; do
    name=${program##*/}
    extents='--extents 8x8'
    case $program in "$binder" | "$phase" | "$glass" | "$xy") extents= ;; esac
    check "$name --help" answers 0 "^usage: $name" "$program" --help
    check "$name -h: the same" sh -c '"$1" --help >long && "$1" -h >short && cmp long short' - "$program"
    check "$name: its lines fit" is_narrow long
    for line in 'Exit status: 0; 1 .* 2 ' '130 if SIGINT and 143 if SIGTERM' 'cpu:scalar  *plain C' \
        LATMC_DEVICE '0 is the library.s choice'; do
        check "$name --help says \"$line\"" grep -q -- "$line" long
    done
    check "$name --version" answers 0 "^$name [0-9.]*$" "$program" --version
    check "$name: unknown flag" refuses 'no flag "--nosuch"' "$program" --nosuch
    check "$name: no flag" refuses '"word" is no flag' "$program" word
    check "$name: switch with a value" refuses "takes no value" "$program" --json=yes
    check "$name: missing value" refuses "needs a value" "$program" --device
    check "$name: no such device" refuses 'no device "tpu:0"' "$program" --device tpu:0 $extents
    for threads in -1 4097 two 1.5 ''; do
        check "$name: --threads '$threads'" refuses "--threads is" "$program" --threads "$threads"
    done
    for seed in -1 x 18446744073709551616 1x 1.5 1e-3 1e30 0x 0x1g ''; do
        check "$name: --seed '$seed'" refuses "--seed is" "$program" --seed "$seed"
    done
done

# --- latmc-simulate

small="--extents 16x16 --sweeps 200 --device cpu"
while IFS='|' read -r pattern flags; do
    # shellcheck disable=SC2086
    check "simulate $flags" refuses "$pattern" "$simulate" $flags
done <<'EOF'
--extents is needed|--sweeps 10
--extents is "64y64"|--extents 64y64
--extents is "64x"|--extents 64x
--extents is "1x8"|--extents 1x8
--extents is "2x2x2x2x2"|--extents 2x2x2x2x2
--extents|--extents 1099511627776x8
--model: .*ising|--extents 8x8 --model nosuch
--replicas is|--extents 8x8 --replicas 0
--replicas is|--extents 8x8 --replicas 4194305
--set is "beta"|--extents 8x8 --set beta
--set: .*beta|--extents 8x8 --set nosuch=1
--set is|--extents 8x8 --set beta=0,4
"nan" is not finite; beta is a number from -1e+30 to 1e+30|--extents 8x8 --set beta=nan
"-inf" is not finite|--extents 8x8 --set beta=-inf
"inf" is not finite|--extents 8x8 --replicas 2 --set beta=0.1,inf
"1e999" is beyond the largest number|--extents 8x8 --set beta=1e999
"-1e999" is beyond|--extents 8x8 --replicas 3 --set beta=-1e999:1
"0.4x" is no number|--extents 8x8 --set beta=0.4x
"nanx" is no number|--extents 8x8 --set beta=nanx
"" is no number|--extents 8x8 --set beta=
--set is|--extents 8x8 --set beta=0.1:0.2
--set is|--extents 8x8 --replicas 3 --set beta=0.1,0.2
--set is|--extents 8x8 --replicas 3 --set beta=0.1:
range from:to with two ends|--extents 8x8 --replicas 3 --set beta=0.1:0.2:0.3
--set: .*beta|--extents 8x8 --set beta=1e300
--boundary: |--extents 8x8 --boundary nosuch
--boundary is|--extents 8x8 --boundary open,open,open
--boundary is|--extents 8x8x8 --boundary open,open
--axis-couplings is "1,2"; one number or a list of 3|--extents 8x8x8 --axis-couplings 1,2
--axis-couplings is|--extents 8x8 --axis-couplings 1,2,3
"x" is no number|--extents 8x8 --axis-couplings 1,x
"" is no number|--extents 8x8 --axis-couplings 1,
--axis-couplings: the coupling of bond type 1 is 2e+30|--extents 8x8 --axis-couplings 1,2e30
--axis-couplings: .*automaton|--model automaton --extents 8x8 --axis-couplings 1,1
--couplings: |--extents 8x8 --couplings nosuch
--coupling-seed is|--extents 8x8 --coupling-seed -3
--coupling-seed needs --couplings|--extents 8x8 --coupling-seed 3
--coupling-seed needs --couplings|--extents 8x8 --couplings uniform --coupling-seed 3
--coupling-plus needs --couplings|--extents 8x8 --coupling-plus 0.5
--samples needs --couplings or --site-fields|--extents 8x8 --samples 1
--site-field-seed needs --site-fields|--extents 8x8 --site-field-seed 3
--site-field-seed needs --site-fields|--extents 8x8 --site-fields none --site-field-seed 3
--site-field-seed is|--extents 8x8 --site-fields pm1 --site-field-seed -3
--site-fields: there is no distribution "nosuch"|--extents 8x8 --site-fields nosuch
--local-fields: there is no distribution "nosuch"|--extents 8x8 --local-fields nosuch:1
--local-fields: there is no distribution ""|--extents 8x8 --local-fields :1
--local-fields: there is no argument of distributions "nosuch"|--extents 8x8 --local-fields gaussian:nosuch=1
--local-fields is "gaussian:x"|--extents 8x8 --local-fields gaussian:x
--local-fields is "gaussian:"|--extents 8x8 --local-fields gaussian:
--local-fields is "gaussian:mean="|--extents 8x8 --local-fields gaussian:mean=
--local-fields: the distribution pm1 has no argument width (804)|--extents 8x8 --local-fields pm1:0.5
--local-fields cannot be given with --site-fields|--extents 8x8 --local-fields gaussian:1 --site-fields pm1
--local-fields cannot be given with --site-field-width|--extents 8x8 --local-fields gaussian --site-field-seed 3 --site-field-width 4
--temper is|--extents 8x8 --temper 0
--temper needs 2 replicas or more of each sample; with 1 replica and 1 sample there is one|--extents 8x8 --temper 2
--temper needs 2 replicas or more of each sample; with 3 replicas and 3 samples|--extents 8x8 --replicas 3 --couplings pm1 --samples 3 --temper 2
--temper needs one parameter.*none does|--extents 8x8 --replicas 2 --temper 2
--temper needs one parameter.*these do: beta, field|--extents 8x8 --replicas 2 --set beta=0.1:0.2 --set field=0:1 --temper 2
--temper and an exchange in --update|--extents 8x8 --replicas 2 --set beta=0.1:0.2 --temper 2 --update metropolis:1:exchange=1
--sweeps is 1000; with --temper 3|--extents 8x8 --replicas 2 --set beta=0.1:0.2 --temper 3
--every is 3; with --temper 2|--extents 8x8 --replicas 2 --set beta=0.1:0.2 --temper 2 --every 3
--thermalize is 5; with --temper 2|--extents 8x8 --replicas 2 --set beta=0.1:0.2 --temper 2 --thermalize 5
--temper is 40; with 2 updates in --update it must be at most 32|--extents 8x8 --replicas 2 --set beta=0.1:0.2 --temper 40 --update metropolis,heatbath
with 2 replicas of each sample one number, a list of 2|--extents 8x8 --replicas 4 --couplings pm1 --samples 2 --set beta=1,2,3,4 --temper 2
--anneal is "beta"|--extents 8x8 --anneal beta
--anneal is "beta=1"|--extents 8x8 --anneal beta=1
--anneal is "beta=1:": "" is no number|--extents 8x8 --anneal beta=1:
--anneal is "beta=0.1:inf": "inf" is not finite|--extents 8x8 --anneal beta=0.1:inf
--anneal is "beta=x:1": "x" is no number|--extents 8x8 --anneal beta=x:1
NAME=FROM:TO with two numbers|--extents 8x8 --anneal beta=0.1:0.2:0.3
--rule needs a model that has rules, such as --model automaton; ising has none|--extents 8x8 --rule B3/S23
the argument width (804) is given twice|--extents 8x8 --local-fields gaussian:0.5:0.6
--anneal: there is no parameter "nosuch"|--extents 8x8 --anneal nosuch=1:2
--anneal: .*beta|--extents 8x8 --anneal beta=1e99:1
beta is a number from|--extents 8x8 --anneal beta=1:1e99
hits is a whole number|--model phi4 --extents 8x8 --anneal hits=1:2
beta is given twice|--extents 8x8 --anneal beta=0:1 --set beta=3
beta is given twice|--extents 8x8 --anneal beta=0:1 --anneal beta=3:4
--anneal needs --sweeps|--extents 8x8 --anneal beta=0:1 --sweeps 0
--site-fields: the distribution gaussian has no argument plus (801)|--model onvector --extents 8x8 --site-fields gaussian --site-field-plus 1
--site-field-width is "x"|--model onvector --extents 8x8 --site-fields gaussian --site-field-width x
width of the distribution gaussian is -1|--model onvector --extents 8x8 --couplings gaussian --coupling-width -1
--site-fields: there is no distribution "pm1": the model phi4 has none|--model phi4 --extents 8x8 --site-fields pm1
--coupling-plus is "x"|--extents 8x8 --couplings pm1 --coupling-plus x
plus of the distribution pm1 is 1.5; it must be a number from 0 to 1|--extents 8x8 --couplings pm1 --coupling-plus 1.5
missing of the distribution pm1 is -1|--extents 8x8 --couplings pm1 --coupling-missing -1
--couplings: there is no distribution "pm1": the model phi4 has none|--model phi4 --extents 8x8 --couplings pm1
samples is 3; with 4 replicas|--extents 8x8 --replicas 4 --couplings pm1 --samples 3
--samples is|--extents 8x8 --couplings pm1 --samples 0
--copies is 3: the 4 --replicas|--extents 8x8 --replicas 4 --copies 3
--copies is 2: the 5 --replicas|--extents 8x8 --replicas 5 --copies 2 --set beta=0.4
--temper needs 2 replicas or more of each copy of a sample; with 4 replicas and 2 samples of 2 copies|--extents 8x8 --replicas 4 --couplings pm1 --samples 2 --copies 2 --set beta=0.5 --temper 1
with 1 replica of each copy one number|--extents 8x8 --replicas 6 --samples 3 --copies 2 --couplings pm1 --set beta=0.4,0.5
--copies is|--extents 8x8 --copies 0
--every is 20: of 10 --sweeps none would be measured|--extents 8x8 --sweeps 10 --every 20
records of 8 observables and 1 replica would need 64000000000000 bytes|--extents 8x8 --sweeps 1000000000000
would need 512000000000000 bytes|--extents 8x8 --sweeps 1e12 --replicas 8
--update: |--extents 8x8 --update nosuch
--update is|--extents 8x8 --update metropolis:0
--update is|--extents 8x8 --update metropolis:x
--update is|--extents 8x8 --update metropolis:1:hits
--update is|--extents 8x8 --model phi4 --update metropolis:1:2
--update: |--extents 8x8 --model phi4 --update metropolis:1:nosuch=2
--update: |--extents 8x8 --model phi4 --update metropolis:1:mu2=2
--update: |--extents 8x8 --model phi4 --update metropolis:1:hits=65
--update: |--extents 8x8 --update metropolis:1:beta=2
--update: |--extents 8x8 --update metropolis,
--start: |--extents 8x8 --start warm
--thermalize is|--extents 8x8 --thermalize -1
--sweeps is|--extents 8x8 --sweeps 1.5
--sweeps is|--extents 8x8 --sweeps 1e-3
--sweeps is|--extents 8x8 --sweeps 1e13
--sweeps is|--extents 8x8 --sweeps 0x1e3
--sweeps is|--extents 8x8 --sweeps nan
--every is|--extents 8x8 --every 0
2^40|--extents 8x8 --thermalize 1099511627776 --sweeps 1
cannot be given with --load|--load f --extents 8x8
cannot be given with --load|--load f --model ising
cannot be given with --load|--load f --replicas 2
cannot be given with --load|--load f --boundary open
--axis-couplings cannot be given with --load|--load f --axis-couplings 1,2
cannot be given with --load|--load f --couplings pm1
cannot be given with --load|--load f --coupling-seed 2
cannot be given with --load|--load f --site-fields pm1
cannot be given with --load|--load f --site-field-seed 2
--local-fields cannot be given with --load|--load f --local-fields gaussian:2
cannot be given with --load|--load f --coupling-missing 0.5
cannot be given with --load|--load f --samples 2
cannot be given with --load|--load f --seed 2
cannot be given with --load|--load f --start hot
EOF

# shellcheck disable=SC2086
{
    check "a table" answers 0 "^state_hash [0-9a-f]\{16\}$" "$simulate" $small
    check "simulate --json" is_json "$simulate" $small --json
    for key in version device updates_per_ns state_hash replicas parameters beta field observables \
        energy magnetization abs_magnetization m2 m4 specific_heat susceptibility binder \
        changed mean error tau_int; do
        check "its key $key" grep -q "\"$key\": " json
    done
    check "no progress bar off a terminal" test ! -s err
    large="--extents 32768x32770 --start cold --sweeps 0"
    check "no state hash of many sites" is_json "$simulate" $large --json
    check "which is null" same "$(field state_hash)" null
    check "but if asked for" answers 0 "^state_hash [0-9a-f]\{16\}$" "$simulate" $large --hash
    check "one value of a set" is_json "$simulate" $small --json --set beta=0.4
    check "one value of a set is taken" same "$(field beta)" 0.4
    "$simulate" $small --json --replicas 3 --set beta=0.25:0.5 --set field=0.1,0,-0.1 >json
    check "a range and a list of a set" same "0.25 0.375 0.5 0.1 0 -0.1" \
        "$(sed -n 's/^ *"beta": \([^,]*\),*$/\1/p' json | tr '\n' ' ')$(
            sed -n 's/^ *"field": //p' json | tr '\n' ' ' | sed 's/ $//')"
    pairs="--replicas 8 --couplings pm1 --samples 2 --copies 2 --set beta=0.25,0.5"
    check "copies" is_json "$simulate" $small $pairs --json
    for key in copies pairs overlap2 overlap4 link_overlap "overlap_structure\[1\]" \
        spin_glass_susceptibility spin_glass_susceptibility_k xi; do
        check "its key $key" grep -q "\"$key\": " json
    done
    check "copies have the ladder each" same "0.25 0.5 0.25 0.5 0.25 0.5 0.25 0.5 0.25 0.5" \
        "$(sed -n '/"joined"/,/"pairs"/d; s/^ *"beta": \([^,]*\),*$/\1/p' json | tr '\n' ' ' | sed 's/ $//')"
    check "copies in a table" answers 0 "link_overlap" "$simulate" $small $pairs
    check "vectors have the tensor" is_json "$simulate" --model onvector $small --replicas 2 \
        --copies 2 --json
    check "its key tensor_overlap2" grep -q '"tensor_overlap2": ' json
    check "the XY model has vortices" json_says \
        "all(0 < r['observables']['vortices']['mean'] < 0.4 for r in j['replicas'])"
    check "three components have chirality" is_json "$simulate" --model onvector --option n=3 $small \
        --replicas 2 --copies 2 --json
    check "along each axis, and of pairs" json_says \
        "all(r['observables'][k]['mean'] > 0.1 for r in j['replicas']
        for k in ('mean_chirality', 'chirality[0]', 'chirality[1]')) and
        all('vortices' not in r['observables'] for r in j['replicas']) and
        all(p['observables'][k]['mean'] > 0 for k in ('chiral_overlap2[1]', 'chiral_structure[0]')
        for p in j['pairs'])"
    check "a table without it for two components" none "$("$simulate" --model onvector $small \
        --replicas 2 --copies 2 | grep -o 'chiral[a-z0-9_]* .*')"
    for states in 3 200; do
        check "$states states" is_json "$simulate" --model potts --option q=$states $small --json
        check "have each its occupation, and no other has one" json_says \
            "{'occupation[%d]' % a for a in range($states)} ==
            {k for k in j['replicas'][0]['observables'] if k.startswith('occupation')}"
        check "which make one" json_says "abs(sum(o['mean'] for k, o in
            j['replicas'][0]['observables'].items() if k.startswith('occupation')) - 1) < 1e-9"
    done
    check "--help names what an index counts" same "$("$simulate" --help | tr -s ' \n' ' ' |
        grep -o 'occupation[^ ,]*' | tr '\n' ,)" "occupation[state],occupation[state],"
    check "no structure factors of bits" same "$("$simulate" $small --json |
        grep -c '"structure\[0\]"\|"xi"')" 0
    check "but if asked for" same "$("$simulate" $small --json --structure |
        grep -c '"structure\[0\]"\|"xi"')" 2
    check "structure factors at momenta" is_json "$simulate" $small --json --structure \
        --momenta 2,0:0,2:-6,4
    check "are those along the axes, where these are the same momenta" json_says "all(
        abs(r['observables']['structure_at[%d]' % a]['mean'] /
            r['observables']['structure[%d]' % a]['mean'] - 1) < 1e-12 for a in (0, 1)
            for r in j['replicas']) and 'structure_at[2]' in j['replicas'][0]['observables']"
    check "pairs at many momenta" is_json "$simulate" --model onvector --option n=3 $small \
        --replicas 2 --copies 2 --json --momenta "$(seq -s : 0 63 | sed 's/[0-9]*/2,0/g')"
    check "have them along each axis" json_says "all(p['observables'][k]['mean'] > 0
        for p in j['pairs'] for k in ('overlap_structure_at[63]', 'chiral_structure_at[1,63]'))"
    check "momenta of sites with another sign" is_json "$simulate" $small --replicas 2 --copies 2 \
        --json --boundary antiperiodic,periodic --momenta 1,0
    check "are not those of pairs" json_says "all('structure_at[0]' in r['observables']
        for r in j['replicas']) and
        all('overlap_structure_at[0]' not in p['observables'] for p in j['pairs'])"
    refuse "a momentum needs a number for each axis" "$simulate" $small --momenta 2,0:4
    refuse "and even ones along periodic axes" "$simulate" $small --momenta 1,0
    check "--flag=value" same "$(hash_of --extents=16x16 --sweeps=200 --device=cpu)" \
        "$(hash_of $small)"
    check "the seed matters" differ "$(hash_of $small --seed 2)" "$(hash_of $small)"
    check "seeds may be hexadecimal" same "$(hash_of $small --seed 0x10)" \
        "$(hash_of $small --seed 16)"
    check "seeds may be 1e6, as other whole numbers" same "$(hash_of $small --seed 1e6)" \
        "$(hash_of $small --seed 1000000)"
    check "no seed is octal" same "$(hash_of $small --seed 010)" "$(hash_of $small --seed 10)"
    check "the start matters" differ "$(hash_of $small --sweeps 1 --start cold)" \
        "$(hash_of $small --sweeps 1 --start hot)"
    check "the boundary matters" differ "$(hash_of $small --boundary open,periodic)" \
        "$(hash_of $small)"
    check "one boundary is that of all axes" same "$(hash_of $small --boundary open)" \
        "$(hash_of $small --boundary open,open)"
    check "axes' couplings of 1 are the preset" same "$(hash_of $small --axis-couplings 1,1)" \
        "$(hash_of $small)"
    check "one coupling is that of all axes" same "$(hash_of $small --axis-couplings 0.5)" \
        "$(hash_of $small --axis-couplings 0.5,0.5)"
    check "an axis' coupling matters" differ "$(hash_of $small --axis-couplings 1,0.5)" \
        "$(hash_of $small)"
    check "and which axis has it" differ "$(hash_of $small --axis-couplings 1,0.5)" \
        "$(hash_of $small --axis-couplings 0.5,1)"
    check "the couplings matter" differ "$(hash_of $small --couplings pm1)" "$(hash_of $small)"
    check "the share of +1 matters" differ "$(hash_of $small --couplings pm1)" \
        "$(hash_of $small --couplings pm1 --coupling-plus 0.7)"
    check "the couplings' seed matters" differ "$(hash_of $small --couplings pm1)" \
        "$(hash_of $small --couplings pm1 --coupling-seed 2)"
    check "the update matters" differ "$(hash_of $small --update heatbath)" "$(hash_of $small)"
    check "thermalizing is sweeping" same "$(hash_of $small --thermalize 100 --sweeps 100)" \
        "$(hash_of $small)"
    check "a step may be several sweeps" same "$(hash_of $small --sweeps 50 --update metropolis:4)" \
        "$(hash_of $small)"
    check "a list of updates, one by one" same \
        "$(hash_of $small --sweeps 100 --update metropolis:1,metropolis:1)" "$(hash_of $small)"
    check "records of a list of updates" same "$(hash_of $small --sweeps 50 --every 10 --update \
        metropolis:3,metropolis:1)" "$(hash_of $small)"
    field4="--model phi4 --extents 8x8 --device cpu --sweeps 10"
    check "an update may have an argument of its own" same \
        "$(hash_of $field4 --update metropolis:1:hits=4)" "$(hash_of $field4 --set hits=4)"
    check "and each another one" differ \
        "$(hash_of $field4 --update metropolis:1:hits=4,metropolis:1:hits=2)" \
        "$(hash_of $field4 --sweeps 20 --set hits=4)"
    check "an incomplete record is swept as well" same "$(hash_of $small --every 70)" \
        "$(hash_of $small)"
    check "1e2 is a whole number" same "$(hash_of $small --sweeps 2e2 --every 1e1)" "$(hash_of $small)"
    check "no exchange is none" same "$(hash_of $small --sweeps 20 --update metropolis:2)" \
        "$(hash_of $small --sweeps 20 --update metropolis:2:exchange=0)"
    check "an exchange changes the trajectory" differ \
        "$(hash_of $small --replicas 4 --set beta=0.43:0.45)" \
        "$(hash_of $small --replicas 4 --set beta=0.43:0.45 --update metropolis:1:exchange=1)"
    check "1.5e1 too, and a part of --update" same "$(hash_of $small --sweeps 15 --update metropolis:2)" \
        "$(hash_of $small --sweeps 1.5e1 --update metropolis:2e0)"
    check "--threads 0 is the library's choice" same "$(hash_of $small --threads 0)" "$(hash_of $small)"
    check "no sweeps at all" is_json "$simulate" --extents 8x8 --sweeps 0 --start cold --json
    check "a cold lattice's energy" same "$(field mean)" -2
    check "no error of one number" same "$(field error)" null
    check "no rate of no sweeps" same "$(field updates_per_ns)" null
    check "odd extents, three axes" is_json "$simulate" --extents 5x7x3 --sweeps 100 --json
}

# --- continue = stay

for flags in '--extents 16x16' '--extents 12x10 --replicas 3 --set beta=0.3:0.5 --seed 7' \
    '--extents 8x8x8 --couplings pm1 --coupling-seed 5 --set field=0.1' \
    '--extents 9x5 --boundary open,antiperiodic --update metropolis:1,heatbath:2'; do
    update=$(echo "$flags" | sed -n 's/.*\(--update .*\)/\1/p')
    # shellcheck disable=SC2086
    check "save and load: $flags" same \
        "$("$simulate" $flags --device cpu --sweeps 60 --save saved >/dev/null &&
            hash_of --load saved --device cpu --sweeps 40 $update)" \
        "$(hash_of $flags --device cpu --sweeps 100)"
done
check "a missing file" answers 1 "nosuchfile" "$simulate" --load nosuchfile
printf 'not a lattice' >junk
check "a foreign file" answers 1 "^latmc-simulate: " "$simulate" --load junk
if [ -w /dev/full ]; then
    full() {
        got=0
        "$simulate" --extents 8x8 --sweeps 10 --json >/dev/full 2>err || got=$?
        [ "$got" -eq 1 ] && grep -q "could not be written" err
    }
    check "a full disk is not success" full
fi

# --- the time series

"$simulate" --extents 8x8 --replicas 2 --sweeps 30 --every 10 --csv series.csv >/dev/null
check "csv: a line for each record of each replica" test "$(wc -l <series.csv)" -eq 7
check "csv: its columns" same "$(head -n 1 series.csv | cut -d , -f 1-3)" replica,record,energy
check "csv: as many columns everywhere" same \
    "$(awk -F , '{ print NF }' series.csv | sort -u | wc -l | tr -d ' ')" 1
if have python3; then
    means() {
        "$simulate" --extents 8x8 --sweeps 500 --csv series.csv --json >json &&
            python3 - <<'EOF'
import csv, json
rows = list(csv.DictReader(open('series.csv')))
seen = json.load(open('json'))['replicas'][0]['observables']
for name in rows[0]:
    if name in seen:
        mean = sum(float(row[name]) for row in rows) / len(rows)
        assert abs(mean - seen[name]['mean']) < 1e-12, name
u4 = 1 - seen['m4']['mean'] / (3 * seen['m2']['mean'] ** 2)
assert abs(u4 - seen['binder']['mean']) < 3 * seen['binder']['error']
EOF
    }
    check "csv: the means are those of the JSON" means
fi

# --- one trajectory on every device

trajectory="--extents 34x6 --replicas 5 --set beta=0.3:0.5 --sweeps 50 --update metropolis:1,heatbath:1"
# shellcheck disable=SC2086
reference=$(hash_of $trajectory --device cpu:scalar)
for device in cpu cpu:avx2 cpu:avx512 cpu:neon cuda:0; do
    # shellcheck disable=SC2086
    if "$simulate" $trajectory --device $device --json >json 2>err; then
        check "$device follows cpu:scalar" same "$(field state_hash)" "$reference"
    elif grep -q "$device" err; then
        case $device in cuda*) skip_gpu "$(cat err)" ;; *) skip "$device: $(cat err)" ;; esac
    else
        fail "$device: $(cat err)"
    fi
done
for threads in 1 2 3; do
    # shellcheck disable=SC2086
    check "$threads threads follow cpu:scalar" same \
        "$(hash_of $trajectory --device cpu --threads $threads)" "$reference"
done

other=$(another_lane)

# --- latmc-ising-binder

for effort in 0 1e300 nan; do
    check "binder --effort $effort" refuses "--effort is" "$binder" --effort $effort
done
check "binder: no directory" refuses "--output is" "$binder" --output nosuchdir/deeper
little="--effort 0.001 --threads 2 --device cpu"
# shellcheck disable=SC2086
{
    check "binder --json" is_json "$binder" $little --json --output one
    for key in t_c error exact crossings sizes points; do
        check "its key $key" grep -q "\"$key\": " json
    done
    check "binder: so short a run is marked" json_says "j['too_short'] is True and j['error'] > 0"
    check "binder: in the table, too" answers 0 "^T_c = [0-9.]* +- [0-9.]*\\* (statistical" "$binder" $little \
        --output one
    check "binder: the data" test -s one/ising-binder.dat
    timeless='"seconds"\|updates_per_ns\|"device"\|"threads"'
    grep -v "$timeless" json >first
    "$binder" --effort 0.001 --threads 1 --device $other --json --output two >json
    grep -v "$timeless" json >second
    check "binder: the same on another lane with another number of threads" cmp first second
    if have gnuplot; then
        check "binder: the picture" test -s one/ising-binder.png
        mkdir bare
        for tool in sh; do ln -s "$(command -v $tool)" bare/; done
        check "binder without gnuplot" answers 0 "^No picture" env PATH="$work/bare" "$binder" $little
    else
        skip "binder: gnuplot is missing"
        check "binder without gnuplot" answers 0 "^No picture" "$binder" $little
    fi
}

# --- what README shows

if [ -x "$bin/embed" ]; then
    check "embed" answers 0 "^3D, beta 0.22" "$bin/embed"
else
    skip "embed: built without a C++ compiler"
fi
finish
