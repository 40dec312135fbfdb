#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# latmc-bench from the outside: bench.sh SOURCE BUILD
. "$1/tests/programs/common.sh"

while IFS='|' read -r pattern flags; do
    # shellcheck disable=SC2086
    check "bench $flags" refuses "$pattern" "$bench" $flags
done <<'EOF'
--seconds is|--seconds 0
--seconds is|--seconds -1
--seconds is|--seconds abc
--seconds is|--seconds 1e300
need --extents with them|--replicas 4
need --extents with them|--couplings pm1
need --extents with them|--set beta=0.4
need --extents with them|--model ising
do not go together|--extents 8x8 --device cpu --measure --observe energy
no observable of "nothing"|--extents 8x8 --device cpu --observe energy,nothing
has no "energy\[0,1\]"|--extents 8x8 --device cpu --observe energy[0,1]
needs --copies|--extents 8x8 --device cpu --replicas 4 --observe overlap
need --extents with them|--copies 2
multiple of copies|--extents 8x8 --device cpu --replicas 3 --copies 2
--calls is|--extents 8x8 --device cpu --calls often
--calls does not go|--extents 8x8 --device cpu --calls one --measure
--map needs|--map
--map and --scaling|--extents 8x8 --device cpu --map --scaling weak
--random is|--random dice
--random goes with|--random words --extents 8x8 --device cpu
EOF
check "bench --random" is_json "$bench" --random words --device cpu --seconds 0.01 --json
for key in fills device random numbers_per_ns; do
    check "its key $key" grep -q "\"$key\": " json
done
check "bench --random: a table" answers 0 "^cpu  *gaussian32  *[0-9]" \
    "$bench" --random gaussian32 --device cpu --seconds 0.01
check "bench --json" is_json "$bench" --json --extents 32x32 --replicas 4 --device cpu --threads 1 \
    --seconds 0.02 --couplings pm1 --set beta=0.4:0.5 --update heatbath:2 --measure
for key in cases model extents device updates_per_ns bytes_per_update couplings seed threads update \
    observables calls; do
    check "its key $key" grep -q "\"$key\": " json
done
check "bench: a short run leaves the bandwidth out" json_says \
    "all(c['bandwidth_bytes_per_ns'] is c['share_of_memory_limit'] is None for c in j['cases'])"
check "bench: a longer one" is_json "$bench" --json --extents 32x32 --device cpu --threads 1 --seconds 0.1
check "bench: has it" json_says "all(c['bandwidth_bytes_per_ns'] > 0 < c['share_of_memory_limit']
    for c in j['cases'])"
check "bench: a table" answers 0 "^cpu.* ising  *64x64 " \
    "$bench" --extents 64x64 --device cpu --seconds 0.02 --update metropolis,heatbath
for way in all one params slots ramp; do
    check "bench --calls $way" answers 0 "^cpu.* ising  *8x8 " \
        "$bench" --extents 8x8 --replicas 3 --set beta=0.3:0.4 --device cpu --seconds 0.02 \
        --calls $way
done
check "bench --map" is_json "$bench" --json --map --extents 8x8 --replicas 6 --device cpu --threads 1 --seconds 0.001
check "bench --map: its replicas" json_says "[r['replicas'] for r in j['map']] == [1, 2, 4, 6] and \
    [c['replica_count'] for c in j['cases']] == [1, 2, 4, 6]"
check "bench --map: its steps" json_says "all(r['is_step_down'] == (r['ratio'] < 0.9) for r in j['map']) and \
    all(abs(b['ratio'] * a['updates_per_ns'] / b['updates_per_ns'] - 1) < 1e-9 for a, b in zip(j['map'], j['map'][1:]))"
check "bench --map: a table" answers 0 "^ *2  *[0-9.]*  *[0-9.]*" \
    "$bench" --map --extents 8x8 --replicas 2 --device cpu --threads 1 --seconds 0.001
check "bench: states" answers 0 "^cpu.* potts  *16x16 " "$bench" --model potts --option q=200 \
    --extents 16x16 --device cpu --seconds 0.02 --observe energy,occupation[199]
check "bench: several updates can be measured" answers 0 "metropolis, heatbath:2" \
    "$bench" --extents 64x64 --device cpu --seconds 0.02 --update metropolis,heatbath:2 --measure
check "bench: pairs of copies" is_json "$bench" --json --extents 4x4 --replicas 12 --samples 2 \
    --copies 2 --couplings pm1 --set beta=0.3:0.5 --update metropolis:2:exchange=1 \
    --observe overlap,energy,link_overlap --device cpu --seconds 0.02
check "bench: which they are" json_says "j['cases'][0]['copies'] == 2 and \
    j['cases'][0]['observables'] == ['energy', 'overlap', 'link_overlap']"
finish
