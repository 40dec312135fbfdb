#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""doc/output.md has the keys that programs write, and no others: keys.py PAGE BUILD [PROGRAM...]

A section of the page has a table of keys. "the keys of a lattice" in a row stands for the table
below that heading, "an estimate" at the end of a row for that of estimates. NAME in a key is any
name.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

# What makes each program write all of its keys, in a second or two together.
RUNS = {
    'latmc-simulate': [
        '--extents 4x4 --couplings pm1 --samples 2 --replicas 16 --copies 2 --set beta=0.4:1.1 '
        '--temper 2 --sweeps 20',
        '--model potts --extents 4x4 --site-fields gaussian --replicas 2 --sweeps 20',
        '--model onvector --extents 4x4 --anneal beta=1:2 --sweeps 20 --update metropolis:1:hits=2',
        '--extents 4x4 --replicas 2 --set beta=0.1:0.2 --update heatbath:1:exchange=1 --sweeps 20'],
    'latmc-bench': [
        '--extents 16x16 --model phi4 --update metropolis:1:hits=2 --seconds 0.001',
        '--extents 16x16 --couplings pm1 --site-fields pm1 --seconds 0.001',
        '--extents 16x16 --replicas 2 --set beta=0.1:0.2 --update heatbath:1:exchange=1 '
        '--seconds 0.001',
        '--extents 64x64 --scaling weak --seconds 0.001',
        '--extents 8x8 --map --replicas 4 --seconds 0.001',
        '--random all --seconds 0.001'],
    'latmc-ising-binder': ['--effort 0.001'],
    'latmc-ising-glass': ['--effort 0.01'],
    'latmc-heisenberg-glass': ['--sizes 4 --samples 4 --temperatures 3 --rounds 32'],
    'latmc-phi4-phase': [
        '--extents 8x8 --g 6 --inv-lambda 0.25 --mu2 -1.5:-1 --replicas 5 --sweeps 100'],
    'latmc-xy-helicity': ['--effort 0.01'],
    'latmc-potts-thermodynamics': ['--effort 0.01'],
    'latmc-blume-capel-tricritical': ['--effort 0.01'],
    'latmc-population-annealing': ['--replicas 1000 --steps 2 --couplings pm1'],
}
# Objects whose keys are names of the library's; of a distribution all but these few are.
NAMED = re.compile(r'(.*\b(?:parameters|options|observables))\.(\w+(?:\[[\d,]+\])?)')
DRAWN = re.compile(r'(.*\b(?:couplings|site_fields))\.(?!kind$|seed$|samples$|first_sample$)\w+$')
ARGUMENT = re.compile(r'(.*\bupdate)\.(?!name$|sweeps$|exchange$)\w+$')
failures = 0


def say(good, what, why):
    global failures
    failures += not good
    print(('ok - ' if good else 'FAILED - ') + what)
    for line in sorted(why) if not good else []:
        print('    ' + line)


def sections_of(page):
    """Rows (key, text of the row) of the tables below each heading."""
    sections, rows = {}, []
    with open(page, encoding='utf-8') as text:
        for line in text:
            if line.startswith('#'):
                rows = sections.setdefault(line.strip('# \n').strip('`'), [])
            elif line.startswith('|'):
                key = re.match(r'\| `([^`]+)` \|', line)
                rows.append((key[1] if key else '', line))
    return sections


def keys_of(sections, name, before=''):
    keys = set()
    for key, text in sections[name]:
        groups = [g for g in sections if 'the keys of' in text and re.search(rf'\bof {g}\b', text)]
        if text.rstrip('| \n').endswith('an estimate'):
            groups = ['an estimate']
        for group in groups:
            keys |= keys_of(sections, group, before + key + '.' if key else before)
        if key and not groups:
            keys.add(before + key)
    return keys


def walk(value, path, keys):
    if isinstance(value, dict):
        for key, inner in value.items():
            walk(inner, f'{path}.{key}' if path else key, keys)
    elif isinstance(value, list) and any(isinstance(v, dict) for v in value):
        for inner in value:
            walk(inner, path, keys)
    else:
        keys.add(path)


def as_page(key):
    key = NAMED.sub(r'\1.NAME', key)
    return ARGUMENT.sub(r'\1.NAME', DRAWN.sub(r'\1.NAME', key))


def run(build, program, flags, folder):
    """The JSON that it prints."""
    done = subprocess.run([os.path.join(build, 'examples', program), '--json'] + flags.split(),
                          cwd=folder, env=dict(os.environ, LATMC_DEVICE='cpu'), check=True,
                          stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def written(build, program):
    """The keys of all runs."""
    keys = set()
    with tempfile.TemporaryDirectory() as folder:
        for flags in RUNS[program]:
            walk(run(build, program, '--threads 1 ' + flags, folder), '', keys)
    return keys


def check_csv(build):
    """Columns: which replica, which record, observables, parameters."""
    with tempfile.TemporaryDirectory() as folder:
        flags = '--csv series.csv ' + RUNS['latmc-simulate'][0]
        replica = run(build, 'latmc-simulate', flags, folder)['replicas'][0]
        with open(os.path.join(folder, 'series.csv'), encoding='utf-8') as text:
            columns = text.readline().strip().split(',')
    parameters = list(replica['parameters'])
    middle = columns[4:len(columns) - len(parameters)]
    good = columns == ['slot', 'sample', 'copy', 'record'] + middle + parameters and \
        middle[-1] == 'holder' and set(middle[:-1]) <= set(replica['observables'])
    say(good, 'columns of the CSV', [','.join(columns)])


def main():
    page, build = map(os.path.abspath, sys.argv[1:3])
    sections = sections_of(page)
    for program in sys.argv[3:] or RUNS:
        printed = {as_page(key) for key in written(build, program)}
        known = keys_of(sections, program) if program in sections else set()
        # an estimate, a lattice or a result need not have all that others have
        say(printed <= known, f'{program}: all keys are on the page', printed - known)
        own = {key for key, _ in sections.get(program, []) if key}
        lost = {key for key in own if not any(p == key or p.startswith(key + '.') for p in printed)}
        say(not lost, f'{program}: the page has no other keys', lost)
    check_csv(build)
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
