#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What is installed beside the library: programs and their manual pages, the module for MPI, pages.
# installed.sh SOURCE BUILD PREFIX LIBDIR BINDIR DATADIR MANDIR programs|none MPICC|none
. "$1/tests/check.sh"
source=$1 build=$2 programs=$8 mpicc=$9
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
MESON=${MESON:-meson}

check "installs" env DESTDIR="$work/stage" "$MESON" install -C "$build" --no-rebuild --quiet
[ "$checks_failed" -eq 0 ] || finish

# Where a folder lies, which may be absolute or in the prefix.
lies() {
    case $2 in
    /*) echo "$work/stage$2" ;;
    *) echo "$work/stage$1/$2" ;;
    esac
}
lib=$(lies "$3" "$4") bin=$(lies "$3" "$5") doc=$(lies "$3" "$6")/doc/latmc man=$(lies "$3" "$7")/man1

# --- pages

for page in LICENSE README.md CHANGELOG.md; do
    check "$page is installed" cmp "$source/$page" "$doc/$page"
done
all_pages() {
    for page in "$source"/doc/*.md; do
        cmp "$page" "$doc/doc/${page##*/}" || return 1
    done
}
check "so are all pages of doc/" all_pages
check "and nothing that makes them" [ ! -e "$doc/doc/meson.build" ]
# Links to the headers hold in the source alone.
links_hold() {
    for page in "$doc"/*.md "$doc"/doc/*.md; do
        # shellcheck disable=SC2013
        for link in $(sed 's/](/\n](/g' "$page" | sed -n 's/^](\([^)#]*\).*/\1/p'); do
            case $link in
            *://* | include/*) ;;
            *) [ -e "${page%/*}/$link" ] || { echo "${page##*/}: $link"; return 1; } ;;
            esac
        done
    done
}
check "links between them hold" links_hold
cp "$doc/README.md" "$work/readme"
echo '[a page](doc/nosuch.md)' >>"$doc/README.md"
refuse "a link that leads nowhere is seen" links_hold
cp "$work/readme" "$doc/README.md"

# --- programs

[ "$programs" = programs ] || finish

named() {
    for program in "$bin"/*; do
        case ${program##*/} in
        latmc-*) ;;
        *) echo "$program"; return 1 ;;
        esac
    done
}
check "all programs begin with latmc-" named
# has_page PROGRAM: with all flags of its --help, and nothing that groff warns of.
has_page() {
    page=$man/${1##*/}.1
    LD_LIBRARY_PATH="$lib" "$1" --help >"$work/help" || return 1
    flags=$(sed -n 's/^  \(--[a-z0-9-]*\) .*/\1/p' "$work/help")
    [ -n "$flags" ] || { echo "no flags"; return 1; }
    sed 's/\\-/-/g' "$page" >"$work/page" || return 1
    for flag in $flags; do
        grep -q "^\.B $flag\( \|\$\)" "$work/page" || { echo "no $flag"; return 1; }
    done
    ! grep -i 'cannot be used' "$work/page" || return 1
    if have groff; then
        said=$(groff -man -Tutf8 -ww "$page" 2>&1 >/dev/null)
        [ -z "$said" ] || { echo "$said"; return 1; }
    fi
}
if [ -d "$man" ]; then
    for program in "$bin"/*; do
        check "${program##*/} has a manual page" has_page "$program"
    done
else
    skip "there are no manual pages where programs of the build cannot run"
fi

# --- MPI

needs_mpi() {
    readelf -d "$@" | grep 'NEEDED.*\[lib\(mp\|latmc_mpi\)'
}
check "readelf reads the programs" sh -c "readelf -d '$bin'/* | grep -q 'NEEDED.*liblatmc'"
refuse "no program needs MPI" needs_mpi "$bin"/*

# run COMMAND...: with the library of the tree that was moved.
mv "$work/stage" "$work/moved"
lib=$work/moved${lib#"$work/stage"} bin=$work/moved${bin#"$work/stage"}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe LD_LIBRARY_PATH="$lib" OMP_NUM_THREADS=1
small="--extents 16x16 --sweeps 10 --device cpu --threads 1"
# says STATUS TIMES PATTERN COMMAND...: so many lines like that.
says() {
    wanted=$1 times=$2 pattern=$3 got=0
    shift 3
    timeout 100 "$@" >"$work/out" 2>&1 </dev/null || got=$?
    [ "$got" -eq "$wanted" ] && [ "$(grep -c -- "$pattern" "$work/out")" -eq "$times" ] ||
        { echo "status $got"; cat "$work/out"; return 1; }
}
simulate=$bin/latmc-simulate
# shellcheck disable=SC2086
if [ "$mpicc" != none ]; then
    check "the module finds liblatmc_mpi beside its folder" \
        sh -c "env -u LD_LIBRARY_PATH ldd '$lib/latmc/latmc-ranks.so' | grep 'liblatmc_mpi.*=> $lib'"
    check "the module does" needs_mpi "$lib/latmc/latmc-ranks.so"
    mpirun=$(echo "$mpicc" | sed 's/mpicc\([^/]*\)$/mpirun\1/')
    if have "$mpirun"; then
        check "in a tree that was moved --mpi finds it" \
            says 0 1 state_hash "$mpirun" -n 2 "$simulate" --mpi $small
        check "without --mpi all simulate, and one says so" \
            says 0 1 'mpirun has started 2 processes' "$mpirun" -n 2 "$simulate" $small
        check "programs without --mpi say so, too" says 0 1 'this program has no --mpi' \
            "$mpirun" -n 2 "$bin/latmc-life" --pattern glider --generations 1 --device cpu
        check "which is no matter where there is one" \
            says 0 0 'mpirun has started' "$mpirun" -n 1 "$simulate" $small
    else
        skip "there is no $mpirun"
    fi
    check "LATMC_RANKS names another" says 2 1 'undefined symbol: latmc_ranks_module' \
        env LATMC_RANKS="$lib/liblatmc.so" "$simulate" --mpi $small
    printf '%s\n' '#include <latmc/latmc.h>' 'typedef struct { const char *version; } table;' \
        'LATMC_API extern const table latmc_ranks_module;' \
        'const table latmc_ranks_module = {"0.0.1"};' >"$work/old.c"
    check "a module of another version" ${CC:-cc} -I"$source/include" -shared -fPIC -o "$work/old.so" "$work/old.c"
    check "is refused" says 2 1 'old.so" is of version 0.0.1, and this program of version' \
        env LATMC_RANKS="$work/old.so" "$simulate" --mpi $small
    mv "$lib/latmc/latmc-ranks.so" "$work/gone.so"
fi
# shellcheck disable=SC2086
for program in latmc-simulate latmc-bench; do
    check "$program: without the module --mpi is refused, and says where it looked" \
        says 2 1 "^$program: --mpi: there is no .*/latmc/latmc-ranks.so\" or \"$3/.*/latmc-ranks.so\"" \
        "$bin/$program" --mpi $small
done
finish
