#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random patterns in all dialects of run-length encoding, read by a program and decoded here.

dialects.py LIFE CASES: the field that LIFE shows after some generations is compared, cell by cell,
with an automaton that is stepped here. The encoder and the automaton know nothing of the program.
"""
import random
import subprocess
import sys

NAMED = {'Life': ('3', '23'), 'HIGHLIFE': ('36', '23'), 'seeds': ('2', ''), 'Morley': ('368', '245'),
         'DayNight': ('3678', '34678')}


def rule_text(draw):
    """A rule in one of its forms, and the numbers of births and of survivals."""
    births = ''.join(n for n in '12345678' if draw.random() < .4)
    stays = ''.join(n for n in '012345678' if draw.random() < .4)
    form = draw.choice(['B%s/S%s', 'b%s/s%s', 'B%sS%s', 'b%ss%s', 'S/B', 'SB', 'xlife', 'two', 'name'])
    if form == 'name':
        name = draw.choice(sorted(NAMED))
        return name, *NAMED[name]
    if form in ('S/B', 'SB'):
        return 'S%s%sB%s' % (stays, form[1:-1], births), births, stays
    if form == 'xlife':
        return f'{stays}/{births}', births, stays
    if form == 'two':
        return f'{stays}/{births}/2', births, stays
    return form % (births, stays), births, stays


def encode(cells, draw):
    """Runs of the rows, in lines that end between two runs."""
    dead, living = draw.choice(['bo', '.A', 'bA', '.o'])
    text, column, empty = '', 0, 0
    for row in cells:
        if empty:
            text += f'{empty}$' if empty > 1 else '$'
        empty = 1
        x = 0
        while x < len(row):
            end = x
            while end < len(row) and row[end] == row[x]:
                end += 1
            count = end - x
            if not row[x] and end == len(row) and draw.random() < .8:
                break
            part = count if draw.random() < .8 else draw.randint(1, count)
            for some in (part, count - part):
                if some:
                    text += (str(some) if some > 1 or draw.random() < .1 else '') + (living if row[x] else dead)
            x = end
            if draw.random() < .15:
                text += draw.choice(['\n', '\n\n', ' ', '\t', '\n#C within\n', '\n#' + 'long ' * 500 + '\n'])
    return text + draw.choice(['!', '\n!', '', '$!', '! what follows is no matter\n3x'])


def document(cells, rule, grid, place, draw):
    width, height = len(cells[0]), len(cells)
    lines = ['#C ' + 'comment ' * draw.choice([0, 1, 400]) for _ in range(draw.randint(0, 2))]
    if place:
        lines.append('#CXRLE Pos=%d,%d Gen=0' % place)
    in_comment = not grid and draw.random() < .3
    if in_comment:
        lines.append(draw.choice(['#r ', '#r']) + rule if rule[0].isdigit() and '/' in rule else '#r ' + rule)
    header = draw.choice(['x = %d, y = %d', 'x=%d,y=%d', ' x = %d , y = %d ']) % (width, height)
    if not in_comment:
        header += draw.choice([', rule = ', ',rule=', ', rule=']) + rule + grid + draw.choice(['', ' ', ','])
    text = '\n'.join(lines + [header, encode(cells, draw)]) + draw.choice(['', '\n'])
    text = text.replace('\n', draw.choice(['\n', '\r\n', '\r']))
    return (b'\xef\xbb\xbf' if draw.random() < .2 else b'') + text.encode()


def step(field, births, stays, plane):
    height, width = len(field), len(field[0])

    def cell(y, x):
        if plane and not (0 <= y < height and 0 <= x < width):
            return 0
        return field[y % height][x % width]
    return [[int(str(sum(cell(y + j, x + i) for j in (-1, 0, 1) for i in (-1, 0, 1) if i or j))
                 in (stays if field[y][x] else births)) for x in range(width)] for y in range(height)]


def shown(out, width, height):
    """The cells of the screen, of which a character has two."""
    field = []
    for line in out.splitlines()[:(height + 1) // 2]:
        both = [' ▀▄█'.index(c) for c in line]
        assert len(both) == width
        field += [[c & 1 for c in both], [c >> 1 for c in both]]
    return field[:height]


def play(life, draw):
    width, height = draw.randint(3, 20), draw.randint(3, 14)
    across, down = draw.randint(1, width), draw.randint(1, height)
    cells = [[int(draw.random() < .5) for _ in range(across)] for _ in range(down)]
    rule, births, stays = rule_text(draw)
    plane, grid, place = draw.random() < .4, '', None
    left, top = width // 2 - across // 2, height // 2 - down // 2
    flags = ['--extents', f'{width}x{height}', '--boundary', 'open' if plane else 'periodic']
    if draw.random() < .5:
        grid = ':%s%d,%d' % ('P' if plane else 'T', width, height)
        flags = draw.choice([[], flags])
        if draw.random() < .5:
            left, top = draw.randint(0, width - across), draw.randint(0, height - down)
            place = (left - width // 2, top - height // 2)
    with open('dialect.rle', 'wb') as file:
        file.write(document(cells, rule, grid, place, draw))
    field = [[0] * width for _ in range(height)]
    for y in range(down):
        field[top + y][left:left + across] = cells[y]
    generations = draw.randint(0, 3)
    for _ in range(generations):
        field = step(field, births, stays, plane)
    ran = subprocess.run([life, '--device', 'cpu', '--threads', '1', '--still', '--pattern', 'dialect.rle',
                          '--generations', str(generations)] + flags, capture_output=True, check=False)
    if ran.returncode or shown(ran.stdout.decode(), width, height) != field:
        sys.exit('%s\n%s\n%s' % (open('dialect.rle', 'rb').read(), ' '.join(flags), (ran.stdout + ran.stderr).decode()))


def main():
    draw = random.Random(54)
    for _ in range(int(sys.argv[2])):
        play(sys.argv[1], draw)


if __name__ == '__main__':
    main()
