#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# phi4 and O(n) vectors in the bundled programs: fields.sh SOURCE BUILD
. "$1/tests/programs/common.sh"

# --- phi4, which latmc-simulate knows by tables, and latmc-phi4-phase

field="--model phi4 --extents 8x6 --sweeps 100 --device cpu"
while IFS='|' read -r pattern flags; do
    # shellcheck disable=SC2086
    check "simulate phi4 $flags" refuses "$pattern" "$simulate" $field $flags
done <<'EOF'
--set: .*epsilon|--set epsilon=0
--set: g of|--set g=-1
--set is|--set mu2=nan
--set: .*hits|--set hits=1.5
precision is 16|--option precision=16
no option|--option n=2
--option is|--option precision
--option is|--option precision=32.5
overrelax|--update overrelax --tune 10
no parameter|--set beta=1
EOF
# shellcheck disable=SC2086
{
    every="--option cutoff=1 --set mu2=-1 --set g=6 --set inv_lambda=0.25 --set field=0.1 --set hits=2
        --set local_sweeps=2 --tune 20 --update block_metropolis:1,overrelax:2"
    check "simulate phi4 without its term" answers 1 "option cutoff is 0" "$simulate" $field \
        --set inv_lambda=0.25
    check "simulate phi4 unbounded" answers 1 "no integral" "$simulate" $field --set g=0 \
        --set mu2=-1
    check "simulate phi4 --json" is_json "$simulate" $field $every --json
    for key in type options precision cutoff tune mu2 g inv_lambda field epsilon hits local_sweeps energy \
        energy_gradient energy_potential energy_cutoff magnetization abs_magnetization phi_squared phi_fourth m2 m4 binder \
        susceptibility xi acceptance; do
        check "its key $key" grep -q "\"$key\": " json
    done
    check "floats are not doubles" differ "$(hash_of $field $every)" \
        "$(hash_of $field $every --option precision=64)"
    check "phi4: lanes and threads agree" same "$(hash_of $field $every --threads 2)" \
        "$(hash_of $field $every --device cpu:scalar --threads 1)"
    # Stacks on which nothing of the library's can run, or can be had: the caller does the work.
    deep="--model phi4 --option cutoff=1 --set inv_lambda=0.25 --extents 37x37x37 --sweeps 20 --device cpu"
    # shellcheck disable=SC2086
    with_stacks() { (export "$1" && hash_of $deep --threads 2); }
    one_thread=$(hash_of $deep --threads 1)
    for stack in OMP_STACKSIZE=16k GOMP_STACKSIZE=16384B 'OMP_STACKSIZE= 100000 G ' \
        OMP_STACKSIZE=65 OMP_STACKSIZE=foo; do
        check "phi4: threads with $stack" same "$(with_stacks "$stack")" "$one_thread"
    done
    scan="--extents 8x8 --g 6 --inv-lambda 0.25 --mu2 -1.5:-1 --sweeps 100 --replicas 5 --device cpu"
    check "phase: --mu2 missing" refuses "needs --g" "$phase" --extents 8x8
    check "phase --json" is_json "$phase" $scan --json --output field
    for key in transition binder mu2 xi susceptibility abs_magnetization; do
        check "its key $key" grep -q "\"$key\": " json
    done
    check "phase: the data" test -s field/phi4-phase.dat
    # A size whose half is run, too; in 100 steps some points near the transition are too short.
    scan="--extents 16x16 --g 6 --inv-lambda 0 --mu2 -1.6:-0.9 --sweeps 100 --replicas 15 --device cpu"
    check "phase: a transition with a smaller lattice" is_json "$phase" $scan --json --output field
    check "phase: both errors are in the error" json_says "[math.isclose(t['error'],
        math.hypot(t['statistical_error'], t['systematic_error']), rel_tol=1e-12) and
        t['systematic_error'] > 0 for t in [j['lattices'][0]['transition']]] == [True]"
    check "phase: it is marked as the points that it used are" json_says \
        "j['lattices'][0]['transition']['too_short'] is True and
        any(r['observables']['binder']['too_short'] for r in j['lattices'][0]['replicas'])"
}

other=$(another_lane)

# --- latmc-xy-helicity

check "xy: --effort 0" refuses "--effort is" "$xy" --effort 0
check "xy: no directory" refuses "--output is" "$xy" --output nosuchdir/deeper
# shellcheck disable=SC2086
{
    little="--effort 0.002 --threads 2 --device cpu"
    check "xy --json" is_json "$xy" $little --json --output turns
    for key in t_kt error known crossing sizes points helicity vortices; do
        check "its key $key" grep -q "\"$key\": " json
    done
    check "xy: a fit is marked as the points that it used are" json_says \
        "j['too_short'] is True and any(p['helicity']['too_short'] for s in j['sizes']
        for p in s['points'] if 0.79 < p['temperature'] < 0.99)"
    check "xy: both errors are in the error" json_says "math.isclose(j['error'],
        math.hypot(j['statistical_error'], j['systematic_error']), rel_tol=1e-12)"
    check "xy: three sizes; as good as no vortices at T = 0.7, many at 1.1" json_says \
        "[s['size'] for s in j['sizes']] == [16, 32, 64] and
        j['sizes'][2]['vortices'][0] < 30 < 100 < j['sizes'][2]['vortices'][1] and
        all(s['vortices'][k] % 2 == 0 for s in j['sizes'] for k in (0, 1))"
    check "xy: the density of vortices grows with temperature" json_says \
        "all(s['points'][0]['vortices']['mean'] < 0.01 < 0.03 < s['points'][-1]['vortices']['mean']
        for s in j['sizes'])"
    check "xy: stiff below, loose above" json_says \
        "all(s['points'][0]['helicity']['mean'] > 0.65 for s in j['sizes']) and
        j['sizes'][2]['points'][-1]['helicity']['mean'] < 0.4"
    check "xy: the data" test -s turns/xy-helicity.dat
    timeless='"seconds"\|"device"\|"threads"'
    grep -v "$timeless" json >first
    "$xy" --effort 0.002 --threads 1 --device $other --json --output turns >json
    grep -v "$timeless" json >second
    check "xy: the same on another lane with another number of threads" cmp first second
    if have gnuplot; then
        check "xy: the pictures" test -s turns/xy-helicity.png -a -s turns/xy-vortices.png
    else
        skip "xy: gnuplot is missing"
    fi
}
finish
