#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Which files a planted bug may change: places.py FOLDER LIST [FILE...]

Of each line of LIST (name, sed expression, tests) all three and those of the files that have
the longest piece of plain text that the expression looks for; all files where it says none. Most bugs
have one or two, so that sed need not read the whole source for each.
"""
import re
import sys

# Up to the first slash that no backslash is before.
PATTERN = r"((?:[^/\\]|\\.)*)/"
ALONE = re.compile(rf"s/{PATTERN}{PATTERN}[g0-9]*$")
WITHIN = re.compile(rf"/{PATTERN}(?:,/{PATTERN})?\s*(?:{{n;)?s/{PATTERN}{PATTERN}[g0-9]*}}?$")
# What may be there any number of times; sets; other signs that stand for something else.
PIECES = re.compile(r".(?:\*|\\[?+{])|\[\^?.[^]]*\]|\\.|[.*^$]")


def plain_text(pattern):
    """The longest piece of it that must be there as it stands; '' if that is hard to say."""
    if re.search(r"\\\||\\\)(?:\*|\\[?+{])", pattern):
        return ""
    return max(PIECES.split(pattern), key=len)


def wanted(expression):
    """What a file has if the expression, one command, changes it."""
    alone = ALONE.match(expression)
    if alone:
        return plain_text(alone[1])
    within = WITHIN.match(expression)
    return max(plain_text(within[1]), plain_text(within[3]), key=len) if within else ""


def main():
    folder, chosen, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    texts = {name: open(f"{folder}/{name}", encoding="utf-8").read() for name in names}
    for line in open(chosen, encoding="utf-8"):
        name, expression, tests = line.rstrip("\n").split("\t")
        text = wanted(expression)
        found = " ".join(n for n in names if text in texts[n])
        print(name, expression, tests, found, sep="\t")


main()
