#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The manual page of a program, made of its --help: man.py PROGRAM VERSION

The page is the same on every machine: the devices that --help lists are those of one, and are left
out.
"""
import os
import re
import subprocess
import sys

FLAG_WIDTH = 28  # columns before the text of a flag


def escaped(text):
    text = text.replace('\\', '\\e').replace('-', '\\-').replace('^', '\\(ha').replace('~', '\\(ti')
    return '\\&' + text if text[:1] in ('.', "'") else text


def joined(lines):
    return escaped(' '.join(line.strip() for line in lines))


def paragraphs(text):
    """Lines between two empty ones."""
    return [part.split('\n') for part in re.split(r'\n\n+', text.strip('\n'))]


def flags(lines):
    page = []
    for line in lines:
        head, tail = line[:FLAG_WIDTH].strip(), line[FLAG_WIDTH:]
        if line.startswith('  -'):
            # A flag that is longer than its column reaches to two blanks.
            head, tail = re.match(r'  (.*?)(?:  +(.*))?$', line).groups(default='')
            page += ['.TP', '.B ' + escaped(head)]
            head = ''
        page.append(escaped((head + tail).strip()))
    return [line for line in page if line]


def page_of(program, version, text):
    usage, about = text.split('\n\n', 1)
    usage, *about_lines = usage.split('\n')
    parts = paragraphs(about)
    summary = about_lines[0].rstrip('.')
    page = [f'.TH "{program.upper()}" "1" "" "latmc {version}" "User Commands"',
            '.SH NAME', f'{escaped(program)} \\- {escaped(summary)}',
            '.SH SYNOPSIS', '.B ' + escaped(program), '[\\fIflags\\fR]',
            '.SH DESCRIPTION', joined(about_lines)]
    options, rest = parts[0], parts[1:]
    models = [p for p in rest if p[0].startswith('model ')]
    devices = [p for p in rest if p[0].startswith('devices ')]
    status = []
    for part in rest:
        if part in models or part in devices:
            continue
        at = next((i for i, line in enumerate(part) if line.startswith('Exit status:')), len(part))
        status = part[at:] or status
        page += ['.PP', joined(part[:at])]
    page += ['.SH OPTIONS'] + flags(options)
    if devices:
        page += ['.PP', 'The program lists the devices of the machine with', '.BR \\-\\-help .']
    if models:
        page += ['.SH MODELS']
    for part in models:
        page += ['.PP', '.nf'] + [escaped(line) for line in part] + ['.fi']
    page += ['.SH "EXIT STATUS"', joined(status).replace('Exit status: ', '')]
    return '\n'.join(page) + '\n'


def main():
    path, version = sys.argv[1:]
    text = subprocess.run([path, '--help'], check=True, capture_output=True, text=True).stdout
    sys.stdout.write(page_of(os.path.basename(path), version, text))


if __name__ == '__main__':
    main()
