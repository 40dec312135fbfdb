#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The rows of figures.txt and map.txt can be measured: rows.sh SOURCE BUILD. Of each the flags are
# latmc-bench's, tried with few sites on a CPU. figures.sh tells a slow row from a fast one, in a table of two
# rows, and map.sh a step down from rates that scatter.
. "$1/tests/check.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$1/tests/bench/figures.sh" "$work"
printf 'here\t2.0\t--fast\nhere\t%s\t--other\n' 4.0 >"$work/figures.txt"
# speeds FAST OTHER: figures.sh with a program that has these speeds
speeds() {
    printf '#!/bin/sh\ncase $1 in --fast) v=%s ;; *) v=%s ;; esac\necho "{\"updates_per_ns\": $v}"\n' "$1" "$2" >"$work/bench"
    chmod +x "$work/bench"
    sh "$work/figures.sh" "$work/bench" here
}
check "figures: as fast as they were" speeds 2.0 3.9
refuse "figures: a row that is a tenth slower is found" speeds 2.0 3.6
refuse "figures: a row without a speed is found" speeds '' 4.0
map=$1/tests/bench/map.sh
# maps FIRST SECOND: map.sh with a program whose rate of two replicas is FIRST, and SECOND the next time
maps() {
    rm -f "$work/again"
    printf '%s\n' '#!/bin/sh' "rate=$1" "[ ! -e '$work/again' ] || rate=$2" ": >'$work/again'" \
        'echo "replicas updates/ns ratio"; echo "1 10 1"' \
        'echo "2 $rate 1 $([ "$rate" -ge 9 ] || echo "<")"' >"$work/bench"
    printf '%s\n' '# a comment' '--row' >"$work/map.txt"
    sh "$map" "$work/bench" here 0 "$work/map.txt"
}
check "map: rates that grow" maps 20 20
check "map: a step that is not there the next time" maps 8 9
refuse "map: a step down is found" maps 8 8
figures=$1/tests/bench/figures.txt bench=$2/examples/latmc-bench
if [ ! -x "$bench" ]; then
    skip "latmc-bench is not built"
    finish
fi

# The flags with extents of eight instead.
small() {
    printf '%s\n' "$1" | awk '{
        for (i = 1; i < NF; i++)
            if ($i == "--extents") gsub(/[0-9]+/, "8", $(i + 1))
        print
    }'
}

tab=$(printf '\t')
measures() {
    printf '%s\n' "$1" | grep -qE "^[a-z0-9]+${tab}[0-9.]+${tab}--device " || return 1
    # shellcheck disable=SC2046
    "$bench" $(small "$(printf '%s\n' "$1" | cut -f 3)") --device cpu --threads 1 --seconds 0.0002
}
refuse "a flag that is none is found" measures "h200${tab}1${tab}--device cpu --extents 64x64 --sett beta=1"
refuse "a row without a figure is found" measures "h200${tab}${tab}--device cpu --extents 64x64"
while IFS= read -r line; do
    case $line in
    '#'*) ;;
    *) check "can be measured: $(printf '%s\n' "$line" | cut -f 1,3 | cut -c 1-150)" measures "$line" ;;
    esac
done <"$figures"
small_map() {
    # shellcheck disable=SC2046
    "$bench" --map $(small "$1") --replicas 2 --device cpu --threads 1 --seconds 0.0002
}
refuse "a flag of a map that is none is found" small_map "--extents 64x64 --replica 4"
while IFS= read -r line; do
    case $line in
    '#'*) ;;
    *) check "can be mapped: $(printf '%s\n' "$line" | cut -c 1-150)" small_map "$line" ;;
    esac
done <"$1/tests/bench/map.txt"
finish
