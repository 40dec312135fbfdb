#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Cellular automata from the outside: rules, patterns in run-length encoding, the program latmc-life and
# its animated pictures. life.sh SOURCE BUILD
. "$1/tests/programs/common.sh"
life=$bin/latmc-life

# --- rules

automaton="--model automaton --extents 40x30 --sweeps 20 --device cpu --seed 7"
# shellcheck disable=SC2086
{
    preset=$(hash_of $automaton)
    for rule in B3/S23 b3/s23 b3s23 23/3 B3/S32 S23/B3 s32b3 23/3/2 Life life; do
        check "--rule $rule is Conway's" same "$preset" "$(hash_of $automaton --rule $rule)"
    done
    check "--rule B36/S23 is the options" same "$(hash_of $automaton --rule B36/S23)" \
        "$(hash_of $automaton --option birth=72 --option survival=12)"
    check "--rule HighLife is B36/S23" same "$(hash_of $automaton --rule B36/S23)" \
        "$(hash_of $automaton --rule HighLife)"
    check "it is another one" differ "$preset" "$(hash_of $automaton --rule B36/S23)"
    for rule in B9/S23 B3 3 B3/23 3/S23 B3/B23 S23/S3 X3/S23 B3/S23x B3/S23/3 B3/S23:T9,9 'B3/S23 ' '' Lif; do
        check "--rule '$rule'" refuses '--rule is' "$simulate" $automaton --rule "$rule"
    done
    check "--rule of another model" refuses '--rule needs a model that has rules' "$simulate" --extents 8x8 --rule B3/S23
}

# --- life

run="--device cpu --still"
printf '#N Glider\nx = 3, y = 3, rule = B3/S23\nbob$2bo$3o!\n' >glider.rle
head -c 9 glider.rle >cut.rle
printf 'x = 3, y = 3, rule = B9/S\nbo!\n' >rule.rle
printf 'x = 3, z = 3\nbo!\n' >none.rle
printf 'x = 3, y = 3\nbob$2bo$1 2o!\n' >split.rle
printf 'x = 3, y = 3\nbob$2bo$0o!\n' >zero.rle
printf 'x = 3, y = 3\nbob$2bo$2oC!\n' >states.rle
printf 'x = 3, y = 3\nbob$2bo$3' >number.rle
printf 'x = 3, y = 3\nbob$\0002bo$3o!' >byte.rle
printf 'x = 3, y = 3\n5000000000b5000000000o!' >far.rle
check "life --help" answers 0 "^usage: latmc-life" "$life" --help
check "life --version" answers 0 "^latmc-life [0-9.]*$" "$life" --version
# shellcheck disable=SC2086
{
    check "life: its extents" refuses "--extents is" "$life" $run --extents 80
    check "life: a field that is too small" refuses "cannot hold" "$life" $run --extents 20x20
    check "life: no such boundary" refuses "periodic, open\|periodic (301), open" "$life" $run --boundary nosuch
    for file in cut rule none split zero states number byte far nosuch; do
        check "life: no pattern in $file.rle" answers 1 "$file.rle" "$life" $run --pattern $file.rle
    done
    check "life: a glider comes back" answers 0 "generation 20: 5 cells live" \
        "$life" $run --pattern glider.rle --generations 20 --extents 20x20 --write moved.rle
    check "and is the one that went" sh -c 'tail -n +2 glider.rle >a && sed "s/bob/bo/" a >b && cmp b moved.rle'
    check "life: the r-pentomino" answers 0 "generation 1103: 116 cells live" \
        "$life" $run --pattern rpentomino --generations 1103 --every 1103 --extents 640x640
    check "life: a gun fires" answers 0 "generation 120: 56 cells live" \
        "$life" $run --generations 120 --every 60 --boundary open --extents 120x100
    check "life: a rule of its own" answers 0 "B36/S23, generation 5" \
        "$life" $run --pattern glider --rule B36/S23 --generations 5
    check "life: animated picture" answers 0 "generation 6" "$life" $run --pattern soup \
        --extents 37x29 --generations 6 --every 2 --zoom 3 --noise 0.01 --picture life.gif --write last.rle
    check "life: no room for its picture" answers 1 nosuch/life.gif \
        "$life" $run --generations 1 --picture nosuch/life.gif
}

# --- files of all kinds

# reads NAME PATTERN TEXT FLAGS...: what is said of a pattern in a file, which life reads.
reads() {
    name=$1 pattern=$2
    printf "$3" >kind.rle
    shift 3
    check "life: $name" answers 0 "$pattern" "$life" --still --device cpu --generations 0 --pattern kind.rle "$@"
}
# refused STATUS NAME PATTERN TEXT FLAGS...
refused() {
    status=$1 name=$2 pattern=$3
    printf "$4" >kind.rle
    shift 4
    check "life: $name" answers "$status" "$pattern" "$life" --still --device cpu --generations 0 --pattern kind.rle "$@"
}
cells='bob$2bo$3o'
reads "survivals first in XLife's comment" "^B36/S125, .*: 5 cells" "#r 125/36\nx = 3, y = 3\n$cells!"
reads "the header's rule comes later" "^B3/S23, " "#r 125/36\nx = 3, y = 3, rule = B3/S23\n$cells!"
reads "a comment that only begins with r" "^B3/S23, " "#rotated 125/36\nx = 3, y = 3\n$cells!"
reads "--rule replaces a rule that none can be" "^B3/S23, " "x = 3, y = 3, rule = B2-a/S12\n$cells!" --rule 23/3
reads "a torus" "^B368/S245, .*: 5 cells" "x = 3, y = 3, rule = S245/B368:T72,48\n$cells!" --extents 72x48
reads "a square torus" ": 5 cells" "x = 3, y = 3, rule = B3/S23:T9\n$cells!" --extents 9x9
reads "--rule replaces the grid, too" ": 5 cells" "x = 3, y = 3, rule = B3/S23:T9\n$cells!" --rule B3/S23 --extents 20x9
reads "sizes that are too small" ": 5 cells" "x = 1, y = 0\n$cells!"
reads "sizes that are too large" ": 5 cells" "x = 99999999999999999999, y = 4000\n$cells!"
reads "a pattern of 65537 x 1" ": 65537 cells" "x = 65537, y = 1\n65537o!" --extents 70000x3
reads "a picture's size matters to a picture alone" ": 5 cells" "x = 3, y = 3\n$cells!" --extents 20000x3 --zoom 5
refused 2 "and to a picture it does" "zoom 5" "x = 3, y = 3\n$cells!" --extents 20000x3 --zoom 5 --picture no.gif
refused 1 "the rule that was found" '"B2-a/S12"' "x = 3, y = 3, rule = B2-a/S12\n$cells!"
refused 1 "an infinite grid" '"B3/S23:T0,0"' "x = 3, y = 3, rule = B3/S23:T0,0\n$cells!"
refused 1 "a twisted grid" '"B3/S23:K9\*,9"' "x = 3, y = 3, rule = B3/S23:K9*,9\n$cells!"
refused 1 "three states" '"23/3/3"' "x = 3, y = 3, rule = 23/3/3\n$cells!"
refused 2 "a grid and other extents" "grid has 72 x 48" "x = 3, y = 3, rule = B3/S23:T72,48\n$cells!" --extents 48x72
refused 2 "a grid and another boundary" "grid is open" "x = 3, y = 3, rule = B3/S23:P72,48\n$cells!" --boundary periodic
refused 2 "a grid that is too small" "3 a side" "x = 1, y = 1, rule = B3/S23:T2,48\no!"
refused 2 "a place outside of its grid" "Pos=30,0" "#CXRLE Pos=30,0\nx = 3, y = 3, rule = B3/S23:T48\n$cells!"
refused 1 "what the first line is" '"\[M2\] (golly 2.0)"' "[M2] (golly 2.0)\n"
refused 1 "what the letter is" '"C"' "x = 1, y = 1\nC!"
check "life: patterns that exist are named" answers 1 "gun" "$life" --pattern glidre
check "life: no end of zeros" answers 1 "/dev/zero.*zero byte" timeout 20 "$life" --pattern /dev/zero
check "life: a folder" answers 1 "cannot read" "$life" --pattern .
check "life: devices are listed" sh -c '"$1" --help | grep -q "^devices"' - "$life"

# A field in which nothing lives any more is written, and read again.
printf 'x = 1, y = 1, rule = B3/S23\no!\n' >one.rle
check "life: the last cell dies" answers 0 "generation 2: 0 cells" "$life" --still --device cpu \
    --pattern one.rle --extents 12x8 --generations 2 --write dead.rle
check "life: and what was written is read" answers 0 "generation 0: 0 cells" "$life" --still \
    --device cpu --pattern dead.rle --generations 0

# Patterns without a file are as they always were.
sum_of() {
    "$life" --still --device cpu --pattern "$1" --extents 60x24 --generations 0 --write named.rle >out &&
        tail -n +2 named.rle | tr -d '\n'
}
check "life: glider" same 'bo$2bo$3o!' "$(sum_of glider)"
check "life: rpentomino" same 'b2o$2o$bo!' "$(sum_of rpentomino)"
check "life: acorn" same 'bo$3bo$2o2b3o!' "$(sum_of acorn)"
check "life: gun" same '24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$2o8bo3bob2o4bobo$10bo5bo7bo$11bo3bo$12b2o!' \
    "$(sum_of gun)"
if have python3; then
    check "life: 300 random patterns in dialects of the format" \
        python3 "$source/tests/programs/dialects.py" "$life" 300
else
    skip "dialects: python3 is missing"
fi

# The frames of life.gif, decoded, and the cells of last.rle.
frames_are_cells() {
    python3 - <<'EOF'
import re
data = open("life.gif", "rb").read()
width, height = data[6] + 256 * data[7], data[8] + 256 * data[9]
assert data[:6] == b"GIF89a" and (width, height) == (111, 87) and data[-1] == 0x3b
at, frames = 13 + 6 + 19, []
while data[at] == 0x21:
    assert data[at:at + 3] == b"\x21\xf9\x04" and data[at + 4] == 8  # 80 ms
    at += 8 + 10
    bits, at, raw = data[at], at + 1, b""
    while data[at]:
        raw, at = raw + data[at + 1:at + 1 + data[at]], at + 1 + data[at]
    at += 1
    clear, number, place, pixels = 1 << bits, int.from_bytes(raw, "little"), 0, []
    while True:
        code, place = number >> place & (1 << bits + 1) - 1 if place == 0 else number >> place & (1 << size) - 1, \
            place + (bits + 1 if place == 0 else size)
        if code == clear:
            table, size, last = {i: (i,) for i in range(clear)} | {clear: (), clear + 1: ()}, bits + 1, None
            continue
        if code == clear + 1:
            break
        if last is not None:
            string = table.get(code, last + last[:1])
            if len(table) < 4096:
                table[len(table)] = last + string[:1]
        last = table[code]
        pixels += last
        if len(table) == 1 << size and size < 12:
            size += 1
    assert len(pixels) == width * height
    frames.append([[pixels[y * width + x] for x in range(width)] for y in range(height)])
assert len(frames) == 4 and at == len(data) - 1
cells = [[row[x] for x in range(0, width, 3)] for row in frames[-1][::3]]
assert all(row[x] == cells[y // 3][x // 3] for y, row in enumerate(frames[-1]) for x in range(width))
head, body = open("last.rle").read().split("\n", 1)
rows = [[]]
for count, letter in re.findall(r"(\d*)([bo$])", body.replace("\n", "")):
    for _ in range(int(count or 1)):
        if letter == "$":
            rows.append([])
        else:
            rows[-1].append(letter == "o")
alive = [(y, x) for y, row in enumerate(cells) for x, cell in enumerate(row) if cell]
top, left = min(y for y, _ in alive), min(x for _, x in alive)
wanted = [(y - top, x - left) for y, x in alive]
assert wanted == [(y, x) for y, row in enumerate(rows) for x, cell in enumerate(row) if cell], head
EOF
}
if have python3; then
    check "the last frame is the last generation" frames_are_cells
else
    skip "pictures: python3 is missing"
fi

finish
