#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks which files of other models a new model joins: joins.py SOURCE

doc/adding-a-model.md lists them ("Lists that a model joins"). They are the files of include/, lib/
and backends/ that name a model, and are not the model's own. All models but two must join the files
of the page, and no others. The Ising model is left out since the engine of words has kernels for it
alone, and O(n) vectors since the sums over pairs of fields have one for them.
"""
import pathlib
import re
import sys

SPECIAL = {"ising", "onvector"}


def joined(root, model):
    """The files that name a model in code, and are not named for it."""
    name = re.compile(rf"LATMC_{model.upper()}\b|\bDO\({model}|'[a-z_/]*{model}|"
                      rf"\b(lm|LM)_(cpu_|cuda_|model_|launch_|exchange_)?{model}", re.I)
    found = set()
    for room in "include", "lib", "backends":
        for path in (root / room).rglob("*"):
            if path.is_dir() or model in path.name:
                continue
            comment = r"#.*" if path.suffix == ".build" else r"/\*.*?\*/"
            if name.search(re.sub(comment, "", path.read_text(), flags=re.S if "/" in comment else 0)):
                found.add(str(path.relative_to(root)))
    return found


def listed(root):
    """The files of the page's table, without those of tests."""
    page = (root / "doc/adding-a-model.md").read_text()
    table = page.split("### Lists that a model joins\n")[1].split("\n\n")[1]
    files = re.findall(r"`([a-z_/.\[\]]+)`", "\n".join(row.split("|")[1] for row in table.split("\n")))
    return {file for file in files if not file.startswith("tests/")}


def main(root):
    every = (root / "lib/models/every.h").read_text()
    models = set(re.findall(r"^    DO\((\w+)\)", every, re.M)) - SPECIAL
    page, wrong = listed(root), 0
    for model in sorted(models):
        tree = joined(root, model)
        for file in sorted(tree ^ page):
            print(f"{model}: {file} " + ("is not on the page" if file in tree else "does not name it"))
            wrong = 1
    if not wrong:
        print(f"ok - each of {len(models)} models joins the {len(page)} files of the page")
    return wrong or not models or not page


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
