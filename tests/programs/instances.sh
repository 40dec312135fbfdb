#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# latmc-simulate --couplings file:NAME and --site-fields file:NAME: instances.sh SOURCE BUILD
. "$1/tests/programs/common.sh"

# A published instance. Its largest cut has the weight 458, and all weights together are 0. So with
# couplings -w the lowest energy is 0 - 2 x 458, for 512 spins.
# A. Wiegele, Biq Mac Library, 2007, lists the instance with its largest cut.
instance() {
    awk 'BEGIN { print 512, 1536 }
        !/^#/ {
            gsub(/ /, "")
            axis = n % 3; z = (n++ - axis) / 3
            for (k = 0; k < 64; k++) {
                x = k % 8; y = (k - x) / 8
                to = 1 + (axis == 0 ? (x + 1) % 8 : x) + 8 * (axis == 1 ? (y + 1) % 8 : y) \
                    + 64 * (axis == 2 ? (z + 1) % 8 : z)
                print 1 + x + 8 * y + 64 * z, to, substr($0, k + 1, 1) "1"
            }
        }' "$source/tests/programs/toruspm3-8-50.txt"
}
instance >torus.txt
torus="--extents 8x8x8 --axis-couplings -1 --replicas 128 --anneal beta=0.2:3 --sweeps 1000"
# shellcheck disable=SC2086
check "a published instance has its ground state" answers 0 "^lowest energy -1\.7890625, " \
    "$simulate" $torus --couplings file:torus.txt --device cpu
check "and its couplings" grep -q "768 are -1, 0 are 0, 768 are +1" out

# Couplings that are drawn, as the plain trajectory prints them, in all forms of a file.
# drawn SAMPLE FLAGS...
drawn() {
    sample=$1
    shift
    python3 "$source/tests/exact/trajectory.py" --print-drawn --coupling-seed 5 \
        --first-sample "$sample" "$@" | python3 -c "
import sys
for line in sys.stdin:
    print(*['%.17g' % float.fromhex(w) if i else w for i, w in enumerate(line.split())])"
}

# as_list EXTENT0 EXTENT1 COORDINATES: SITE SITE COUPLING of periodic lattices, axis 1 first
as_list() {
    awk -v a="$1" -v b="$2" -v coordinates="$3" '
        function name(x, y) { return coordinates ? x "," y : x + a * y }
        {
            x = $1 % a; y = ($1 - x) / a
            along0[NR] = name((x + 1) % a, y) " " name(x, y) " " $2
            along1[NR] = name(x, y) "\t" name(x, (y + 1) % b) " " $3 " # along 1"
        }
        END {
            print "# a comment"; print ""
            for (i = 1; i <= NR; i++) print along1[i]
            for (i = 1; i <= NR; i++) print along0[i]
        }'
}

# as_numbers: one number per line, in the library's order
as_numbers() {
    awk '{ k[NR] = $2; l[NR] = $3 }
        END { for (i = 1; i <= NR; i++) print k[i]; for (i = 1; i <= NR; i++) print l[i] }'
}

if have python3; then
    for extents in "4 6" "2 4" "5 2" "2 2"; do
        # shellcheck disable=SC2086
        set -- $extents
        run="--extents $1x$2 --replicas 4 --set beta=0.2:0.9 --sweeps 7 --device cpu"
        for from in "pm1" "gaussian"; do
            drawn 0 --extents "$1x$2" --couplings $from >drawn0
            drawn 1 --extents "$1x$2" --couplings $from >drawn1
            as_list "$1" "$2" 0 <drawn0 >sites
            as_list "$1" "$2" 1 <drawn0 >coordinates
            as_numbers <drawn0 >numbers
            as_list "$1" "$2" 0 <drawn1 >sites1
            { as_numbers <drawn0; as_numbers <drawn1; } >both
            # shellcheck disable=SC2086
            {
                wanted=$(hash_of $run --couplings $from --coupling-seed 5)
                for form in sites coordinates numbers; do
                    check "$from on $1x$2 by $form" same "$wanted" \
                        "$(hash_of $run --couplings file:$form)"
                done
                wanted=$(hash_of $run --couplings $from --coupling-seed 5 --samples 2)
                check "$from on $1x$2: two files" same "$wanted" \
                    "$(hash_of $run --couplings file:numbers,sites1)"
                check "$from on $1x$2: one file with two samples" same "$wanted" \
                    "$(hash_of $run --couplings file:both --samples 2)"
            }
        done
        awk '{ print $1, $4 }' drawn0 >fields
        awk '{ print $4 }' drawn0 >fields1
        # shellcheck disable=SC2086
        {
            wanted=$(hash_of $run --site-fields gaussian --site-field-seed 5)
            check "fields on $1x$2 by sites" same "$wanted" "$(hash_of $run --site-fields file:fields)"
            check "fields on $1x$2 by numbers" same "$wanted" \
                "$(hash_of $run --site-fields file:fields1)"
            check "couplings and fields on $1x$2" same \
                "$(hash_of $run --couplings gaussian --coupling-seed 5 --site-fields gaussian \
                    --site-field-seed 5)" \
                "$(hash_of $run --couplings file:numbers --site-fields file:fields)"
        }
    done
else
    skip "files of couplings that are drawn: there is no python3"
fi

# What has no line is 0, and open ends have no bonds.
printf '0 1 1\n2 3 -1\n' >two
check "bonds without a line are missing" is_json "$simulate" --extents 4x4 --couplings file:two \
    --sweeps 0 --json
check "and counted" same "1 30 1" "$(field minus) $(field zero) $(field plus)"
check "bonds of an open lattice" is_json "$simulate" --extents 4x4 --boundary open \
    --couplings file:two --sweeps 0 --json

# ---- errors, each with its line

# bad PATTERN TEXT FLAGS...: a file with this text is refused
bad() {
    pattern=$1
    printf %b "$2" >bad.txt
    shift 2
    check "refused: $pattern" refuses "$pattern" "$simulate" --sweeps 1 "$@"
}

printf '0 1\n' >bad1.txt
square="--extents 4x4 --couplings file:bad.txt"
# shellcheck disable=SC2086
{
    bad 'line 3: the lattice has no bond between the sites 0 and 2' '0 1 1\n\n0 2 1\n' $square
    bad 'no bond between the sites 0 and 0' '0 0 1\n' $square
    bad 'no bond between the sites 3,0 and 0,0' '3,0 0,0 1\n' $square --boundary open
    bad 'line 2: the bond between the sites 1 and 0 has a number already' '0 1 1\n1 0 1\n' $square
    bad 'line 3: the bond between the sites 0 and 1 has' '0 1 1\n1 0 1\n0 1 1\n' \
        --extents 2x4 --couplings file:bad.txt
    bad 'line 2: the bond between the sites 1 and 0 has' '0 1 1\n1 0 1\n' \
        --extents 2x4 --boundary open,periodic --couplings file:bad.txt
    bad 'line 1: "16" is no site; sites are 0 to 15, or count from 1' '16 1 1\n' $square
    bad 'line 2: "0" is no site; sites are 1 to 16' '16 32\n0 1 1\n' $square
    bad '"0,4" is no site; coordinate 1 must be 0 to 3' '0,0 0,4 1\n' $square
    bad '"0,1,2" has more coordinates than the lattice, which has 2' '0,1,2 0 1\n' $square
    bad '"x" is no number' '0 1 x\n' $square
    bad 'line 2: the line has 2 words; SITE SITE NUMBER is needed' '0 1 1\n1 2\n' $square
    bad 'the line has more than 4 words' '0 1 1 1 1\n' $square
    bad 'line 1: the file has 9 sites; the lattice has 16' '9 18\n1 2 1\n' $square
    bad 'line 2: the file has 1 bonds; its first line says 32' '16 32\n1 2 1\n' $square
    bad 'line 1: the file has no bonds' '16 32\n' $square
    bad 'line 3: the file ends after 2 numbers; a sample has 32' '1\n\n-1 # the last\n' $square
    bad 'line 2: the line has 2 words; the lines above it have one number' '1\n1 1\n' $square
    bad 'the file has no numbers' '# nothing\n' $square
    bad 'the weather' '0 1 1\n' --extents 4x4 --couplings 'file:the weather'
    bad 'names of files' '0 1 1\n' --extents 4x4 --couplings file:bad.txt,
    bad 'coupling of bond type 0 in cell 0 is 2000000' '0 1 2e6\n' $square
    bad 'site 3 has a number already' '3 1\n3 1\n' --extents 4x4 --site-fields file:bad.txt
    bad 'the line has 3 words; SITE NUMBER is needed' '3 4 1\n' --extents 4x4 \
        --site-fields file:bad.txt
    bad 'the files of --couplings have 1 samples, and not 2 as --samples says' '0 1 1\n' $square \
        --samples 2 --replicas 2
    bad 'site-fields have 2 samples, and not 1 as those of --couplings' '0 1 1\n' $square \
        --site-fields file:bad1.txt,bad1.txt --replicas 2
    bad '.*-plus cannot be given with --couplings file:bad.txt' '0 1 1\n' $square \
        --coupling-plus 0.5
    bad 'bonds of the model phi4 have no couplings' '0 1 1\n' $square --model phi4
}
finish
