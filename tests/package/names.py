#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Files that the pages name exist: names.py SOURCE PAGE...

A name is what stands in `backticks` or behind a link and ends as a file does. It may be the end of
a path; * and [ch] stand for several; NAME and MODEL, in capitals, for what the reader chooses.
"""
import fnmatch
import os
import re
import sys

SUFFIXES = 'c|h|cu|cuh|cpp|sh|py|md|txt|build|map|ini|abi|in|png'
NAME = re.compile(r'(?:[\w*./-]|\[[a-z]+\])+\.(?:%s|\[ch\])(?!\w)' % SUFFIXES)
CHOSEN = re.compile(r'NAME|MODEL')
MADE = {'main.c'}  # by the reader


def files_below(source):
    found = []
    for folder, folders, names in os.walk(source):
        folders[:] = [f for f in folders if not f.startswith(('.', 'build'))]
        found += [os.path.relpath(os.path.join(folder, n), source) for n in names]
    return found


def names_in(text):
    """Each with the line that it stands in."""
    for number, line in enumerate(text.splitlines(), 1):
        for piece in re.findall(r'`([^`]+)`', line) + re.findall(r'\]\(([^)#]+)[^)]*\)', line):
            for name in NAME.findall(piece):
                if '://' not in piece and not CHOSEN.search(name):
                    yield number, name


def exists(name, files):
    name = name[2:] if name.startswith('./') else name
    return any(fnmatch.fnmatchcase('/' + path, '*/' + name) for path in files)


def main():
    source, pages = sys.argv[1], sys.argv[2:]
    files, count, missing = files_below(source), 0, 0
    for page in pages:
        with open(page, encoding='utf-8') as text:
            for number, name in names_in(text.read()):
                count += 1
                if name not in MADE and not exists(name, files):
                    missing += 1
                    print(f'{os.path.basename(page)}:{number}: there is no {name}')
    print(count, 'names,', missing, 'missing')
    return 1 if missing or not count else 0


if __name__ == '__main__':
    sys.exit(main())
