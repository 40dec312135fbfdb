#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Count what the tests of a Meson build really ran: count.py testlog.json...

A test program counts as many times as it says itself: by the closing lines of cmocka, by the
"ok - ", "FAILED - " and "skipped - " lines of the scripts, and by the closing line of a nested
run. One that says nothing counts once, by its exit status; one that failed counts at least one
failure, whatever it said before it died.
"""
import json
import re
import sys

PATTERNS = {
    'passed': [r'^\[  PASSED  \] (?:\S+: )?(\d+) test', r'^(ok) - '],
    'failed': [r'^\[  FAILED  \] (?:\S+: )?(\d+) test', r'^(FAILED) - '],
    'skipped': [r'^\[  SKIPPED \] (?:\S+: )?(\d+) test', r'^(skipped) - '],
}
NESTED = re.compile(r'^total: (\d+) passed, (\d+) failed, (\d+) skipped$', re.MULTILINE)


def counted(text):
    counts = {}
    for kind, patterns in PATTERNS.items():
        found = [f for p in patterns for f in re.findall(p, text, re.MULTILINE)]
        counts[kind] = sum(int(f) if f.isdigit() else 1 for f in found)
    for nested in NESTED.findall(text):
        for kind, number in zip(PATTERNS, nested):
            counts[kind] += int(number)
    return counts


def main():
    total = dict.fromkeys(PATTERNS, 0)
    for path in sys.argv[1:]:
        with open(path, encoding='utf-8') as log:
            for line in log:
                test = json.loads(line)
                counts = counted('\n'.join([test.get('stdout') or '', test.get('stderr') or '']))
                result = test['result']
                if result == 'SKIP' and not any(counts.values()):
                    counts['skipped'] = 1
                elif result in ('OK', 'EXPECTEDFAIL') and not any(counts.values()):
                    counts['passed'] = 1
                elif result not in ('OK', 'EXPECTEDFAIL', 'SKIP') and counts['failed'] == 0:
                    counts['failed'] = 1
                for kind, number in counts.items():
                    total[kind] += number
    print('{passed} passed, {failed} failed, {skipped} skipped'.format(**total))
    return 1 if total['failed'] or not total['passed'] else 0


if __name__ == '__main__':
    sys.exit(main())
