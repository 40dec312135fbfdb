#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Says whether two builds have the same machine code, function by function and kernel by kernel.

A commit that only moves or renames must not change an instruction. Configure both trees with
`-Dc_args='-ffunction-sections -g0'` so that each function has a section of its own, and build them.
usage: same_code.py OLDBUILD NEWBUILD

A function is compared by its bytes and by the kinds of its relocations; the names of symbols do not
count. Kernels are compared by their SASS (cuobjdump) with the names taken out. Differences are
listed with the names of both sides. The exit status is 1 if there is one.
"""
import collections
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def bytes_of(line):
    """A line of objdump's: the bytes of an instruction, and the kinds of its relocations."""
    fields = line.split("\t")
    return " ".join(fields[1:2] + re.findall(r"\bR_[A-Z0-9_]+", line))


def nameless(line):
    """A line of SASS without names. Longer names move its columns, so blanks do not count."""
    return " ".join(re.sub(r"_Z\w+|`\([^)]*\)", "", line).split())


def texts(listing, head, of_line):
    """{name: lines} of a listing in which a line that matches `head` begins a function."""
    found, lines = {}, []
    for line in listing.splitlines():
        begins = re.match(head, line)
        if begins:
            lines = found.setdefault(begins.group(1), [])
        elif line.strip() and not line.startswith("Disassembly"):
            lines.append(of_line(line))
    return found


def keep(found, texts_by_name):
    for name, lines in texts_by_name.items():
        found[hashlib.sha256("\n".join(lines).encode()).hexdigest()].append(name)


def functions(objects):
    """{hash: names} of all functions of the objects."""
    found = collections.defaultdict(list)
    for path in objects:
        keep(found, texts(output("objdump", "-drw", str(path)), r"[0-9a-f]+ <(.*)>:$", bytes_of))
    return found


def kernels(objects):
    """{hash: names} of all kernels of the objects."""
    found = collections.defaultdict(list)
    for path in objects:
        keep(found, texts(output("cuobjdump", "-sass", str(path)), r"\s*Function : (.*)", nameless))
    return found


def objects(build, kind):
    """Objects of the library and of its backends; those of tests and examples do not count."""
    every = pathlib.Path(build).rglob(f"*{kind}.o")
    return sorted(p for p in every if p.relative_to(build).parts[0] not in ("tests", "examples"))


def compare(what, old, new):
    gone = {h: n for h, n in old.items() if len(n) > len(new.get(h, []))}
    come = {h: n for h, n in new.items() if len(n) > len(old.get(h, []))}
    for mark, names in (("-", gone.values()), ("+", come.values())):
        for name in sorted(n for some in names for n in some):
            print(mark, name)
    print(f"{what}: {sum(map(len, old.values()))} and {sum(map(len, new.values()))},"
          f" {len(gone)} gone, {len(come)} new")
    return not gone and not come


def main():
    old, new = sys.argv[1:]
    same = compare("functions", *(functions(objects(b, ".c")) for b in (old, new)))
    if shutil.which("cuobjdump") and (objects(old, ".cu") or objects(new, ".cu")):
        same = compare("kernels", *(kernels(objects(b, ".cu")) for b in (old, new))) and same
    sys.exit(not same)


main()
