#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Make a built library the reference: tests/abi/update.sh [BUILD]. Read doc/abi.md first.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
build=${1:-$source/build}
"$here/dump.sh" "$build/liblatmc.so" "$source/include/latmc" "$here/latmc.abi"
echo "tests/abi/latmc.abi now describes $build/liblatmc.so; look at the difference before you commit it"
