#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Make the interface of these sources the reference: tests/abi/update.sh. Read doc/abi.md first.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$source/include" "$source/lib" "$source/backends" "$work"
"$here/build.sh" "$work" "$work/liblatmc.so"
"$here/dump.sh" "$work/liblatmc.so" "$work/include/latmc" "$here/latmc.abi"
echo "tests/abi/latmc.abi now describes these sources; look at the difference before you commit it"
