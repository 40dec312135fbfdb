#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The examples of the specification are true: examples.py [--update] SOURCE BUILD

The pages doc/trajectory*.md show state hashes, lattices, drawn numbers and test values of the
functions that they use; doc/format.md shows presets and ranges. All of them are computed again, by
the programs of the build or by tests/exact/trajectory.py, and compared with the pages. With --update
the hashes of the tables are written into the pages.
"""
import argparse
import glob
import os
import re
import subprocess
import sys

HASH = re.compile(r'[0-9a-f]{16}')
failures = 0


def say(good, what, why=''):
    global failures
    failures += not good
    print(('ok - ' if good else 'FAILED - ') + what + ('' if good or not why else ': ' + why))


class Page:
    def __init__(self, source, name):
        self.name, self.path = name, os.path.join(source, 'doc', name)
        with open(self.path, encoding='utf-8') as text:
            self.lines = text.read().splitlines()

    def write(self):
        with open(self.path, 'w', encoding='utf-8') as text:
            text.write('\n'.join(self.lines) + '\n')

    def table(self, at):
        """Numbers of the lines of the first table behind a line, without its head."""
        first = next(i for i in range(at, len(self.lines)) if self.lines[i].startswith('|')) + 2
        last = next((i for i in range(first, len(self.lines)) if not self.lines[i].startswith('|')),
                    len(self.lines))
        return range(first, last)

    def find(self, pattern):
        """The number of the first line that a pattern matches, and the match."""
        found = ((i, re.match(pattern, line)) for i, line in enumerate(self.lines))
        return next((i, match) for i, match in found if match)


def cells(line):
    return [cell.strip().strip('`') for cell in line.strip('|').split('|')]


# ---- tables of state hashes


def run(command, folder, build):
    env = dict(os.environ, LATMC_DEVICE='cpu', LC_ALL='C',
               PATH=os.path.join(build, 'examples') + ':' + os.environ['PATH'])
    env.setdefault('OMP_NUM_THREADS', '1')
    done = subprocess.run(command, shell=True, cwd=folder, env=env, text=True, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    return done.stdout


def check_hashes(page, source, build, update):
    """Of every table below a command that has its ROW and COLUMN; returns how many there were."""
    count = 0
    for at, line in enumerate(page.lines):
        command = re.fullmatch(r'    (latmc-simulate .*ROW COLUMN.*)', line)
        if not command:
            continue
        rows = page.table(at)
        columns = cells(page.lines[rows[0] - 2])[1:]
        for i in rows:
            flags, *shown = cells(page.lines[i])
            made = []
            for column in columns:
                words = command[1].replace('ROW', flags).replace('COLUMN', column)
                found = re.search(r'"state_hash": "(\w+)"', run(words, source, build))
                made.append(found[1] if found else 'none')
            if update:
                page.lines[i] = '| ' + ' | '.join([f'`{flags}`'] + made) + ' |'
            say(update or shown == made, f'{page.name}: {flags}', ' '.join(made))
            count += len(made)
    if update:
        page.write()
    return count


# ---- commands in blocks of text


def check_blocks(page, source, build):
    """Blocks that begin with "$ " and a command of the source."""
    text = '\n'.join(page.lines)
    for block in re.findall(r'^```text\n(\$ .*?)\n```$', text, re.M | re.S):
        for part in re.split(r'^\$ ', block, flags=re.M)[1:]:
            command, shown = part.split('\n', 1)
            printed = run(command, source, build)
            say(printed.split() == shown.split(), f'{page.name}: {command}', printed)


# ---- lattices that are drawn


def check_picture(page, spec, alive):
    """Both lattices have the hashes that are shown below them; returns their sites, 1 and -1."""
    at, _ = page.find(r'    +before')
    rows = []
    while page.lines[at + len(rows)].strip():
        rows.append(re.findall(rf'[{alive}.-]+', page.lines[at + len(rows)]))
    _, shown = page.find(r'    state hash +(\w{16}) +(\w{16})')
    states = [[1 if cell == alive else -1 for row in rows for cell in row[k]] for k in range(2)]
    for state, wanted in zip(states, shown.groups()):
        made = f'{spec.tree([spec.replica_hash(state, [len(rows[0][0]), len(rows)])]):016x}'
        say(made == wanted, f'{page.name}: the lattice that is drawn has the hash {wanted}', made)
    return states


def check_automaton(page, spec):
    before, after = check_picture(page, spec, '#')
    _, shown = page.find(r'    n, A after the sweep: (\d+), (\d+)')
    living, changed = after.count(1), sum(a != b for a, b in zip(before, after))
    say([living, changed] == [int(n) for n in shown.groups()], f'{page.name}: n and A')


def sweep_by_sites(spec, lattice, spins, beta):
    """A sweep of Metropolis; what was done at every site, as the page's table has it."""
    updates = {}
    for c in range(lattice.colours):
        for i, x in enumerate(lattice.sites):
            if lattice.colour(x) == c:
                s, f, u = spins[i], lattice.field(spins, i, x), lattice.uniform(x, 0, 0, c)
                t = spec.metropolis(lattice.is_loose(beta), beta, s, f, 0.0)
                spins[i] = -s if u < t else s
                updates[i] = [c, i, lattice.place(x, 0)[2], s, int(f), t, u,
                              'yes' if u < t else 'no']
    return updates


def check_ising(page, spec):
    """The updates one by one, and the sums."""
    before, after = check_picture(page, spec, '+')
    lattice, spins = spec.Lattice([4, 4], ['periodic'] * 2), list(before)
    say(lattice.start(0, True) == before, f'{page.name}: the start')
    updates = sweep_by_sites(spec, lattice, spins, 0.4)
    changed = sum(update[-1] == 'yes' for update in updates.values())
    _, shown = page.find(r'    B_0, B_1, M, changed after the sweep: +([-\d, ]+?)  ')
    made = lattice.sums(spins) + [changed]
    say(made == [int(n) for n in shown[1].split(',')], f'{page.name}: sums after the sweep',
        str(made))
    say(spins == after, f'{page.name}: the lattice after the sweep')
    at, _ = page.find(r'\| colour \| site')
    for i in page.table(at):
        row = cells(page.lines[i])
        made = updates[int(row[1])]
        u = row[6].split(' = ')
        shown = [int(n) for n in row[:6]] + [int(u[0], 16), row[7]]
        say(shown == made and u[1:] in ([], [str(made[6])]), f'{page.name}: site {row[1]}',
            str(made))


# ---- functions that the pages use


def check_functions(page, spec):
    at, _ = page.find(r'\| counter \| key \| block')
    for i in page.table(at):
        counter, key, block = ([int(w, 16) for w in cell.split()] for cell in cells(page.lines[i]))
        say(list(spec.philox(counter, key[0] | key[1] << 32)) == block, f'{page.name}: Philox')
    text = ' '.join(' '.join(page.lines).split())
    for what, data in (('no bytes', b''), ('the three bytes "abc"', b'abc')):
        say(f'XXH64 of {what} is {spec.xxh64(data):016x}' in text, f'{page.name}: XXH64 of {what}')


# ---- presets and ranges


def described(build):
    """{(model, name): (preset, least, most)} as latmc-simulate --help prints them."""
    text = run('latmc-simulate --help', build, build)
    found = {}
    for model, body in re.findall(r'^model (\w+):(.*?)(?=^model |\Z)', text, re.M | re.S):
        entries = re.split(r'^ {6}(?=\w)', body.split('  --update:')[0], flags=re.M)[1:]
        for entry in entries:
            name, *numbers = re.match(r'(\w+).*\(([^ ;]+);\s+(\S+)\s+to\s+([^\s)]+)', entry,
                                      re.S).groups()
            found[model, name] = tuple(numbers)
    return found


def check_presets(page, build):
    """The table has all of what is described, and nothing else; numbers as %g prints them."""
    wanted = described(build)
    at, _ = page.find(r'\| model \| option or parameter')
    shown = {}
    for i in page.table(at):
        model, name, *numbers = cells(page.lines[i])[:5]
        shown[model, name] = tuple(f'{float(n):g}' for n in numbers)
    say(len(wanted) > 20, f'{page.name}: --help has presets')
    for key in sorted(wanted.keys() | shown.keys()):
        say(wanted.get(key) == shown.get(key), f'{page.name}: {key[0]}, {key[1]}',
            f'{shown.get(key)} instead of {wanted.get(key)}')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--update', action='store_true')
    parser.add_argument('source')
    parser.add_argument('build')
    options = parser.parse_args()
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path.insert(0, os.path.join(here, '../exact'))
    import trajectory as spec  # the second implementation
    source, build = map(os.path.abspath, (options.source, options.build))
    names = sorted(map(os.path.basename, glob.glob(os.path.join(source, 'doc/trajectory*.md'))))
    pages = {name: Page(source, name) for name in names}
    for page in pages.values():
        hashes = check_hashes(page, source, build, options.update)
        say(hashes > 0, f'{page.name}: there are hashes')
        check_blocks(page, source, build)
    check_functions(pages['trajectory.md'], spec)
    check_ising(pages['trajectory-ising.md'], spec)
    check_automaton(pages['trajectory-automaton.md'], spec)
    check_presets(Page(source, 'format.md'), build)
    return 1 if failures else 0


if __name__ == '__main__':
    raise SystemExit(main())
