#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Find the places of planted bugs: plants.py SOURCE [LIST...]

Each plant of the lists (tests/mutations.txt says how a line is written) must fit exactly once in
the source. tests/mutate.py imports this file and plays the plants.
"""
import collections
import pathlib
import re
import sys

ROOMS = ('include', 'lib', 'backends', 'examples')
KINDS = ('.c', '.h', '.cu', '.cuh')
LISTS = ('tests/mutations.txt', 'tests/mutations_cuda.txt')

Plant = collections.namedtuple('Plant', 'name where pattern replacement tests')
Place = collections.namedtuple('Place', 'file begin end line')

TOKEN = re.compile(r'\w+|\S')
COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)
DIRECTIVE = re.compile(r'^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.M)
CLOSES = {'(': ')', '[': ']', '{': '}', '<': '>'}


class Unfit(Exception):
    """A plant that has no place, or several."""


def blank(match):
    """As many characters, and the same lines."""
    return re.sub(r'[^\n]', ' ', match[0])


class Source:
    """A file's text, without its comments, and also without what may hide braces."""

    def __init__(self, path):
        self.text = path.read_text(encoding='utf-8')
        self.code = COMMENT_OR_TEXT.sub(lambda m: blank(m) if m[0][0] == '/' else m[0], self.text)
        self.bare = DIRECTIVE.sub(blank, COMMENT_OR_TEXT.sub(blank, self.text))

    def closing(self, at):
        """Where the bracket at this place is closed; the end of the file if it is not."""
        opens, closes, depth = self.bare[at], CLOSES[self.bare[at]], 0
        for place in re.finditer(f'[{re.escape(opens + closes)}]', self.bare[at:]):
            depth += 1 if place[0] == opens else -1
            if depth == 0:
                return at + place.end()
        return len(self.bare)

    def ends(self, name, at):
        """Where the definition ends whose name ends here; None if it is no definition."""
        rest = re.compile(r'\s*(?:\[[^\]]*\]\s*)*')
        at = rest.match(self.bare, at).end()
        if self.bare[at:at + 1] == '<':  # a specialized template
            at = rest.match(self.bare, self.closing(at)).end()
        if self.bare[at:at + 1] == '(':
            body = re.compile(r'\s*(?:const\s*)?{').match(self.bare, self.closing(at))
        else:
            body = re.compile(r'=[^;{]*[;{]|{').match(self.bare, at)
        if not body:
            return None
        return body.end() if body[0].endswith(';') else self.closing(body.end() - 1)

    def regions(self, name):
        """Begins and ends of the functions, objects, types and macros of this name."""
        if name not in self.text:
            return
        for macro in re.finditer(rf'#[ \t]*define[ \t]+{name}\b(?:[^\n]*\\\n)*[^\n]*', self.code):
            yield macro.span()
        for word in re.finditer(rf'(?<![\w.>]){name}\b', self.bare):
            end = self.ends(name, word.end())
            if end:
                yield self.text.rfind('\n', 0, word.start()) + 1, end

    def places(self, pattern, begin, end):
        """Where a pattern fits, token by token, whatever is between them."""
        tokens = TOKEN.findall(pattern)
        text = r'\s*'.join(map(re.escape, tokens))
        before = r'(?<!\w)' if re.match(r'\w', tokens[0]) else ''
        after = r'(?!\w)' if re.match(r'\w', tokens[-1]) else ''
        return [m.span() for m in re.compile(before + text + after).finditer(self.code, begin, end)]


class Tree:
    """The sources of all rooms, by their paths."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.sources = {path.relative_to(self.root): Source(path)
                        for room in ROOMS for path in sorted((self.root / room).rglob('*'))
                        if path.suffix in KINDS}

    def regions(self, where):
        """Files with the begins and ends of what a plant names: FILE, NAME or FILE:NAME."""
        name, _, inner = where.partition(':')
        for path, source in self.sources.items():
            if not inner and path.suffix and '.' in name:
                if path.name == name:
                    yield path, 0, len(source.text)
            elif not inner or path.name == name:
                for begin, end in source.regions(inner or name):
                    yield path, begin, end

    def place(self, plant):
        """The one place of a plant."""
        regions = set(self.regions(plant.where))
        if not regions:
            raise Unfit(f'there is no {plant.where}')
        places = {(path, *span) for path, begin, end in regions
                  for span in self.sources[path].places(plant.pattern, begin, end)}
        if len(places) != 1:
            raise Unfit(f'"{plant.pattern}" is {len(places)} times in {plant.where}')
        path, begin, end = places.pop()
        line = self.sources[path].text.count('\n', 0, begin) + 1
        return Place(path, begin, end, line)

    def planted(self, plant):
        """The plant's file, and its text with the bug in it."""
        place = self.place(plant)
        text = self.sources[place.file].text
        return place.file, text[:place.begin] + plant.replacement + text[place.end:]


def plant_of(line):
    """A line of a list."""
    fields = [field.strip() for field in line.split(' :: ')]
    change = fields[2].split(' => ') if len(fields) == 4 else []
    if len(change) != 2 or not all(fields + change):
        raise Unfit('the line is not NAME :: WHERE :: PATTERN => REPLACEMENT :: TEST; TEST')
    pattern, replacement = (text.strip() for text in change)
    if TOKEN.findall(pattern) == TOKEN.findall(replacement):
        raise Unfit('it changes nothing')
    tests = [test.strip() for test in fields[3].split(';')]
    return Plant(fields[0], fields[1], pattern, replacement, tests)


def read(path):
    """Each line of a list: its name and the plant, or why it is none."""
    for line in pathlib.Path(path).read_text(encoding='utf-8').splitlines():
        if line.strip() and not line.startswith('#'):
            try:
                yield line.split(' :: ')[0], plant_of(line)
            except Unfit as why:
                yield line.split(' :: ')[0], why


def main():
    root = pathlib.Path(sys.argv[1])
    tree, names, failed = Tree(root), set(), 0
    for path in sys.argv[2:] or [root / name for name in LISTS]:
        for name, plant in read(path):
            try:
                if isinstance(plant, Unfit):
                    raise plant
                if name in names:
                    raise Unfit('another plant has this name')
                place = tree.place(plant)
                print(f'ok - {name}: {place.file}:{place.line}')
            except Unfit as why:
                failed += 1
                print(f'FAILED - {name}: {why}')
            names.add(name)
    return 1 if failed or not names else 0


if __name__ == '__main__':
    sys.exit(main())
