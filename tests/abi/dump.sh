#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The binary interface of a library as text: dump.sh LIBRARY HEADER_DIR OUTPUT
# Only what the public headers declare, and nothing that depends on where or with which
# backends it was built.
set -eu
abidw --headers-dir "$2" --drop-private-types --no-corpus-path --no-comp-dir-path --no-elf-needed \
    --no-show-locs --exported-interfaces-only --type-id-style hash --out-file "$3" "$1"
