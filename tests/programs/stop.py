#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run a program and send it signals: stop.py SIGNAL[,SIGNAL...] PAUSE PATTERN COMMAND...

The first signal is sent when the program has printed a line like PATTERN or, if that is empty, 0.4
seconds after it has begun to look out for SIGTERM; each further one PAUSE seconds after the one
before. The exit status is the program's, as a shell gives it; 99 if it ended before, 98 if it did
not end in two minutes.
"""
import re
import signal
import subprocess
import sys
import threading
import time


def watches(pid):
    with open('/proc/%d/status' % pid, encoding='ascii') as status:
        for line in status:
            if line.startswith('SigCgt:'):
                return int(line.split()[1], 16) >> (signal.SIGTERM - 1) & 1
    return 0


def as_in_a_terminal():
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def echo(process, pattern, seen):
    for line in process.stdout:
        sys.stdout.write(line)
        if pattern and re.search(pattern, line):
            seen.set()


def wait_for(process, pattern, seen):
    end = time.monotonic() + 120
    while time.monotonic() < end and process.poll() is None:
        if seen.is_set():
            return
        if not pattern and watches(process.pid):
            time.sleep(0.4)
            return
        time.sleep(0.02)
    process.kill()
    sys.exit(99)


def main():
    signals, pause, pattern, *command = sys.argv[1:]
    seen = threading.Event()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                          preexec_fn=as_in_a_terminal) as process:
        reader = threading.Thread(target=echo, args=(process, pattern, seen))
        reader.start()
        wait_for(process, pattern, seen)
        for i, name in enumerate(signals.split(',')):
            if i:
                time.sleep(float(pause))
            process.send_signal(getattr(signal, name))
        try:
            status = process.wait(120)
        except subprocess.TimeoutExpired:
            process.kill()
            status = 98
        reader.join()
    sys.exit(status if status >= 0 else 128 - status)


main()
