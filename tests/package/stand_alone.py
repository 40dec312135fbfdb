#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Lists the headers that need another header before them.

usage: stand_alone.py SOURCE [CUDA]

A header stands alone if it compiles by itself, and if its macros name nothing that it does not
include. Texts over a vocabulary (lib/physics, and the engines of CPUs) do not, nor do headers of
MPI. CUDA is the folder of CUDA's headers; without it those of backends/cuda are left out. The exit
status is 1 if a header is listed.
"""
import os
import pathlib
import re
import subprocess
import sys

TEXTS = ("lib/physics/", "lib/mpi/", "backends/cpu/")
OURS = re.compile(r"\b(?:LM|lm|LATMC|latmc)_\w*\w\b(?!\s*##)")


def headers(root, left_out):
    paths = sorted(p.relative_to(root).as_posix() for room in ("lib", "backends")
                   for p in (root / room).rglob("*.h"))
    return [p for p in paths if not p.startswith(left_out)]


def compiled(root, path, flags, *how):
    command = os.environ.get("CC", "cc").split() + [
        "-std=gnu11", f"-I{root}", f"-I{root}/include", *flags, *how, "-x", "c", "-"]
    return subprocess.run(command, input=f'#include "{path}"\n', text=True, capture_output=True)


def macros(text):
    """{name: (parameters, body)} of the macros that a text defines."""
    text = re.sub(r"/\*.*?\*/|\"[^\"\n]*\"", " ", text, flags=re.S).replace("\\\n", " ")
    found = re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\(([^)]*)\))?(.*)$", text, re.M)
    return {name: (set(re.findall(r"\w+", args)), body) for name, args, body in found}


def unnamed(root, path, flags):
    """What the header's macros name and neither they nor what it includes declare or define."""
    listing = compiled(root, path, flags, "-E", "-dD").stdout
    defined = set(re.findall(r"^#define (\w+)", listing, re.M))
    code = "\n".join(line for line in listing.split("\n") if not line.startswith("#"))
    known = defined | set(OURS.findall(code))
    return sorted({word for name, (args, body) in macros((root / path).read_text()).items()
                   if name in defined for word in OURS.findall(body)
                   if word not in known | args and not re.search(rf"\b{word} *=[^=]", body)})


def main():
    root, flags = pathlib.Path(sys.argv[1]).resolve(), [f"-isystem{d}" for d in sys.argv[2:]]
    bad = 0
    for path in headers(root, TEXTS if flags else TEXTS + ("backends/cuda/",)):
        result = compiled(root, path, flags, "-fsyntax-only", "-Werror=implicit")
        missing = unnamed(root, path, flags)
        if result.returncode or missing:
            errors = [line for line in result.stderr.splitlines() if "error" in line]
            print(f"{path} does not stand alone: {errors[0] if errors else ' '.join(missing)}")
            bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())
