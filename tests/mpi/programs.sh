# SPDX-License-Identifier: BSD-3-Clause
# Sourced by mpi.sh: the bundled programs with --mpi.
examples=$build/examples
case_flags="--extents 24x40 --replicas 3 --set beta=0.4:0.45 --thermalize 20 --sweeps 200 --every 4
    --device cpu --threads 1"

# What of a JSON object does not depend on time and place.
compared() {
    python3 -c "
import json, sys
o = json.load(open(sys.argv[1]))
for name in ('seconds', 'updates_per_ns', 'device'):
    o.pop(name)
print(json.dumps(o, sort_keys=True))" "$1"
}
# same_json RANKS: simulate says what it says in one process, series and file included.
# shellcheck disable=SC2086
same_json() {
    "$examples/latmc-simulate" $case_flags --json --csv "$work/one.csv" --save "$work/one.latmc" \
        >"$work/one.json" &&
        on "$1" "$examples/latmc-simulate" --mpi $case_flags --json --csv "$work/all.csv" \
            --save "$work/all.latmc" >"$work/all.json" &&
        compared "$work/one.json" >"$work/one.txt" && compared "$work/all.json" >"$work/all.txt" &&
        diff "$work/one.txt" "$work/all.txt" && cmp "$work/one.csv" "$work/all.csv" &&
        cmp "$work/one.latmc" "$work/all.latmc"
}
for ranks in 1 2 5; do
    check "latmc-simulate --mpi on $ranks: one process's JSON, series and file" same_json $ranks
done
check "latmc-simulate --mpi goes on where one process has saved" \
    on 2 "$examples/latmc-simulate" --mpi --load "$work/one.latmc" --device cpu --sweeps 10

# says_once STATUS WORDS COMMAND...: the words are said once, and mpirun ends with the status.
says_once() {
    want=$1 words=$2
    shift 2
    on 3 "$@" >"$work/out" 2>&1
    got=$?
    [ $got = "$want" ] && [ "$(grep -cF -e "$words" "$work/out")" = 1 ] ||
        { echo "status $got"; cat "$work/out"; return 1; }
}
check "a flag that is wrong is told once" says_once 2 'there is no flag "--nonsense"' \
    "$examples/latmc-simulate" --mpi --nonsense
check "so is a device that there is not" says_once 2 '--device' \
    "$examples/latmc-simulate" --mpi --extents 16x16 --device abacus:0
check "so is a file that cannot be written" says_once 2 '--csv is' \
    "$examples/latmc-simulate" --mpi --extents 16x16 --csv "$work/no/such"
check "so is a lattice with too few layers" says_once 1 'rank 0: 3 devices of 3 ranks are too many for this lattice' \
    "$examples/latmc-simulate" --mpi --extents 64x2 --device cpu
check "--help is printed once" says_once 0 'usage: latmc-simulate' \
    "$examples/latmc-simulate" --mpi --help

# stopped NAME: a signal to one rank stops all of them, and what there is is printed.
stopped() {
    on 3 sh -c 'echo $$ >"$0/pid.$$"; exec "$@"' "$work" "$examples/latmc-simulate" --mpi \
        --extents 64x48 --set beta=0.4 --sweeps 2000000000 --every 1000000 --device cpu \
        --threads 1 --json >"$work/out.json" 2>"$work/log" &
    job=$!
    sleep 3
    for file in "$work"/pid.*; do
        victim=${file##*.}
    done
    kill -TERM "$victim"
    wait $job
    got=$?
    [ $got = 143 ] && grep -q '"stopped_by": *"SIGTERM"' "$work/out.json" ||
        { echo "status $got"; cat "$work/log" "$work/out.json"; return 1; }
}
check "SIGTERM to one rank stops all" stopped

# rows KIND OF EXTENTS...: of the JSON in $work/scaling.json; the counts are 1, 2, ..
rows() {
    python3 -c "
import json, sys
s = json.load(open(sys.argv[1]))['scaling']
rows, extents = s['rows'], sys.argv[4:]
assert s['kind'] == sys.argv[2] and s['of'] == sys.argv[3], s
assert [r['count'] for r in rows] == list(range(1, len(extents) + 1)), s
assert [r['extents'] for r in rows] == extents, s
assert rows[0]['efficiency'] == 1 and all(r['updates_per_ns'] > 0 for r in rows), s" \
        "$work/scaling.json" "$@"
}
scaled() {
    on 2 "$examples/latmc-bench" --mpi --extents 64x64 --device cpu --threads 1 --seconds 0.1 \
        --scaling weak --json >"$work/scaling.json" && rows weak ranks 64x64 64x128
}
listed() {
    "$examples/latmc-bench" --extents 64x64 --device cpu:scalar,scalar,scalar --threads 1 \
        --seconds 0.1 --scaling strong --json >"$work/scaling.json" &&
        rows strong devices 64x64 64x64 64x64
}
check "latmc-bench --scaling weak --mpi" scaled
check "latmc-bench --scaling strong with a list of devices" listed
check "the example runs" on 2 "$examples/embed_mpi"
