#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Count lines of code, without comments and blank lines: lines.py SOURCE [COMMIT]

A line for each room of lib/ and backends/, and the sum. Files are those of the folder, or of a
commit of its repository.
"""
import pathlib
import re
import subprocess
import sys

KINDS = '.c', '.h', '.cu', '.cuh'
# Strings and characters may have in them what looks like a comment.
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/', re.DOTALL)


def lines_of(text):
    """A comment goes, but for the ends of its lines: these are of no code then."""
    bare = TOKEN.sub(lambda t: t[0] if t[0][0] in '"\'' else '\n' * t[0].count('\n'), text)
    return sum(1 for line in bare.split('\n') if line.strip())


def files_of(source, commit):
    """(path, text) of each file, in the order of paths."""
    if commit:
        git = ['git', '-C', source]
        names = subprocess.run([*git, 'ls-tree', '-r', '--name-only', commit, 'lib', 'backends'],
                               check=True, capture_output=True, text=True).stdout.split('\n')
        for name in sorted(n for n in names if n.endswith(KINDS)):
            yield name, subprocess.run([*git, 'show', f'{commit}:{name}'], check=True,
                                       capture_output=True, text=True).stdout
        return
    root = pathlib.Path(source)
    for name in sorted(p.relative_to(root).as_posix() for top in ('lib', 'backends')
                       for p in (root / top).rglob('*') if p.name.endswith(KINDS)):
        yield name, (root / name).read_text(encoding='utf-8')


def main():
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    rooms = {}
    for name, text in files_of(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None):
        room = name.rsplit('/', 1)[0]
        files, lines = rooms.get(room, (0, 0))
        rooms[room] = files + 1, lines + lines_of(text)
    for room, (files, lines) in sorted(rooms.items()):
        print(f'{lines:7} lines {files:4} files  {room}')
    files, lines = (sum(column) for column in zip(*rooms.values()))
    print(f'{lines:7} lines {files:4} files  in all')


if __name__ == '__main__':
    main()
