#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The library does what doc/trajectory.md and doc/trajectory-ising.md say: its states are those of a
# second implementation, which was written from these pages alone. trajectory.sh SOURCE BUILD
. "$1/tests/check.sh"
second=$1/tests/exact/trajectory.py
simulate=$2/examples/latmc-simulate
[ -x "$simulate" ] || { skip "built without the programs"; finish; }

# The best lane and the reference; tests of agreement have the others.
same_state() {
    sweeps=$1 beta=$2
    shift 2
    wanted=$(python3 "$second" "$@" --beta "$beta" --sweeps "$sweeps" --hash-only) || return 1
    # The second implementation's names for the same flags.
    options=$(printf '%s ' "$@" | sed 's/--field \([^ ]*\)/--set field=\1/; s/--coupling-seed/--couplings pm1 &/')
    for device in cpu cpu:scalar; do
        # Flags are several words on purpose.
        # shellcheck disable=SC2086
        got=$("$simulate" $options --set "beta=$beta" --sweeps "$sweeps" --every "$sweeps" --json \
            --device $device) || return 1
        echo "$got" | grep -q "\"state_hash\": \"${wanted#state_hash }\"" ||
            { echo "$device: $got" | grep state_hash; echo "instead of $wanted"; return 1; }
    done
}

check "1D, periodic" same_state 7 0.5 --extents 50
check "1D, odd, open" same_state 7 0.3 --extents 37 --boundary open --seed 9
check "2D, periodic" same_state 5 0.44068679350977151 --extents 16x12
check "2D, a word and more to a row" same_state 3 0.4 --extents 130x6 --seed 18446744073709551615
check "2D, odd: three colours" same_state 4 0.42 --extents 7x9 --seed 3
check "2D, odd, more than a word" same_state 3 0.42 --extents 71x3
check "2D, antiperiodic and open" same_state 4 0.6 --extents 10x8 --boundary antiperiodic,open
check "2D, field" same_state 4 0.35 --extents 12x10 --field 0.25
check "2D, heat bath" same_state 4 0.44 --extents 14x10 --update heatbath
check "2D, heat bath, odd, field" same_state 4 0.44 --extents 5x9 --update heatbath --field -0.1
check "2D, cold" same_state 4 0.3 --extents 18x4 --start cold
check "replicas at different beta" same_state 3 0.1,0.2,0.3,0.4,0.5 --extents 8x6 --replicas 5
check "replicas that share words, and a word that is not full" \
    same_state 3 0.4 --extents 6x4 --replicas 11
check "3D, drawn couplings" same_state 3 0.9 --extents 6x4x4 --coupling-seed 5
check "3D, odd, drawn couplings" same_state 3 0.9 --extents 5x3x4 --coupling-seed 6 --seed 2
check "shares of +1 and of missing bonds" \
    same_state 3 0.9 --extents 6x4x4 --coupling-seed 5 --coupling-plus 0.75 --coupling-missing 0.1
check "samples that share words" \
    same_state 3 0.3,0.4,0.5,0.6 --extents 16x6 --replicas 4 --samples 2 --coupling-seed 7
check "samples, odd, missing bonds" same_state 3 0.5 --extents 5x3x4 --replicas 6 --samples 3 \
    --coupling-seed 18446744073709551615 --coupling-missing 0.25
check "3D, two sites along an axis" same_state 3 0.2 --extents 2x2x6
check "4D" same_state 2 0.15 --extents 4x4x2x6
check "4D, odd, boundaries of all kinds" \
    same_state 2 0.2 --extents 3x4x2x5 --boundary periodic,antiperiodic,open,periodic

# Structure factors at momenta are the same in every digit.
same_structures() {
    sweeps=$1 momenta=$2
    shift 2
    wanted=$(python3 "$second" "$@" --sweeps "$sweeps" --momenta="$momenta" --hash-only |
        grep -v hash) || return 1
    # The numbers are several words on purpose.
    # shellcheck disable=SC2086
    "$simulate" "$@" --sweeps "$sweeps" --every "$sweeps" --json --momenta="$momenta" |
        python3 -c 'import json, sys
seen = json.load(sys.stdin)["replicas"][0]["observables"]
wanted = [float(word) for word in sys.argv[1:]]
got = [seen["structure_at[%d]" % i]["mean"] for i in range(len(wanted))]
assert wanted and got == wanted, (got, wanted)' $wanted
}

check "momenta of a chain" same_structures 2 2:-6:70 --extents 35 --boundary open
check "momenta of a square" same_structures 2 0,0:2,0:2,-4:32,2 --extents 16x12
check "momenta with awkward rows and a sign" \
    same_structures 1 1,2,0:-3,0,6:33,8,2 --extents 33x4x5 --boundary antiperiodic,open,periodic
check "momenta of more than a block" same_structures 1 2,2:-4,6 --extents 18x1030
refuse "another seed is another trajectory" eval '
    same_state 3 0.4 --extents 6x4 --seed 5 >/dev/null &&
    [ "$(python3 "$second" --extents 6x4 --seed 5 --sweeps 3 --hash-only)" = \
      "$(python3 "$second" --extents 6x4 --seed 6 --sweeps 3 --hash-only)" ]'
finish
