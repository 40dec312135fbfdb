#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The closing line counts what ran, and lines of code are counted without comments: counting.sh SOURCE
. "$1/tests/check.sh"
count=$1/tests/count.py
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# counts WANTED RESULT OUTPUT...: one test that ended so and printed these lines.
counts() {
    wanted=$1 result=$2
    shift 2
    printf '%s\n' "$@" | python3 -c "import json, sys
print(json.dumps({'name': 't', 'result': '$result', 'stdout': sys.stdin.read()}))" >"$work/log"
    [ "$(python3 "$count" "$work/log")" = "$wanted" ]
}
check "cmocka's tests" counts "5 passed, 1 failed, 2 skipped" FAIL \
    '[==========] Running 8 test(s).' '[       OK ] a' \
    '[==========] 8 test(s) run.' '[  PASSED  ] 5 test(s).' \
    '[  SKIPPED ] 2 test(s), listed below:' '[  SKIPPED ] b' \
    '[  FAILED  ] 1 test(s), listed below:' '[  FAILED  ] c'
check "two groups of one program" counts "5 passed, 0 failed, 0 skipped" OK \
    '[  PASSED  ] 2 test(s).' '[  PASSED  ] 3 test(s).'
check "a script's checks" counts "2 passed, 1 failed, 1 skipped" FAIL \
    'ok - a' 'FAILED - b' '    of b' 'skipped - c' 'ok - d'
check "a run within a run" counts "7 passed, 0 failed, 2 skipped" OK 'ok - builds' \
    'total: 6 passed, 0 failed, 2 skipped'
check "a silent success" counts "1 passed, 0 failed, 0 skipped" OK ''
check "a silent failure" counts "0 passed, 1 failed, 0 skipped" FAIL ''
check "a crash after some successes" counts "2 passed, 1 failed, 0 skipped" FAIL 'ok - a' 'ok - b'
check "a timeout" counts "0 passed, 1 failed, 0 skipped" TIMEOUT ''
check "what did not run" counts "0 passed, 0 failed, 1 skipped" SKIP ''

printf '' >"$work/log"
refuse "nothing at all is no success" python3 "$count" "$work/log"

# Seven lines of code in two rooms.
mkdir -p "$work/lib/base" "$work/backends/cuda"
cat >"$work/lib/base/a.c" <<'EOF2'
/* A comment
 * of two lines. */
int a; /* behind code */

const char *b = "/* no comment", c = '"'; // one
/* before */ int d; /* and one that
 ends */ int e;
EOF2
printf '\n// alone\nint f;\n#if 1\n#endif\n' >"$work/backends/cuda/b.cu"
lines() {
    python3 "$1/tests/package/lines.py" "$work" | awk '{ print $1, $3, $5 }' | tr '\n' ';'
}
check "lines of code" test "$(lines "$1")" = "3 1 backends/cuda;4 1 lib/base;7 2 in;"
finish
