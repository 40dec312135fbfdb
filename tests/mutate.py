#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Play planted bugs: mutate.py SOURCE BUILD [OPTION...]

SOURCE is a copy that is configured in BUILD, a folder inside it. Each job works in a copy of both:
it changes one place, compiles what depends on it, runs the tests that the plant names until one
fails, and puts the copy back. tests/mutate.sh makes the build and calls this.
"""
import argparse
import concurrent.futures
import contextlib
import hashlib
import json
import os
import pathlib
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import plants

# What --pick chooses from: programs that take seconds. Those that take longest have a priority.
QUICK = {'latmc:unit', 'latmc:exact'}
CAUGHT = 'caught', 'caught by the limit of time'
OUTCOMES = *CAUGHT, 'not caught', 'does not compile', 'fails without a plant', \
    'too slow without a plant'


def options():
    o = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    o.add_argument('source', type=pathlib.Path)
    o.add_argument('build', type=pathlib.Path)
    o.add_argument('--list', default='tests/mutations.txt', help='the plants')
    o.add_argument('--named', default='', metavar='REGEX', help='only plants whose names match')
    o.add_argument('--in', dest='file', default='', metavar='REGEX',
                   help='only plants whose file matches')
    o.add_argument('--pick', type=int, metavar='N', help='only N of them with quick tests, chosen by the seed')
    o.add_argument('--seed', default='', help='such as the commit')
    o.add_argument('--tests', help='these tests, for all plants: "NAME; NAME"')
    o.add_argument('--jobs', type=int, default=1, help='plants that are played at a time')
    o.add_argument('--turns', type=int, metavar='N',
                   help='tests that run at a time, such as one for each GPU (as many as jobs)')
    o.add_argument('--limit', type=float, default=300, metavar='SECONDS', help='of one test')
    o.add_argument('--until', type=float, metavar='SECONDS', help='begin no plant later than that')
    o.add_argument('--table', type=pathlib.Path,
                   help='results are appended: plant, outcome, test, seconds')
    return o.parse_args()


def picked(chosen, count, seed):
    """The first `count` in an order that hangs on the seed."""
    return sorted(chosen, key=lambda p: hashlib.sha256((seed + p.name).encode()).digest())[:count]


class Tests:
    """The build's tests, by Meson's names for them."""

    def __init__(self, build):
        def info(name):
            return json.loads((build / f'meson-info/intro-{name}.json').read_text())
        outputs = {t['id']: t['filename'] for t in info('targets')}
        self.tests = {t['name']: t for t in info('tests')}
        self.outputs = {name: [os.path.relpath(f, build) for d in test['depends'] for f in outputs[d]]
                        for name, test in self.tests.items()}

    @staticmethod
    def split(test):
        """A plant's test is a name, and more arguments if need be: known --model potts; behind -- those
        without dashes: kernels -- 5000 alone."""
        name, *more = test.split(' --', 1)
        return name, [a for a in ('--' + more[0]).split() if a != '--'] if more else []

    def unknown(self, tests):
        return [t for t in tests if self.split(t)[0] not in self.tests]

    def quick(self, tests):
        """Whether one test that takes seconds is known to catch it."""
        return len(tests) == 1 and not self.unknown(tests) and all(
            QUICK & set(self.tests[self.split(t)[0]]['suite']) and
            self.tests[self.split(t)[0]]['priority'] <= 0 for t in tests)

    def targets(self, tests):
        """What Ninja makes for them; nothing, which is all, for scripts that run the programs."""
        if any('latmc:package' in self.tests[self.split(t)[0]]['suite'] for t in tests):
            return []
        return sorted({o for t in tests for o in self.outputs[self.split(t)[0]]})

    def command(self, test):
        name, more = self.split(test)
        return self.tests[name]['cmd'] + more, self.tests[name]['env']


def run(command, limit, **how):
    """Its exit status, None if the limit of time is over; nothing of it is left running."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, start_new_session=True, **how) as child:
        try:
            return child.wait(limit)
        except subprocess.TimeoutExpired:
            return None
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)


def compiles(build, targets, at_once):
    return run(['ninja', '-j', str(at_once), '-C', build, *targets], None) == 0


class Copy:
    """A copy of the source and of its build, for one job."""

    def __init__(self, o, tests, folder, turns):
        self.o, self.tests, self.root, self.turns = o, tests, folder, turns
        self.build = folder / o.build.relative_to(o.source)
        shutil.copytree(o.source, folder, symlinks=True)

    def moved(self, argument):
        """An argument with the paths of this copy."""
        return argument.replace(str(self.o.source), str(self.root))

    def first_to_fail(self, tests):
        """A test, and whether the time was over; None if all pass."""
        for test in tests:
            command, env = self.tests.command(test)
            with self.turns:
                status = run([self.moved(a) for a in command], self.o.limit, cwd=self.build,
                             env=os.environ | env)
            # 77 is a test that was skipped.
            if status not in (0, 77):
                return test, status is None
        return None

    def restore(self, file):
        """As before the plant, with the times of files, so that nothing is compiled again."""
        shutil.copy2(self.o.source / file, self.root / file)
        for folder, _, names in os.walk(self.build):
            for copy in (pathlib.Path(folder) / name for name in names):
                original = self.o.build / copy.relative_to(self.build)
                if not original.exists():
                    copy.unlink()
                elif not copy.is_symlink() and \
                        copy.stat().st_mtime_ns != original.stat().st_mtime_ns:
                    copy.unlink()  # what still runs keeps the old file
                    shutil.copy2(original, copy)

    def play(self, tree, plant):
        """(outcome, test)"""
        file, text = tree.planted(plant)
        (self.root / file).write_text(text, encoding='utf-8')
        try:
            if not compiles(self.build, self.tests.targets(plant.tests),
                            max(1, os.cpu_count() // self.o.jobs)):
                return 'does not compile', ''
            failed = self.first_to_fail(plant.tests)
            if not failed:
                return 'not caught', '; '.join(plant.tests)
            return 'caught by the limit of time' if failed[1] else 'caught', failed[0]
        finally:
            self.restore(file)


class Run:
    """All plants, on some copies."""

    def __init__(self, o, tree, tests, folder):
        self.o, self.tree, self.tests, self.begin = o, tree, tests, time.monotonic()
        self.folder, self.copies, self.results = folder, queue.SimpleQueue(), []
        self.asking, self.locks, self.without = threading.Lock(), {}, {}
        self.turns = threading.Semaphore(o.turns or o.jobs)

    def make_copy(self, job):
        self.copies.put(Copy(self.o, self.tests, self.folder / str(job), self.turns))

    def unsound(self, test, copy):
        """The outcome if a test that caught something does not pass without a plant, asked once;
        not with --pick, which a suite plays that has these tests, too."""
        if self.o.pick:
            return ''
        with self.asking:
            asking = self.locks.setdefault(test, threading.Lock())
        with asking:
            if test not in self.without:
                failed = copy.first_to_fail([test])
                self.without[test] = '' if not failed else OUTCOMES[-1 if failed[1] else -2]
        return self.without[test]

    def play(self, plant):
        if self.o.until and time.monotonic() - self.begin > self.o.until:
            return
        copy, begin = self.copies.get(), time.monotonic()
        try:
            outcome, test = copy.play(self.tree, plant)
            if outcome in CAUGHT:
                outcome = self.unsound(test, copy) or outcome
        finally:
            self.copies.put(copy)
        seconds = time.monotonic() - begin
        self.keep(plant.name, outcome, test, f'{seconds:.1f}')
        good = 'ok' if outcome in CAUGHT else 'FAILED'
        print(f'{good} - plant "{plant.name}": {outcome}{": " if test else ""}{test} '
              f'({seconds:.0f} s)', flush=True)

    def keep(self, *result):
        """What was played is in the table even if this run is stopped."""
        self.results.append(result)
        if self.o.table:
            with self.asking, self.o.table.open('a', encoding='utf-8') as table:
                table.write('\t'.join(result) + '\n')

    def all(self, chosen):
        jobs = concurrent.futures.ThreadPoolExecutor(self.o.jobs)
        list(jobs.map(self.make_copy, range(self.o.jobs)))
        list(jobs.map(self.play, chosen))
        return self.say(len(chosen))

    def say(self, count):
        outcomes = [r[1] for r in self.results]
        said = ', '.join(f'{outcomes.count(o)} {o}' for o in OUTCOMES)
        print(f'{len(outcomes)} of {count} plants played: {said}; '
              f'{time.monotonic() - self.begin:.0f} s, {self.o.jobs} at a time')
        return sum(outcomes.count(o) for o in CAUGHT) == len(outcomes) > 0


def chosen_of(o, tree, tests):
    """The plants that were asked for; Unfit if one of them has no place."""
    all_of_them = list(plants.read(o.source / o.list))
    for _, plant in all_of_them:
        if isinstance(plant, plants.Unfit):
            raise plant
    chosen = [p for name, p in all_of_them
              if re.search(o.named, name) and re.search(o.file, str(tree.place(p).file))]
    if o.tests:
        chosen = [p._replace(tests=[t.strip() for t in o.tests.split(';')]) for p in chosen]
    return picked([p for p in chosen if tests.quick(p.tests)], o.pick, o.seed) if o.pick else chosen


def main():
    o = options()
    o.source, o.build = o.source.resolve(), o.build.resolve()
    tree, tests = plants.Tree(o.source), Tests(o.build)
    try:
        chosen = chosen_of(o, tree, tests)
    except plants.Unfit as why:
        print(f'FAILED - {why}')
        return 1
    unknown = tests.unknown({t for p in chosen for t in p.tests})
    if unknown or not chosen:
        print(f'FAILED - {"; ".join(unknown) + ": not in this build" if unknown else "no plant"}')
        return 1
    if not compiles(o.build, tests.targets({t for p in chosen for t in p.tests}), os.cpu_count()):
        print('FAILED - the source does not compile')
        return 1
    with tempfile.TemporaryDirectory(dir=o.source.parent) as folder:
        return 0 if Run(o, tree, tests, pathlib.Path(folder)).all(chosen) else 1


if __name__ == '__main__':
    sys.exit(main())
