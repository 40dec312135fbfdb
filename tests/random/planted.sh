#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The random comparison must see: faults that it plants in the side under test are found, named,
# made small, and fail again when the command that is printed is given.
#   planted.sh SOURCE PROGRAM
. "$1/tests/check.sh"
random=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# plant KIND OUTCOME SMALLEST FLAG...: as a rule the smallest has one extent of 5 and 3 sweeps.
plant() {
    kind=$1 outcome=$2 smallest=$3
    shift 3
    log=$work/$kind
    "$random" --device cpu --plant "$kind" --failures 1 --shrink 1 --shrink-seconds 100 "$@" \
        >"$log" 2>&1
    check "$kind: exit status 1" [ $? -eq 1 ]
    check "$kind: is a $outcome" grep -qE "^$outcome( in case [0-9]+)?: " "$log"
    check "$kind: the smallest is a $outcome" \
        grep -qE "; the smallest of [0-9]+ candidates \($outcome\)" "$log"
    # Commands are indented: the case's own, and that of the smallest.
    sed -n 's/^    //p' "$log" >"$work/commands"
    check "$kind: two commands" [ "$(wc -l <"$work/commands")" -eq 2 ]
    command=$(tail -1 "$work/commands")
    check "$kind: small" grep -qE "$smallest" "$work/commands"
    sh -c "$command --repeat 30 --failures 1 --limit 4" >"$log.again" 2>&1
    check "$kind: the command fails again" [ $? -eq 1 ]
    check "$kind: as a $outcome" grep -q "^$outcome: " "$log.again"
    # Without the fault the same case passes.
    plain=$(printf '%s\n' "$command" | sed "s/ --plant $kind / /")
    check "$kind: without it all is well" sh -c "$plain --repeat 3"
}

swept='extents=5 .*replicas=1 .*steps=[a-z]+:[a-z_]+:(3|3x1|1x3|2x2)(:[^;]*)?'"'"'$'
refused='extents=2 .*replicas=1 .*steps=[^;]*'"'"'$'
plant flip difference "$swept" --runs 60 --cost 5
plant value difference "$swept" --runs 60 --cost 5
plant pairs difference 'replicas=1 .*steps=pairs:[0-9]*:[]a-z_0-9[]*'"'"'$' --runs 60 --cost 5
plant crash death "$swept" --runs 60 --cost 5
plant quit death "$swept" --runs 60 --cost 5
plant status difference "$refused" --runs 60 --cost 5
plant message difference "$refused" --runs 60 --cost 5
# Chance decides which of many cases would fail first, and every hang takes its time.
plant sometimes difference "$swept" --repeat 60 --case \
    'model=ising extents=13x10x4 replicas=7 seed=3 beta=0.2~0.4 steps=hash;sweep:metropolis:40;save'
plant hang hang "$swept" --limit 4 --shrink-limit 3 --case \
    'model=ising extents=5x2 replicas=2 seed=1 steps=observe:m2;sweep:metropolis:5'

# What it must not take for a success.
check "the same numbers are the same cases" sh -c \
    "'$random' --print --runs 300 >'$work/one'; '$random' --print --runs 299 --first 2 >'$work/two'
     sed 1d '$work/one' | cmp - '$work/two'"
check "a printed case is that case" sh -c \
    "'$random' --print --case \"\$(head -1 '$work/one')\" >'$work/three'
     head -1 '$work/one' | cmp - '$work/three'"
refuse "a word that is no word" "$random" --case 'model=ising extents=4x4 colour=blue'
refuse "a step that is no step" "$random" --case 'model=ising extents=4x4 steps=dance:3'
refuse "a kernel that never swept" "$random" --runs 5 --want-each 1
printf '# none\n' >"$work/none"
refuse "a file without cases" "$random" --cases "$work/none"
"$random" --device cpu:nonesuch --runs 5 >"$work/log" 2>&1
check "a device that does not exist is skipped" [ $? -eq 77 ]
check "and says so" grep -q '^skipped - ' "$work/log"
finish
