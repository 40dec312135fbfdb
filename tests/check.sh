# SPDX-License-Identifier: BSD-3-Clause
# Sourced by the test scripts: one line per check, and an exit status that Meson understands.
# tests/count.py counts these lines.
set -u
checks_failed=0
checks_passed=0

pass() {
    checks_passed=$((checks_passed + 1))
    echo "ok - $1"
}

fail() {
    checks_failed=$((checks_failed + 1))
    echo "FAILED - $1"
}

skip() {
    echo "skipped - $1"
}

# skip_gpu NAME: there is no GPU; it fails if LATMC_TEST_GPUS promises one (tests/promise.h).
skip_gpu() {
    if [ "${LATMC_TEST_GPUS:-0}" -gt 0 ]; then
        fail "$1: LATMC_TEST_GPUS promises a GPU, but it cannot be used"
    else
        skip "$1"
    fi
}

# check NAME COMMAND...: the command's output is shown only when it fails.
check() {
    check_name=$1
    shift
    if check_output=$("$@" 2>&1); then
        pass "$check_name"
    else
        fail "$check_name"
        printf '%s\n' "$check_output" | sed 's/^/    /'
    fi
}

# refuse NAME COMMAND...: the command must fail.
refuse() {
    check_name=$1
    shift
    if check_output=$("$@" 2>&1); then
        fail "$check_name"
        printf '%s\n' "$check_output" | sed 's/^/    /'
    else
        pass "$check_name"
    fi
}

have() {
    command -v "$1" >/dev/null 2>&1
}

# Ends the script: 1 if a check failed, 77 (skipped) if none ran, otherwise 0.
finish() {
    if [ "$checks_failed" -gt 0 ]; then
        exit 1
    elif [ "$checks_passed" -eq 0 ]; then
        exit 77
    fi
    exit 0
}
