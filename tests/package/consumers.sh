#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs built against the installed library: consumers.sh SOURCE BUILD PREFIX LIBDIR
. "$1/tests/check.sh"
source=$1 build=$2 prefix=$3 libdir=$4
here=$source/tests/package/consumer
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stage=$work/stage$prefix
version=$(sed -n 's/^Version: //p' "$build/pkgconfig/latmc.pc")
CC=${CC:-cc} MESON=${MESON:-meson}
# Only clang knows where clang's OpenMP is.
case $CC in
*clang*) CXX=${CXX:-clang++} ;;
*) CXX=${CXX:-c++} ;;
esac
export CXX

check "installs" env DESTDIR="$work/stage" "$MESON" install -C "$build" --no-rebuild --quiet
[ "$checks_failed" -eq 0 ] || finish

# A second tree without the shared library, so that -llatmc can only mean the static one; and one
# in another place.
cp -a "$work/stage" "$work/static"
rm -f "$work/static$prefix/$libdir"/liblatmc.so*
mkdir "$work/elsewhere"
cp -a "$stage" "$work/elsewhere/moved"

# The tree was installed below $DESTDIR, which the file cannot know.
flags() {
    tree=$1
    shift
    PKG_CONFIG_PATH="$tree/$libdir/pkgconfig" \
        pkg-config --define-variable=prefix="$tree" "$@"
}
# The same for a tree that explains itself.
own_flags() {
    tree=$1
    shift
    PKG_CONFIG_PATH="$tree/$libdir/pkgconfig" pkg-config --define-prefix "$@"
}

# build_and_run NAME TREE COMPILER PROGRAM FLAGS...: with the flags of pkg-config. The program gets the
# name of a file that it may write.
ask=flags also=
build_and_run() {
    name=$1 tree=$2 compiler=$3 program=$4
    shift 4
    # Flags are several words on purpose.
    # shellcheck disable=SC2046,SC2086
    $compiler -DEXPECTED_VERSION="\"$version\"" "$here/$program" -o "$work/$name" \
        $($ask "$tree" --cflags --libs "$@") $also &&
        LD_LIBRARY_PATH="$tree/$libdir" "$work/$name" "$work/saved"
}

# 77 if the program was built, and finds no GPU.
nvcc_and_run() {
    build_and_run kernels "$stage" "nvcc -Werror all-warnings -Xcompiler -Wall,-Wextra" device_memory.cu latmc \
        >"$work/out" 2>&1
}

needs_latmc() {
    readelf -d "$1" | grep -q 'NEEDED.*liblatmc\.so' && ldd "$1" | grep -q 'liblatmc\.so'
}
# With all that latmc needs, but for latmc.
can_be_alone() {
    echo 'int main(void) { return 0; }' >"$work/none.c"
    # shellcheck disable=SC2046
    $CC -static "$work/none.c" -o "$work/none" \
        $(flags "$stage" --libs --static latmc | sed 's/-llatmc//') >/dev/null 2>&1
}
needs_none() {
    ! readelf -d "$1" | grep NEEDED
}

if have pkg-config; then
    check "C, pkg-config, shared" build_and_run c_shared "$stage" "$CC" consumer.c latmc
    check "C, pkg-config, shared: needs the library" needs_latmc "$work/c_shared"
    check "both libraries are there" \
        ls "$stage/$libdir/liblatmc.so" "$stage/$libdir/liblatmc.a"
    check "C, latmc-static beside the shared one" \
        build_and_run c_beside "$stage" "$CC" consumer.c latmc-static
    refuse "C, latmc-static: needs no library" needs_latmc "$work/c_beside"
    check "C, latmc-static, --static changes nothing" \
        build_and_run c_again "$stage" "$CC" consumer.c --static latmc-static
    refuse "C, latmc-static --static: needs no library" needs_latmc "$work/c_again"
    check "C, latmc-static of a tree that was moved" \
        build_and_run c_moved "$work/elsewhere/moved" "$CC" consumer.c latmc-static
    refuse "C, moved: needs no library" needs_latmc "$work/c_moved"
    if can_be_alone; then
        check "C, without any shared library" \
            build_and_run c_alone "$stage" "$CC -static" consumer.c --static latmc
        check "C, without any: needs none" needs_none "$work/c_alone"
    else
        skip "a library that latmc needs is not there as a static one"
    fi
    check "C, pkg-config --static where there is no shared one" \
        build_and_run c_static "$work/static$prefix" "$CC" consumer.c --static latmc
    refuse "C, pkg-config --static: needs no library" needs_latmc "$work/c_static"
    # pkg-config takes the folder of pkgconfig's folder for the prefix.
    case $libdir in
    */*) ;;
    *)
        ask=own_flags
        check "C, a moved tree that explains itself" \
            build_and_run c_own "$work/elsewhere/moved" "$CC" consumer.c latmc-static
        refuse "C, a moved tree: needs no library" needs_latmc "$work/c_own"
        ask=flags
        ;;
    esac
    strict="$CC -std=c11 -Wall -Wextra -Werror" also=-lm
    for program in glass anneal resume staggered sublattices domain_wall; do
        check "a user's program in C: $program" \
            build_and_run "$program" "$stage" "$strict" "$program.c" latmc
    done
    also=
    check "a user's program with kernels of its own, as C on a CPU" \
        build_and_run kernels_c "$stage" "$strict -x c" device_memory.cu latmc
    if have nvcc; then
        built=0
        nvcc_and_run || built=$?
        case $built in
        0) pass "a user's program with kernels of its own, on a GPU" ;;
        77) skip_gpu "no GPU here: a user's program with kernels of its own" ;;
        *) fail "a user's program with kernels of its own, on a GPU" && cat "$work/out" ;;
        esac
    else
        skip "nvcc is missing: a user's program with kernels of its own"
    fi
    if have "$CXX"; then
        check "a user's program in C++: wrapper" build_and_run wrapper "$stage" \
            "$CXX -std=c++17 -Wall -Wextra -Wshadow -Wold-style-cast -pedantic -Werror" wrapper.cpp latmc
        check "C++, pkg-config, shared" \
            build_and_run cpp_shared "$stage" "$CXX -std=c++17" consumer.cpp latmc
        check "C++, latmc-static beside the shared one" \
            build_and_run cpp_static "$stage" "$CXX -std=c++17" consumer.cpp latmc-static
        refuse "C++, latmc-static: needs no library" needs_latmc "$work/cpp_static"
    else
        skip "C++: no compiler"
    fi
else
    skip "pkg-config is missing"
fi

if have cmake && have "$CXX"; then
    # Meson installs to lib64 also where CMake does not look for it.
    case $libdir in
    lib64) where=-Dlatmc_DIR=$stage/$libdir/cmake/latmc ;;
    *) where=-DCMAKE_PREFIX_PATH=$stage ;;
    esac
    check "CMake finds the package" \
        cmake -S "$here" -B "$work/cmake" "$where" -DCMAKE_BUILD_TYPE=Release
    check "CMake builds" cmake --build "$work/cmake"
    for program in c_latmc c_static cpp_latmc cpp_static; do
        check "CMake: $program runs" "$work/cmake/$program"
    done
    refuse "CMake: c_static needs no library" needs_latmc "$work/cmake/c_static"
    sed 's/find_package(latmc 0.1/find_package(latmc 99/' "$here/CMakeLists.txt" >"$work/CMakeLists.txt"
    refuse "CMake refuses a version that is too old" cmake -S "$work" -B "$work/cmake-old" "$where"

    # Which versions serve which requests: doc/abi.md.
    echo 'find_package(latmc ${REQUEST} CONFIG REQUIRED PATHS "${TREE}" NO_DEFAULT_PATH)' >"$work/ask.cmake"
    # serves VERSION REQUEST...: in a folder with the version file of a library so numbered.
    serves() {
        mkdir -p "$work/versions/$1"
        sed -e "s/@version@/$1/" -e "s/@major@/${1%%.*}/g" \
            -e "s/@minor@/$(echo "$1" | cut -d. -f2)/g" \
            "$source/pkgconfig/latmcConfigVersion.cmake.in" \
            >"$work/versions/$1/latmcConfigVersion.cmake"
        : >"$work/versions/$1/latmcConfig.cmake"
        cmake -DREQUEST="$2" -DTREE="$work/versions/$1" -P "$work/ask.cmake"
    }
    check "the version file is the installed one's" \
        sh -c "sed -e 's/@version@/$version/' -e 's/@major@/${version%%.*}/g' \
            -e 's/@minor@/$(echo "$version" | cut -d. -f2)/g' \
            '$source/pkgconfig/latmcConfigVersion.cmake.in' |
            cmp - '$stage/$libdir/cmake/latmc/latmcConfigVersion.cmake'"
    for pair in 0.1.0:0.1 0.1.0:0.1.0 0.1.7:0.1.2 0.2.0:0.2 0.2.5:0.1...0.3 1.0.0:1 1.0.0:1.0 \
        1.4.2:1.0 1.4.2:1.4.1 12.3.0:12.1 0.3.0:0.3; do
        check "CMake: version ${pair%%:*} serves ${pair#*:}" serves "${pair%%:*}" "${pair#*:}"
    done
    for pair in 0.1.0:0.1.1 0.1.0:0.2 0.2.0:0.1 0.2.0:0.1.9 0.1.0:0.0 0.1.0:1 0.12.0:0.1 1.0.0:0.9 \
        1.0.0:1.1 1.4.2:1.4.3 2.0.0:1.9 1.0.0:0.1 0.4.0:0.1...0.3 12.0.0:1; do
        refuse "CMake: version ${pair%%:*} does not serve ${pair#*:}" serves "${pair%%:*}" "${pair#*:}"
    done
else
    skip "CMake or a C++ compiler is missing"
fi

# Programs with MPI: of the build's own.
# on_ranks COMMAND...: two of them, or one where there is no mpirun.
on_ranks() {
    if have mpirun; then
        env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
            OMPI_MCA_rmaps_base_oversubscribe=1 timeout 60 mpirun -n 2 "$@"
    else
        timeout 60 "$@"
    fi
}
# build_with_mpi NAME COMPILER MODULES...
build_with_mpi() {
    name=$1 compiler=$2
    shift 2
    # shellcheck disable=SC2046
    $compiler "$here/mpi.c" -o "$work/$name" $(flags "$stage" --cflags --libs "$@") &&
        LD_LIBRARY_PATH="$stage/$libdir" on_ranks "$work/$name"
}
without_mpi() {
    cp -a "$stage" "$work/no_mpi" && rm "$work/no_mpi/$libdir"/liblatmc_mpi.so* &&
        cmake -S "$here" -B "$work/cmake_none" -DCMAKE_PREFIX_PATH="$work/no_mpi" \
            -Dlatmc_DIR="$work/no_mpi/$libdir/cmake/latmc" -DCMAKE_BUILD_TYPE=Release
}
if [ ! -e "$stage/$libdir/liblatmc_mpi.so" ]; then
    skip "liblatmc_mpi is not built"
else
    if have pkg-config; then
        check "C, MPI, pkg-config, shared" build_with_mpi mpi_shared "$CC" latmc-mpi
        check "C, MPI, pkg-config, static" build_with_mpi mpi_static "$CC" latmc-mpi-static
        refuse "C, MPI, static: needs no library of these" needs_latmc "$work/mpi_static"
    fi
    if have cmake && have "$CXX"; then
        check "CMake: mpi_latmc was built, and runs" on_ranks "$work/cmake/mpi_latmc"
        check "CMake: the package without liblatmc_mpi serves others" without_mpi
        refuse "CMake: and says so to those who need it" cmake -S "$here" -B "$work/cmake_mpi" \
            -Dlatmc_DIR="$work/no_mpi/$libdir/cmake/latmc" -DWANT_MPI=ON
    fi
fi

# As a subproject, one lane and one text of a field's sweeps: this is about the build files, which are
# the same for all.
mkdir -p "$work/meson/subprojects"
cp "$here"/meson.build "$here"/*.c "$work/meson"
ln -s "$source" "$work/meson/subprojects/latmc"
check "Meson subproject configures" "$MESON" setup "$work/meson/build" "$work/meson" \
    -Dlatmc:lanes=scalar -Dlatmc:optimization=0 -Dc_args=-DLM_ONE_TEXT
check "Meson subproject builds" "$MESON" compile -C "$work/meson/build"
check "Meson subproject runs" "$work/meson/build/consumer"
if [ -e "$stage/$libdir/liblatmc_mpi.so" ]; then
    check "Meson subproject: a program with MPI runs" on_ranks "$work/meson/build/consumer_mpi"
fi

finish
