#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the files of the library ask of each other, by the symbols of a build's objects.

usage: circles.py BUILD FLOORS
No circle has more than three files: in a circle each file needs, directly or not, every other one.
No file of lib/ uses a file of a higher floor; FLOORS names the rooms of lib/, the lowest first.
What is wrong is listed, and the exit status is 1.
"""
import pathlib
import re
import subprocess
import sys

MOST = 3


def symbols(item):
    """What an object defines, and what it asks for."""
    defined, asked = set(), set()
    listing = subprocess.run(['nm', '-g', item], capture_output=True, text=True, check=True).stdout
    for line in listing.splitlines():
        fields = line.split()
        if len(fields) > 1 and fields[-1].startswith(('lm_', 'latmc_')):
            (asked if fields[-2] == 'U' else defined).add(fields[-1])
    return defined, asked


def graph_of(build):
    """{object: {object that it uses: symbols}}; objects are named by their paths in the build."""
    found = {str(item.relative_to(build)): symbols(item)
             for folder in ('liblatmc_lib.a.p', 'backends', 'lib')
             for item in sorted((build / folder).rglob('*.o'))}
    home = {s: name for name, (defined, _) in found.items() for s in defined}
    graph = {name: {} for name in found}
    for name, (defined, asked) in found.items():
        for s in asked - defined:
            if s in home:
                graph[name].setdefault(home[s], set()).add(s)
    return graph


def reached(graph, start):
    """All that can be reached from an object by at least one step."""
    seen, left = set(), [start]
    while left:
        for other in graph[left.pop()]:
            if other not in seen:
                seen.add(other)
                left.append(other)
    return seen


def circles(graph):
    reach = {name: reached(graph, name) for name in graph}
    return {frozenset({name} | {other for other in reach[name] if name in reach[other]})
            for name in graph}


def room_of(name):
    """The room of lib/ of an object like liblatmc_lib.a.p/lib_lattice_place.c.o, or None."""
    found = re.search(r'liblatmc_lib\.a\.p/lib_([a-z]+)_', name)
    return found and found.group(1)


def climbs(graph, floors):
    """What is asked of a higher floor; a room that no floor has may be asked by none."""
    for name, uses in sorted(graph.items()):
        for other, wanted in sorted(uses.items()):
            room, higher = room_of(name), room_of(other)
            if room and higher and floors.index(room) < floors.index(higher):
                yield f'{name} uses {other}: {" ".join(sorted(wanted))}'


def main():
    lines = pathlib.Path(sys.argv[2]).read_text(encoding='utf-8').split('\n')
    floors = [line for line in lines if line and not line.startswith('#')]
    graph = graph_of(pathlib.Path(sys.argv[1]))
    nowhere = sorted({room_of(name) for name in graph} - {None, *floors})
    if nowhere:
        print('on no floor:', *nowhere)
        return 1
    large = sorted((sorted(c) for c in circles(graph) if len(c) > MOST), key=len)
    wrong = [f'a circle of {len(c)} files: {" ".join(c)}' for c in large]
    wrong += climbs(graph, floors)
    links = sum(len(uses) for uses in graph.values())
    print(*wrong, f'{len(graph)} files, {links} of them use another', sep='\n')
    return 1 if wrong or not any(room_of(name) for name in graph) or not links else 0


if __name__ == '__main__':
    sys.exit(main())
