# SPDX-License-Identifier: BSD-3-Clause
# Sourced by the tests of the bundled programs, which are called with SOURCE BUILD.
. "$1/tests/check.sh"
# shellcheck disable=SC2034
source=$1 build=$2
bin=$build/examples
simulate=$bin/latmc-simulate bench=$bin/latmc-bench binder=$bin/latmc-ising-binder
phase=$bin/latmc-phi4-phase glass=$bin/latmc-ising-glass xy=$bin/latmc-xy-helicity
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1

# Two threads at most: other tests run beside this one.
export OMP_NUM_THREADS=2
# Tables are as wide as they are without a terminal.
unset COLUMNS

# answers STATUS PATTERN COMMAND...: what it says, on either stream, has a line like PATTERN.
answers() {
    wanted=$1 pattern=$2 got=0
    shift 2
    "$@" >out 2>&1 </dev/null || got=$?
    [ "$got" -eq "$wanted" ] || { echo "exit status $got instead of $wanted"; cat out; return 1; }
    grep -q -- "$pattern" out || { echo "nothing like \"$pattern\""; cat out; return 1; }
}

# has PATTERN..., has_not PATTERN: the file `table` has such a line, or none.
has() {
    for pattern in "$@"; do
        grep -q -- "$pattern" table || { echo "nothing like \"$pattern\""; cat table; return 1; }
    done
}

has_not() {
    ! grep -- "$1" table
}

# A bad flag: status 2, and one line on stderr that names the program and ends the matter, at once.
refuses() {
    pattern=$1 got=0
    shift
    timeout 60 "$@" >out 2>err </dev/null || got=$?
    [ "$got" -eq 2 ] || { echo "exit status $got instead of 2"; cat err; return 1; }
    [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] || { echo "not one line"; cat out err; return 1; }
    grep -q -- "^${1##*/}: .*$pattern" err || { echo "nothing like \"$pattern\""; cat err; return 1; }
}

is_json() {
    "$@" >json 2>err || { cat err; return 1; }
    [ ! -s err ] || { cat err; return 1; }
    if have python3; then python3 -m json.tool json >/dev/null; fi
}

# field KEY: the first value of that key in the last JSON.
field() {
    sed -n "s/^ *\"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" json | head -n 1
}

# hash_of FLAGS...: of latmc-simulate
hash_of() {
    "$simulate" --json "$@" >json 2>err && field state_hash || cat err >&2
}

# Another lane than the best one: the plain one takes several times as long as AVX2.
another_lane() {
    lane=$("$simulate" --extents 8x8 --sweeps 0 --device cpu --json >json && field device)
    if [ "$lane" != cpu:avx2 ] && "$simulate" --extents 8x8 --sweeps 0 --device cpu:avx2 >out 2>&1
    then
        echo cpu:avx2
    else
        echo cpu:scalar
    fi
}

same() {
    [ -n "$1" ] && [ "$1" = "$2" ] || { echo "\"$1\" is not \"$2\""; return 1; }
}

differ() {
    [ -n "$1" ] && [ -n "$2" ] && [ "$1" != "$2" ] || { echo "\"$1\" and \"$2\""; return 1; }
}

none() {
    [ -z "$1" ] || { echo "\"$1\""; return 1; }
}

# json_says EXPRESSION: of the last JSON, which is `j`, in Python.
json_says() {
    python3 -c "
import json, math, sys
j = json.load(open('json'))
value = ($1)
if not value:
    sys.exit('%r' % (value,))"
}

# No line of a file is longer than a screen of 100 columns.
is_narrow() {
    awk 'length($0) > 100 { print length($0) ": " $0; bad = 1 } END { exit bad }' "$1"
}
