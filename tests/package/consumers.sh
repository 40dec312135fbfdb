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
CC=${CC:-cc} CXX=${CXX:-c++} MESON=${MESON:-meson}

check "installs" env DESTDIR="$work/stage" "$MESON" install -C "$build" --no-rebuild --quiet
[ "$checks_failed" -eq 0 ] || finish

# A second tree without the shared library, so that -llatmc can only mean the static one.
cp -a "$work/stage" "$work/static"
rm -f "$work/static$prefix/$libdir"/liblatmc.so*

# The tree was installed below $DESTDIR, which the file cannot know.
flags() {
    tree=$1
    shift
    PKG_CONFIG_PATH="$tree$prefix/$libdir/pkgconfig" \
        pkg-config --define-variable=prefix="$tree$prefix" "$@" latmc
}

build_and_run() {
    name=$1 tree=$2 compiler=$3 program=$4
    shift 4
    # Flags are several words on purpose.
    # shellcheck disable=SC2046
    $compiler -DEXPECTED_VERSION="\"$version\"" "$here/$program" -o "$work/$name" \
        $(flags "$tree" --cflags) $(flags "$tree" "$@" --libs) &&
        LD_LIBRARY_PATH="$tree$prefix/$libdir" "$work/$name"
}

needs_latmc() {
    readelf -d "$1" | grep -q 'NEEDED.*liblatmc\.so'
}

if have pkg-config; then
    check "C, pkg-config, shared" build_and_run c_shared "$work/stage" "$CC" consumer.c
    check "C, pkg-config, shared: needs the library" needs_latmc "$work/c_shared"
    check "C, pkg-config --static" build_and_run c_static "$work/static" "$CC" consumer.c --static
    refuse "C, pkg-config --static: needs no library" needs_latmc "$work/c_static"
    if have "$CXX"; then
        check "C++, pkg-config, shared" \
            build_and_run cpp_shared "$work/stage" "$CXX -std=c++17" consumer.cpp
        check "C++, pkg-config --static" \
            build_and_run cpp_static "$work/static" "$CXX -std=c++17" consumer.cpp --static
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
else
    skip "CMake or a C++ compiler is missing"
fi

# As a subproject, one lane: this is about the build files, which are the same for all.
mkdir -p "$work/meson/subprojects"
cp "$here/meson.build" "$here/consumer.c" "$work/meson"
ln -s "$source" "$work/meson/subprojects/latmc"
check "Meson subproject configures" "$MESON" setup "$work/meson/build" "$work/meson" \
    -Dlatmc:lanes=scalar -Dlatmc:optimization=0
check "Meson subproject builds" "$MESON" compile -C "$work/meson/build"
check "Meson subproject runs" "$work/meson/build/consumer"

finish
