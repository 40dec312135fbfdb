#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The shared library exports what the headers declare, and nothing else: exports.py LIBRARY HEADER..."""
import re
import subprocess
import sys


def declared(paths):
    names = set()
    for path in paths:
        with open(path, encoding='utf-8') as file:
            text = re.sub(r'/\*.*?\*/', '', file.read(), flags=re.DOTALL)
        names |= set(re.findall(r'^LATMC_API[^;(]*?(\w+)\s*\(', text, re.MULTILINE))
    return names


def exported(library):
    out = subprocess.run(['nm', '-D', '--defined-only', '--format=posix', library],
                         check=True, capture_output=True, text=True).stdout
    return {line.split()[0].split('@')[0] for line in out.splitlines()}


def main():
    want, have = declared(sys.argv[2:]), exported(sys.argv[1])
    for name in sorted(want - have):
        print('declared, but not exported:', name)
    for name in sorted(have - want):
        print('exported, but not declared:', name)
    print(len(want), 'declared,', len(have), 'exported')
    return 0 if want and want == have else 1


if __name__ == '__main__':
    sys.exit(main())
