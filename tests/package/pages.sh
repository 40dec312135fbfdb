#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Doxygen reads the public headers without a warning: pages.sh SOURCE
. "$1/tests/check.sh"
source=$1
have doxygen || { skip "doxygen is missing"; finish; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

pages_of() {
    sed -e "s|@include@|$1|" -e "s|@output@|$work|" -e 's|@version@|test|' \
        -e "s|@filter@|$source/doc/header.awk|" "$source/doc/Doxyfile.in" >"$work/Doxyfile"
    doxygen "$work/Doxyfile"
}
check "the headers have pages without a warning" pages_of "$source/include"
check "the pages describe the functions" grep -rq 'latmc_jackknife' "$work/html"

mkdir "$work/planted"
cp -r "$source/include/latmc" "$work/planted"
sed -i 's|^/\* -* running \*/|LATMC_API int latmc_planted(void);\n&|' "$work/planted/latmc/latmc.h"
pages_of "$work/planted" >"$work/log" 2>&1
check "an undocumented function is found" grep -q 'latmc_planted.*not documented' "$work/log"
finish
