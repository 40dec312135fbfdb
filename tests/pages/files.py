#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""doc/files.md has a line for each source file, made of its first comment: files.py SOURCE [--write]

The line is the comment's first sentence. A .c file without a comment shares the line of its header.
The script fails if the page is not current, or if a file has neither. --write makes the page anew.
"""
import os
import re
import sys

ENDS = ('.c', '.h', '.cu', '.cuh', '.cpp', '.py')
ROOMS = {
    'include/latmc': 'The public interface.',
    'lib/base': 'What every room uses: errors, memory, text, checksums, agreement of ranks.',
    'lib/geometry': 'Where sites are: words, colours, tiles, waves.',
    'lib/physics': 'The update rules and sums, written once for C and CUDA.',
    'lib/models': 'A row for each model, and the list of rows.',
    'lib/devices': 'The list of devices.',
    'lib/lattice': 'The handle: its struct, its home on devices, its rows of sites.',
    'lib/settings': 'Making a lattice, setting what it has, reporting it.',
    'lib/divide': 'One lattice on several devices or ranks.',
    'lib/sites': 'Sites in and out of arrays, copies of replicas.',
    'lib/sums': 'Sums that no device makes, from rows of sites.',
    'lib/measure': 'From sums to observables: quantities, pairs, best sites.',
    'lib/sweep': 'Starting, sweeping, exchanges, tuning, time series.',
    'lib/save': 'Files, state hashes, best sites.',
    'lib/ranks': 'Lattices that ranks share.',
    'lib/analysis': 'Time series and ladders. No lattice is needed.',
    'lib/mpi': 'The library liblatmc_mpi.',
    'backends': 'What lib/ knows of a device, and what all devices share.',
    'backends/cpu': 'The CPU: lanes and their vocabularies.',
    'backends/cpu/bits': 'Models whose sites are bits, on CPUs.',
    'backends/cpu/field': 'Models whose sites are numbers, on CPUs.',
    'backends/cpu/random': 'Arrays of random numbers on CPUs.',
    'backends/cpu/team': 'Threads.',
    'backends/cuda': 'NVIDIA GPUs: calls, launches, series, exchanges.',
    'backends/cuda/bits': 'Models whose sites are bits, on GPUs.',
    'backends/cuda/field': 'Models whose sites are numbers, on GPUs.',
    'backends/cuda/random': 'Arrays of random numbers on GPUs.',
    'examples': 'The programs.',
}
# Abbreviations, which end no sentence.
NO_END = ''.join(f'(?<!{word})' for word in
                 ('Ann', 'Commun', 'Comput', 'Math', 'Phys', 'Soc', 'Stat'))
HEAD = '''# Files

This page has a line for each source file: the first sentence of the file's first comment.
`tests/pages/files.py . --write` makes it anew, and a test fails if it is not current.
[architecture.md](architecture.md) says what the rooms are for.
'''


def first_comment(path):
    """The lines of the first comment behind the licence."""
    with open(path, encoding='utf-8') as source:
        text = re.sub(r'\A#!.*\n', '', source.read())
    text = re.sub(r'\A(?:/\*|//|#) ?SPDX-License-Identifier: [\w.-]+(?: \*/)?[ \n]*', '', text)
    found = re.match(r'/\*(.*?)\*/|"""(.*?)"""|((?://[^\n]*\n)+)', text, re.S)
    if not found:
        return []
    text = next(group for group in found.groups() if group is not None)
    return [re.sub(r'^\s*(?:\*|//)? ?|@file \S+|@brief ', '', line) for line in text.splitlines()]


def first_sentence(lines):
    """Up to the first full stop or to a list. Of a long sentence, up to its colon."""
    text = ''
    for line in lines:
        if text.endswith(':') and (not line.strip() or line[:1].isspace()):
            break
        text = (text + ' ' + line.strip()).strip()
    found = re.match(rf'.*?(?<!\b[A-Z])(?<!\.){NO_END}\.\)?(?= |$)', text)
    text = found[0] if found else text
    if text.endswith(':') or len(text) > 150 and len(text.split(': ')[0]) > 30:
        text = text.split(': ')[0].rstrip(':.') + '.'
    return text.replace('|', '\\|')


def sentences(source):
    """{folder: [(name, sentence)]}"""
    page = {}
    for folder in ROOMS:
        names = [n for n in sorted(os.listdir(os.path.join(source, folder))) if n.endswith(ENDS)]
        said = {n: first_sentence(first_comment(os.path.join(source, folder, n))) for n in names}
        rows = page.setdefault(folder, [])
        for name in names:
            stem, end = os.path.splitext(name)
            header = stem + '.h'
            if not said[name] and end in ('.c', '.cu') and said.get(header):
                continue
            twins = [e[1:] for e in ('.c', '.cu') if said.get(stem + e) == '']
            if end == '.h' and twins:
                name = f'{stem}.[{twins[0]}h]' if twins == ['c'] else f'{stem}.h, .{", .".join(twins)}'
            rows.append((name, said[stem + end]))
    return page


def folders(source):
    """All folders with sources, none of which may be missing above."""
    return {os.path.relpath(where, source)
            for top in ('include', 'lib', 'backends', 'examples')
            for where, _, names in os.walk(os.path.join(source, top))
            if any(n.endswith(ENDS) for n in names)}


def page_of(rows):
    text = HEAD
    for folder, files in rows.items():
        text += f'\n## {folder}\n\n{ROOMS[folder]}\n\n| file | what it says |\n| --- | --- |\n'
        text += ''.join(f'| `{name}` | {sentence} |\n' for name, sentence in files)
    return text


def main():
    source = sys.argv[1]
    path = os.path.join(source, 'doc/files.md')
    rows = sentences(source)
    wrong = [f'{folder}/{name} has no first sentence'
             for folder, files in rows.items() for name, sentence in files if not sentence]
    wrong += [f'{folder} has no line in ROOMS' for folder in sorted(folders(source) - set(ROOMS))]
    page = page_of(rows)
    if '--write' in sys.argv[2:]:
        with open(path, 'w', encoding='utf-8') as text:
            text.write(page)
    else:
        with open(path, encoding='utf-8') as text:
            if text.read() != page:
                wrong.append('doc/files.md is not current: tests/pages/files.py . --write')
    print('\n'.join(wrong) if wrong else 'ok - doc/files.md is current')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
