#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Dependencies point one way: include <- lib <- backends, and the backends do not know each other.
# dependencies.sh SOURCE
. "$1/tests/check.sh"
cd "$1" || exit 1

# nothing_else PATTERN FILE...: every #include in the files matches the pattern.
nothing_else() {
    pattern=$1
    shift
    [ "$#" -gt 0 ] && [ -e "$1" ] || { echo "no files to look at"; return 1; }
    ! grep -HnE '^[[:space:]]*#[[:space:]]*include' "$@" | grep -vE "include[[:space:]]*($pattern)"
}

# sources FOLDER: what is compiled there, in its subfolders too.
sources() {
    find "$1" -type f \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.cpp' \) | sort
}

libc='<(assert|ctype|dirent|errno|fcntl|fenv|float|inttypes|limits|locale|math|signal|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|stdnoreturn|string|time|unistd|getopt|pthread|sched|libgen|dlfcn|sys/[a-z]+)\.h>'
cpp='<[a-z_]+>'
simd='<(immintrin|arm_neon|cpuid)\.h>'
public='<latmc/latmc\.h>'
lib='"lib/[a-z0-9_/]+\.h"'
shared='"backends/[a-z0-9_]+\.h"'
physics='<(stdint|stddef|math|string)\.h>|"lib/physics/[a-z0-9_/]+\.h"'

# Names of files have no spaces, and these lists are several words on purpose.
# shellcheck disable=SC2046
include_stands_alone() {
    nothing_else '<std(def|int)\.h>|"(latmc|status|models|devices|measure|sites|disorder|schedule|save|ranks|analysis|random)\.h"' \
        $(sources include | grep -v '/mpi\.h$') &&
        nothing_else '<mpi\.h>|"latmc\.h"' include/latmc/mpi.h
}
# A library of its own.
# shellcheck disable=SC2046
mpi_knows_the_header() {
    nothing_else "$libc|<mpi\.h>|$public|<latmc/mpi\.h>|\"lib/mpi/[a-z0-9_]+\.h\"" $(sources lib/mpi)
}
nobody_knows_mpi() {
    # shellcheck disable=SC2046
    ! grep -nE 'include.*[</"]mpi(/.*)?\.h[>"]|include.*lib/mpi/' \
        $(sources include | grep -v '/mpi\.h$') $(sources lib | grep -v '^lib/mpi/') $(sources backends)
}
# shellcheck disable=SC2046
lib_knows_the_table_alone() {
    nothing_else "$libc|$public|<xxhash\.h>|$lib|\"backends/backend\.h\"" \
        $(sources lib | grep -vE '^lib/(physics|mpi)/')
}
# The rooms below devices know what a plan holds, and no operation of a plan.
# shellcheck disable=SC2046
low_floors_know_no_table() {
    ! grep -HnE 'include.*"backends/' $(for room in $(floors | sed '/^devices$/,$d'); do sources "lib/$room"; done)
}
# shellcheck disable=SC2046
physics_knows_itself() {
    nothing_else "$physics" $(sources lib/physics)
}
# shellcheck disable=SC2046
physics_has_no_lane() {
    ! grep -nE '_mm(256|512)?_|vld1q|__shfl|threadIdx|#[[:space:]]*pragma[[:space:]]+omp' \
        $(sources lib/physics)
}
# floors: the rooms of lib/ that stand on each other, lowest first.
floors() {
    grep -v '^#' tests/package/floors.txt
}
# A room knows itself, those below it and lib/physics; no header lies outside the rooms.
lower_floors_know_no_higher() {
    below=physics wrong=
    for room in $(floors); do
        below="$below|$room"
        # shellcheck disable=SC2046
        ! grep -HnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"lib/' $(sources "lib/$room") |
            grep -vE "include[[:space:]]*\"lib/($below)/" || wrong=yes
    done
    [ -z "$wrong" ]
}
rooms_are_floors() {
    [ "$( (floors && printf 'mpi\nphysics\n') | sort)" = "$(find lib -mindepth 1 -maxdepth 1 -type d | sed 's|lib/||' | sort)" ]
}
# list.c is the one place where they meet.
# shellcheck disable=SC2046
shared_knows_no_backend() {
    nothing_else "$libc|$public|$lib|$shared" \
        $(sources backends | grep -E '^backends/[^/]*$' | grep -v '/list\.c$')
}
list_knows_their_tables() {
    nothing_else '<stddef\.h>|"backends/(cpu/cpu|cuda/cuda)\.h"' backends/list.c
}
# shellcheck disable=SC2046
cpu_knows_no_other() {
    nothing_else "$libc|$simd|<(omp|linux/futex)\.h>|$public|$lib|$shared|\"backends/cpu/[a-z0-9_/]+\.h\"|LM_[A-Z_]+" \
        $(sources backends/cpu)
}
# shellcheck disable=SC2046
cuda_knows_no_other() {
    nothing_else "$libc|<cuda[a-z_]*\.h>|<cooperative_groups[a-z_/]*\.h>|$public|$lib|$shared|\"backends/cuda/[a-z0-9_/]+\.cuh?\"|\"backends/cuda/[a-z0-9_/]+\.h\"|LM_[A-Z_]+" \
        $(sources backends/cuda)
}
# A family's room knows neither the other family's nor do the rooms that both use know either.
# shellcheck disable=SC2046
families_know_no_other() {
    ! grep -HnE 'include.*/field/' $(sources backends | grep -v '/field/') &&
        ! grep -HnE 'include.*/bits/' $(sources backends | grep -v '/bits/')
}
# shellcheck disable=SC2046
examples_know_the_header() {
    nothing_else "$libc|$cpp|<png\.h>|<mpi\.h>|$public|<latmc/mpi\.h>|\"[a-z0-9_]+\.h\"" $(sources examples)
}

# What a model is compared with is made without the library, but for its interface; and what the
# suite knows of a model is in the model's headers.
# shellcheck disable=SC2046
second_implementations_stand_alone() {
    nothing_else "$libc|<cmocka\.h>|$public|\"tests/support\.h\"|\"tests/models/[a-z0-9_]+\.h\"" \
        $(sources tests/models | grep -E '(naive|plain)[a-z0-9_]*\.h$') \
        $(sed -n 's|^#include "\(tests/models/[a-z0-9_]*\.h\)"|\1|p' tests/models/models.c) \
        tests/models/models.c tests/models/model.h
}

# A file that no list names would be neither built nor tested. Its folder's meson.build does, or
# one above. Files of a field model are named there by their model alone.
named() {
    unnamed=
    for file in "$@"; do
        folder=${file%/*} found=
        while [ -z "$found" ] && [ -n "$folder" ]; do
            path=${file#"$folder"/}
            case $path in
            cpu/field/* | cuda/field/*) model="|  '$(basename "${path%.*}")': {" ;;
            cpu/bits/* | cuda/bits/*)
                model=$(basename "${path%.*}")
                model="|'${model%_lane}'"
                ;;
            *) model= ;;
            esac
            [ -f "$folder/meson.build" ] &&
                grep -qE "'${path%.*}(\.[a-z]+)?'$model" "$folder/meson.build" && found=yes
            case $folder in
            */*) folder=${folder%/*} ;;
            *) folder= ;;
            esac
        done
        [ -n "$found" ] || unnamed="$unnamed $file"
    done
    [ -z "$unnamed" ] || { echo "in no list:$unnamed"; return 1; }
}
# shellcheck disable=SC2046
sources_are_named() {
    named $(sources lib | grep '\.c$') $(sources backends | grep '\.cu\{0,1\}$')
}
# shellcheck disable=SC2046
programs_are_named() {
    named $(sources examples | grep '\.c') $(sources tests | grep '\.c$')
}

check "include/ stands alone" include_stands_alone
check "lib/mpi uses the public headers alone" mpi_knows_the_header
check "nothing else knows of MPI" nobody_knows_mpi
check "lib/ knows of devices only the table" lib_knows_the_table_alone
check "rooms of lib/ use lower floors alone" lower_floors_know_no_higher
check "each room of lib/ has its floor" rooms_are_floors
check "rooms below lib/devices know no backend" low_floors_know_no_table
check "lib/physics knows itself alone" physics_knows_itself
check "lib/physics has no lane's words of its own" physics_has_no_lane
check "backends/ shared by all know none of them" shared_knows_no_backend
check "backends/list.c knows their tables alone" list_knows_their_tables
check "backends/cpu knows no other backend" cpu_knows_no_other
check "backends/cuda knows no other backend" cuda_knows_no_other
check "backends/*/bits and backends/*/field know nothing of each other" families_know_no_other
check "examples use the public header alone" examples_know_the_header
check "second implementations use nothing of the library" second_implementations_stand_alone
check "meson.build names the library's sources" sources_are_named
check "meson.build names the programs' and tests' sources" programs_are_named

# A check that compares nothing is green, too: for each rule a break is planted in a copy, in a file
# that is there, and in one of a new subfolder.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r include lib backends examples tests "$work"

in_copy() {
    (cd "$work" && "$1")
}
# seen RULE FILE LINE...: the rule, which the copy obeys, is broken by this line in that file.
seen() {
    rule=$1 file=$work/$2
    [ -e "$file" ] && kept=yes || kept=
    mkdir -p "${file%/*}"
    [ -z "$kept" ] || cp "$file" "$work/kept"
    printf '%s\n' "$3" >>"$file"
    refuse "seen in $2: $3" in_copy "$rule"
    if [ -n "$kept" ]; then cp "$work/kept" "$file"; else rm "$file"; fi
}
for rule in include_stands_alone mpi_knows_the_header nobody_knows_mpi lib_knows_the_table_alone lower_floors_know_no_higher \
    low_floors_know_no_table rooms_are_floors physics_knows_itself physics_has_no_lane shared_knows_no_backend list_knows_their_tables cpu_knows_no_other \
    cuda_knows_no_other families_know_no_other examples_know_the_header \
    second_implementations_stand_alone sources_are_named programs_are_named; do
    check "the copy obeys: $rule" in_copy "$rule"
done
seen include_stands_alone include/latmc/latmc.h '#include <stdio.h>'
seen include_stands_alone include/latmc/analysis.h '#include <math.h>'
seen include_stands_alone include/latmc/extra/new.h '#include "lib/base/status.h"'
seen include_stands_alone include/latmc/ranks.h '#include <mpi.h>'
seen include_stands_alone include/latmc/mpi.h '#include <stdio.h>'
seen mpi_knows_the_header lib/mpi/comm.c '#include "lib/base/ranks.h"'
seen mpi_knows_the_header lib/mpi/new.h '#include "backends/backend.h"'
seen nobody_knows_mpi lib/lattice/home.c '#include <latmc/mpi.h>'
seen nobody_knows_mpi lib/new.h '#include "lib/mpi/comm.h"'
seen nobody_knows_mpi include/latmc/latmc.h '#include "mpi.h"'
seen nobody_knows_mpi backends/cpu/new.h '#include <mpi.h>'
seen lib_knows_the_table_alone lib/lattice/home.c '#include "backends/cpu/cpu.h"'
seen lib_knows_the_table_alone lib/lattice/lattice.h '#  include "backends/ising_rules.h"'
seen lib_knows_the_table_alone lib/models/new.c '#include <cuda_runtime.h>'
seen lower_floors_know_no_higher lib/base/status.h '#include "lib/geometry/tiles.h"'
seen lower_floors_know_no_higher lib/divide/slabs.c '#include "lib/lattice/lattice.h"'
seen lower_floors_know_no_higher lib/lattice/new.c '#  include "lib/sweep/course.h"'
seen lower_floors_know_no_higher lib/save/deep/new.h '#include "lib/measure/reading.h"'
seen lower_floors_know_no_higher lib/sweep/sweep.c '#include "lib/analysis/blocks.h"'
seen lower_floors_know_no_higher lib/lattice/need.h '#include "lib/mpi/comm.h"'
seen low_floors_know_no_table lib/geometry/tiles.h '#include "backends/backend.h"'
seen low_floors_know_no_table lib/models/new.c '#include "backends/schedule.h"'
seen rooms_are_floors lib/attic/new.h '#include "lib/base/status.h"'
seen physics_knows_itself lib/physics/ising_words.h '#include "lib/lattice/lattice.h"'
seen physics_knows_itself lib/physics/philox.h '#include "backends/cpu/lane_scalar.h"'
seen physics_knows_itself lib/physics/models/new.h '#include <stdio.h>'
seen physics_has_no_lane lib/physics/ising_words.h 'static __m256i f(__m256i a) { return _mm256_abs_epi32(a); }'
seen physics_has_no_lane lib/physics/models/new.h '#pragma omp parallel'
seen shared_knows_no_backend backends/ising_rules.c '#include "backends/cpu/bits/plan.h"'
seen shared_knows_no_backend backends/new.h '#include "backends/cuda/bits/plan.h"'
seen list_knows_their_tables backends/list.c '#include "backends/cpu/bits/plan.h"'
seen cpu_knows_no_other backends/cpu/bits/plan.c '#include "backends/cuda/bits/plan.h"'
seen cpu_knows_no_other backends/cpu/bits/new.h '#include <cuda_runtime_api.h>'
seen cuda_knows_no_other backends/cuda/bits/plan.c '#include "backends/cpu/bits/plan.h"'
seen cuda_knows_no_other backends/cuda/bits/ising_general.cu '#include "backends/cpu/lane_scalar.h"'
seen cuda_knows_no_other backends/cuda/field/new.cuh '#include "backends/cpu/field/nodes.h"'
seen families_know_no_other backends/cpu/bits/run.c '#include "backends/cpu/field/plan.h"'
seen families_know_no_other backends/cuda/field/site.cuh '#include "backends/cuda/bits/lattice.cuh"'
seen families_know_no_other backends/cpu/team/team.c '#include "backends/cpu/bits/plan.h"'
seen families_know_no_other backends/cuda/field/new.cuh '#include "backends/cuda/bits/view.h"'
seen examples_know_the_header examples/simulate.c '#include "lib/lattice/lattice.h"'
seen examples_know_the_header examples/embed.cpp '#include "lib/base/status.h"'
seen examples_know_the_header examples/more/new.c '#include "backends/backend.h"'
seen second_implementations_stand_alone tests/models/ising_naive.h '#include "lib/physics/ising_words.h"'
seen second_implementations_stand_alone tests/models/phi4.h '#include "tests/inside.h"'
seen sources_are_named lib/new.c 'int lm_new;'
seen sources_are_named lib/models/new.c 'int lm_new;'
seen sources_are_named backends/new.c 'int lm_new;'
seen sources_are_named backends/cpu/plan/new.c 'int lm_new;'
seen sources_are_named backends/cuda/new.c 'int lm_new;'
seen sources_are_named backends/cuda/field/new.cu 'int lm_new;'
seen sources_are_named backends/cuda/bits/new.cu 'int lm_new;'
seen sources_are_named backends/cpu/bits/new_lane.c 'int lm_new;'
seen programs_are_named examples/new.c 'int main(void) { return 0; }'
seen programs_are_named tests/test_new.c 'int main(void) { return 0; }'
seen programs_are_named tests/models/test_new.c 'int main(void) { return 0; }'
finish
