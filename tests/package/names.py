#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the pages name exists: names.py SOURCE PAGE...

A file is what stands in `backticks` or behind a link and ends as a file does. It may be the end of
a path; * and [ch] stand for several. A word of the library begins with lm_ or latmc_, in small
letters or capitals, and stands in the sources. NAME and MODEL are what the reader chooses.
"""
import fnmatch
import os
import re
import sys

SUFFIXES = 'c|h|cu|cuh|cpp|sh|py|md|txt|build|map|ini|abi|in|png'
NAME = re.compile(r'(?:[\w*./-]|\[[a-z]+\])+\.(?:%s|\[ch\])(?!\w)' % SUFFIXES)
WORD = re.compile(r'\b(?:lm|LM|latmc|LATMC)_\w+')
CHOSEN = re.compile(r'NAME|MODEL')
MADE = {'main.c'}  # by the reader


def files_below(source):
    found = []
    for folder, folders, names in os.walk(source):
        folders[:] = [f for f in folders if not f.startswith(('.', 'build'))]
        found += [os.path.relpath(os.path.join(folder, n), source) for n in names]
    return found


def words_of(source, files):
    words = set()
    for path in files:
        if re.search(r'\.(c|h|cu|cuh|cpp|build|txt)$', path):
            with open(os.path.join(source, path), encoding='utf-8') as text:
                words |= set(WORD.findall(text.read()))
    return words


def names_in(text):
    """Files and words, each with the line that it stands in."""
    for number, line in enumerate(text.splitlines(), 1):
        code = re.findall(r'`([^`]+)`', line)
        for piece in code + re.findall(r'\]\(([^)#]+)[^)]*\)', line):
            if '://' not in piece:
                yield from ((number, n) for n in NAME.findall(piece))
        for piece in code:
            yield from ((number, w) for w in WORD.findall(NAME.sub('', piece)))


def exists(name, files, words):
    if CHOSEN.search(name) or name in MADE or name in words:
        return True
    name = name[2:] if name.startswith('./') else name
    return any(fnmatch.fnmatchcase('/' + path, '*/' + name) for path in files)


def main():
    source, pages = sys.argv[1], sys.argv[2:]
    files, count, missing = files_below(source), 0, 0
    words = words_of(source, files)
    for page in pages:
        with open(page, encoding='utf-8') as text:
            names = list(names_in(text.read()))
        for number, name in names:
            if not exists(name, files, words):
                missing += 1
                print(f'{os.path.basename(page)}:{number}: there is no {name}')
        if not names:
            missing += 1
            print(f'{os.path.basename(page)}: no names')
        count += len(names)
    print(count, 'names,', missing, 'missing')
    return 1 if missing else 0


if __name__ == '__main__':
    sys.exit(main())
