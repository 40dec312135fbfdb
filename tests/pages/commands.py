#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Commands of the pages print what the pages show: commands.py [FLAGS] SOURCE BUILD [PAGE...]

A fenced block of the kind `console` has commands behind "$ " and what they print. "..." stands for
text that depends on the machine or is left out; how lines are broken does not matter. Every other
command of a page is in commands.txt, and every number with an error that a page's prose has is in
one of its blocks or in numbers.txt.

--slow also runs the commands that commands.txt calls slow, --only-slow no others. --update writes
what is printed into the pages, in blocks and in prose, in place of comparing.
"""
import argparse
import difflib
import fnmatch
import glob
import os
import re
import shutil
import subprocess
import tempfile

GAP = '...'
NUMBER = re.compile(r'-?\d+\.\d+\(\d+(?:\.\d+)?\)')
TOOLS = {'meson', 'ninja', 'cc', 'mpicc', 'mpirun', 'valgrind', './setup.sh'}
NOT_PROGRAMS = {'embed', 'embed_mpi', 'quickstart'}
LIMIT = 600  # seconds for a command
failures = 0


def say(good, what, why=''):
    global failures
    failures += not good
    print(('ok - ' if good else 'FAILED - ') + what)
    for line in why.splitlines() if not good else []:
        print('    ' + line)


# ---- pages


class Shown:
    """A command of a console block; its output is lines[first:last] of the page."""

    def __init__(self, command, first, last, source):
        self.command, self.first, self.last = command, first, last
        self.source = source  # the C program above it


class Page:
    def __init__(self, path, name):
        self.path, self.name = path, name
        self.read()

    def read(self):
        """Divides the page in blocks and prose."""
        with open(self.path, encoding='utf-8') as text:
            self.lines = text.read().splitlines()
        self.shown, self.commands, self.prose = [], [], []
        number, code, prose = 0, '', []
        while number < len(self.lines):
            line = self.lines[number]
            end = number + 1
            if line.startswith('```'):
                while self.lines[end] != '```':
                    end += 1
                if line == '```console':
                    self.read_console(number + 1, end, code)
                elif line == '```c':
                    code = '\n'.join(self.lines[number + 1:end]) + '\n'
                end += 1
                prose.append('')
            elif line.startswith('    ') and (not number or not self.lines[number - 1].strip()):
                while end < len(self.lines) and self.lines[end].startswith('    '):
                    end += 1
                self.commands += joined(self.lines[number:end])
                prose.append('')
            else:
                self.prose.append(number)
                prose.append(line)
            number = end
        spans = re.findall(r'`([^`]+)`', '\n'.join(prose))
        self.spans = [' '.join(span.split()) for span in spans]

    def read_console(self, number, end, code):
        while number < end:
            first = number + 1
            while self.lines[first - 1].endswith('\\'):
                first += 1
            last = first
            while last < end and not self.lines[last].startswith('$ '):
                last += 1
            command = joined(self.lines[number:first])[0]
            self.shown.append(Shown(command, first, last, code))
            number = last

    def output(self, shown):
        return self.lines[shown.first:shown.last]


def joined(lines):
    """Commands, those that are continued behind a backslash on one line."""
    text = re.sub(r'\\\n\s*', '', '\n'.join(line.strip() for line in lines))
    return [' '.join(line.removeprefix('$ ').split()) for line in text.splitlines()]


def is_command(line, programs, in_block):
    words = [w for w in line.split() if not re.match(r'\w+=', w)] or ['']
    names = [os.path.basename(w) for w in words]
    runs = [i for i, name in enumerate(names) if name in programs]
    if runs and words[0] in ('mpirun', words[runs[0]]):
        return in_block or len(words) > 1
    is_ours = re.match(r'(build|tests)/.*\w$', words[0]) is not None
    return in_block and (words[0] in TOOLS or is_ours)


def programs_in(folder):
    return {name for name in os.listdir(folder)
            if os.path.isfile(os.path.join(folder, name)) and '.' not in name and
            os.access(os.path.join(folder, name), os.X_OK)} - NOT_PROGRAMS


# ---- lists


class Entry:
    def __init__(self, line):
        self.kind, self.page, self.pattern, self.why = (p.strip() for p in line.split('|', 3))
        self.used = False


def read_list(path):
    with open(path, encoding='utf-8') as text:
        return [Entry(line) for line in text if line.strip() and not line.startswith('#')]


def entry_of(entries, page, text):
    for entry in entries:
        if fnmatch.fnmatchcase(page, entry.page) and \
                re.fullmatch('.*'.join(map(re.escape, entry.pattern.split('*'))), text):
            entry.used = True
            return entry
    return None


# ---- output


def is_like(shown, printed):
    """Are they equal but for gaps, blanks and ends of lines?"""
    text = ' '.join(' '.join(shown).split())
    pattern = '.*?'.join(re.escape(piece.strip()) for piece in text.split(GAP))
    return re.fullmatch(pattern, ' '.join(' '.join(printed).split())) is not None


def keep_gaps_within(shown, printed):
    """Lines with a gap stay as they are where they are like what is printed."""
    printed = list(printed)
    for line in shown:
        if GAP not in line or line.strip() == GAP:
            continue
        for i in range(len(printed)):
            length = next((n for n in (1, 2) if is_like([line], printed[i:i + n])), 0)
            if length:
                printed[i:i + length] = [line]
                break
    return printed


def updated(shown, printed):
    """What is printed, with the gaps of what was shown."""
    printed = keep_gaps_within(shown, printed)
    pieces = [[]]
    for line in shown:
        if line.strip() == GAP:
            pieces.append([])
        else:
            pieces[-1].append(line)
    if len(pieces) == 1:
        return printed
    made, at = [], 0
    for i, piece in enumerate(pieces):
        count = len(piece)
        if i == len(pieces) - 1:
            place = len(printed) - count
        elif i == 0:
            place = 0
        else:
            place = max(range(at, max(at, len(printed) - count) + 1),
                        key=lambda p: likeness(piece, printed[p:p + count]))
        made += ([GAP] if i else []) + printed[place:place + count]
        at = place + count
    return made


def likeness(one, other):
    return difflib.SequenceMatcher(None, '\n'.join(one), '\n'.join(other)).ratio()


# ---- running


class Runner:
    """A folder, the programs of the build, and a latmc.pc that finds its library."""

    def __init__(self, source, build):
        self.folder = tempfile.mkdtemp()
        self.env = dict(os.environ, LATMC_DEVICE='cpu', LC_ALL='C',
                        PATH=os.path.join(build, 'examples') + ':' + os.environ['PATH'],
                        PKG_CONFIG_PATH=self.folder, LD_LIBRARY_PATH=build)
        self.env.setdefault('OMP_NUM_THREADS', '2')
        with open(os.path.join(self.folder, 'latmc.pc'), 'w', encoding='utf-8') as text:
            text.write(f'Name: latmc\nDescription: of the build\nVersion: 0\n'
                       f'Cflags: -I{source}/include\nLibs: -L{build} -llatmc\n')

    def run(self, shown):
        """What it prints, and how it ended."""
        name = re.search(r'\b\w+\.c\b', shown.command)
        if name and shown.source:
            with open(os.path.join(self.folder, name[0]), 'w', encoding='utf-8') as text:
                text.write(shown.source)
        try:
            done = subprocess.run(shown.command, shell=True, cwd=self.folder, env=self.env,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, timeout=LIMIT, check=False)
        except subprocess.TimeoutExpired:
            return [f'(no end within {LIMIT} s)'], 1
        return done.stdout.splitlines(), done.returncode


# ---- the test


def compare(page, shown, runner):
    printed, status = runner.run(shown)
    good = status == 0 and is_like(page.output(shown), printed)
    say(good, f'{page.name}: {shown.command}',
        '\n'.join([f'exit status {status}'] +
                  list(difflib.unified_diff(page.output(shown), printed, 'shown', 'printed',
                                            lineterm='', n=1))))


def update(page, shown, runner):
    """Writes the output, and its numbers where prose has them."""
    printed, status = runner.run(shown)
    old = page.output(shown)
    say(status == 0, f'{page.name}: {shown.command}', '\n'.join(printed))
    if status or is_like(old, printed):
        return
    new = updated(old, printed)
    pairs = dict(zip(NUMBER.findall('\n'.join(old)), NUMBER.findall('\n'.join(new))))
    for i in page.prose:
        page.lines[i] = NUMBER.sub(lambda n: pairs.get(n[0], n[0]), page.lines[i])
    page.lines[shown.first:shown.last] = new
    with open(page.path, 'w', encoding='utf-8') as text:
        text.write('\n'.join(page.lines) + '\n')
    page.read()


def check_commands(page, entries, programs, compared):
    known = [shown.command for shown in page.shown] + compared
    found = [c for c in page.commands if is_command(c, programs, True)] + \
            [s for s in page.spans if is_command(s, programs, False)]
    missing = [c for c in found if c not in known and not entry_of(entries, page.name, c)]
    if found:
        say(not missing, f'{page.name}: all commands are compared or listed', '\n'.join(missing))
    return [c for c in found if c not in known]


def check_numbers(page, entries):
    blocks = set(NUMBER.findall('\n'.join('\n'.join(page.output(s)) for s in page.shown)))
    prose = set(NUMBER.findall('\n'.join(page.lines[i] for i in page.prose)))
    unsaid = [n for n in sorted(prose - blocks) if not entry_of(entries, page.name, n)]
    if prose:
        say(not unsaid, f'{page.name}: numbers of the prose are in its blocks or listed',
            '\n'.join(unsaid))


def check_page(page, runner, options, entries):
    for i in range(len(page.shown)):
        shown = page.shown[i]
        entry = entry_of(entries, page.name, shown.command)
        slow = entry is not None and entry.kind == 'slow'
        if slow and not options.slow or options.only_slow and not slow:
            continue
        if 'pkg-config' in shown.command and not shutil.which('pkg-config'):
            print(f'skipped - {page.name}: {shown.command}: pkg-config is missing')
        else:
            (update if options.update else compare)(page, shown, runner)


def check_runs(pages, entries, runner, others):
    """What is listed as running, and shown nowhere, ends well."""
    for page, commands in zip(pages, others):
        for command in dict.fromkeys(commands):
            entry = entry_of(entries, page.name, command)
            if entry and entry.kind == 'runs':
                printed, status = runner.run(Shown(command, 0, 0, ''))
                say(status == 0, f'{page.name}: runs {command}', '\n'.join(printed))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--slow', action='store_true')
    parser.add_argument('--only-slow', action='store_true')
    parser.add_argument('--update', action='store_true')
    parser.add_argument('--lists', help='folder of commands.txt and numbers.txt')
    parser.add_argument('source')
    parser.add_argument('build')
    parser.add_argument('page', nargs='*')
    options = parser.parse_args()
    options.slow |= options.only_slow
    source, build = map(os.path.abspath, (options.source, options.build))
    lists = options.lists or os.path.dirname(os.path.abspath(__file__))
    entries = read_list(os.path.join(lists, 'commands.txt'))
    numbers = read_list(os.path.join(lists, 'numbers.txt'))
    programs = programs_in(os.path.join(build, 'examples'))
    paths = [os.path.join(source, 'README.md')]
    paths += sorted(glob.glob(os.path.join(source, 'doc/*.md')))
    pages = [Page(p, os.path.relpath(os.path.abspath(p), source)) for p in options.page or paths]
    runner = Runner(source, build)
    try:
        for page in pages:
            check_page(page, runner, options, entries)
        if not options.update and not options.only_slow:
            compared = [shown.command for page in pages for shown in page.shown]
            others = [check_commands(page, entries, programs, compared) for page in pages]
            check_runs(pages, entries, runner, others)
            for page in pages:
                check_numbers(page, numbers)
            unused = [f'{e.page} | {e.pattern}' for e in entries + numbers if not e.used]
            if options.lists or not options.page:
                say(not unused, 'the lists have nothing that the pages lack', '\n'.join(unused))
            say(bool(compared), 'there are commands whose output is shown')
    finally:
        shutil.rmtree(runner.folder)
    return 1 if failures else 0


if __name__ == '__main__':
    raise SystemExit(main())
