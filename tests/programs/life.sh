#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Cellular automata from the outside: rules, patterns in run-length encoding, the program life and
# its animated pictures. life.sh SOURCE BUILD
. "$1/tests/programs/common.sh"
life=$bin/life

# --- rules

automaton="--model automaton --extents 40x30 --sweeps 20 --device cpu --seed 7"
# shellcheck disable=SC2086
{
    preset=$(hash_of $automaton)
    for rule in B3/S23 b3/s23 b3s23 23/3 B3/S32; do
        check "--rule $rule is Conway's" same "$preset" "$(hash_of $automaton --rule $rule)"
    done
    check "--rule B36/S23 is the options" same "$(hash_of $automaton --rule B36/S23)" \
        "$(hash_of $automaton --option birth=72 --option survival=12)"
    check "it is another one" differ "$preset" "$(hash_of $automaton --rule B36/S23)"
    for rule in B9/S23 B3 3 B3/23 X3/S23 B3/S23x 'B3/S23 ' ''; do
        check "--rule '$rule'" refuses '--rule is' "$simulate" $automaton --rule "$rule"
    done
    check "--rule of another model" refuses '--rule: .*birth' "$simulate" --extents 8x8 --rule B3/S23
}

# --- life

run="--device cpu --still"
printf '#N Glider\nx = 3, y = 3, rule = B3/S23\nbob$2bo$3o!\n' >glider.rle
head -c 9 glider.rle >cut.rle
printf 'x = 3, y = 3\nbob$2bo$4o!\n' >wide.rle
printf 'x = 3, y = 2\nbob$2bo$3o!\n' >high.rle
printf 'x = 3, y = 3\nbob$2bo$3o\n' >open.rle
printf 'x = 3, y = 3, rule = B9/S\nbo!\n' >rule.rle
printf 'x = 0, y = 3\nbo!\n' >none.rle
check "life --help" answers 0 "^usage: life" "$life" --help
check "life --version" answers 0 "^life [0-9.]*$" "$life" --version
# shellcheck disable=SC2086
{
    check "life: its extents" refuses "--extents is" "$life" $run --extents 80
    check "life: a field that is too small" refuses "cannot hold" "$life" $run --extents 20x20
    check "life: no such boundary" refuses "periodic, open\|periodic (301), open" "$life" $run --boundary nosuch
    for file in cut wide high open rule none nosuch; do
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
