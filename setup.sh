#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# From a bare clone to a result:
#   ./setup.sh demo    build for this machine's CPU in build-demo/, run the main job and name the
#                      picture that it drew
#   ./setup.sh test    build everything in build/ and run all tests; closes with "N passed, N failed,
#                      N skipped". LATMC_TEST_GPUS=N promises N GPUs: then a test that lacks one fails
# Each has a folder of its own, so that neither throws away what the other has compiled.
set -eu
cd "$(dirname "$0")"
build=

usage() {
    echo "usage: ./setup.sh demo | test" >&2
    exit 2
}

say() {
    printf '\n== %s\n' "$*"
}

have() {
    command -v "$1" >/dev/null 2>&1
}

# A header is there if the compiler finds it.
have_header() {
    have cc && printf '#include %s\n' "$1" | cc -E -x c - >/dev/null 2>&1
}

# A thing is a program, a <header>, or a file with a slash.
have_thing() {
    case $1 in
    \<*) have_header "$1" ;;
    /*) [ -e "$1" ] ;;
    *) have "$1" ;;
    esac
}

# need THING PACKAGE: remember the package if the thing is missing.
missing=
need() {
    have_thing "$1" || missing="$missing $2"
}

# What cannot be installed is skipped by the tests that want it; require() has the rest.
install_missing() {
    [ -n "$missing" ] || return 0
    if have apt-get && [ "$(id -u)" = 0 ]; then
        say "Installing:$missing"
        export DEBIAN_FRONTEND=noninteractive
        apt-get update -qq || echo "(the list of packages could not be renewed; going on with the old one)"
        log=$(mktemp)
        # One by one, so that a package that cannot be had costs only what needs it.
        for package in $missing; do
            apt-get install -y -qq --no-install-recommends "$package" >"$log" 2>&1 ||
                { echo "could not install $package:"; tail -3 "$log"; }
        done
        rm -f "$log"
    else
        say "Missing:$missing"
        echo "Install them and run this again; on Debian and Ubuntu, as root:"
        echo "    apt-get install$missing"
    fi
}

# require THING...: end here if one is missing.
require() {
    lacking=
    for thing in "$@"; do
        have_thing "$thing" || lacking="$lacking $thing"
    done
    if [ -n "$lacking" ]; then
        echo "Cannot go on without:$lacking" >&2
        exit 1
    fi
}

need_build() {
    need cc gcc
    need '<stdio.h>' libc6-dev
    need meson meson
    need ninja ninja-build
    need pkg-config pkg-config
    need '<xxhash.h>' libxxhash-dev
}

need_tests() {
    need c++ g++
    need '<cmocka.h>' libcmocka-dev
    need cmake cmake
    need make make
    need objdump binutils
    need doxygen doxygen
    need abidw abigail-tools
    # Two MPI libraries: the first is what the library is built with, the second is for tests alone.
    need mpicc libopenmpi-dev
    need mpirun openmpi-bin
    need mpicc.mpich libmpich-dev
    need mpirun.mpich mpich
    if [ "$(uname -m)" = x86_64 ]; then
        need qemu-x86_64 qemu-user
        need aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
        need /usr/aarch64-linux-gnu/lib/libc.so.6 libc6-dev-arm64-cross
    fi
}

# A GPU that programs can use: the driver is there.
have_driver() {
    nvidia-smi -L >/dev/null 2>&1 || [ -e /proc/driver/nvidia/version ]
}

# Code for every family of GPUs takes minutes to compile. Here it is for the GPUs of this
# machine; or else, where none will run it, PTX for one family alone, without optimization and
# compressed quickly: every test program contains it. To assemble it and to compress it well takes as
# long again. Without these options the code is for all.
gpu_options() {
    nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
    [ -x "$nvcc" ] || return 0
    wanted=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null |
        tr -d '. ' | grep -xE '[0-9]+' | sort -nu)
    quickly=
    form=
    if [ -z "$wanted" ]; then
        wanted=90
        form=-virtual
        quickly=-Xcompiler=-O0
        for option in --Ofast-compile=max --compress-mode=speed; do
            ! "$nvcc" $option --version >/dev/null 2>&1 || quickly=$quickly,$option
        done
    fi
    echo "-Dnvcc_args=$quickly"
    known=$("$nvcc" --list-gpu-code 2>/dev/null) || return 0
    list=
    for arch in $wanted; do
        if printf '%s\n' "$known" | grep -qx "sm_$arch"; then
            list=$list${list:+,}$arch$form
        fi
    done
    [ -z "$list" ] || echo "-Dgpu_archs=$list"
}

# The loops over fields are compiled for every kind of lattice in one instruction set, the best that
# this processor runs, for floats, and of O(n) vectors for n = 2. All others have one text for all
# kinds: it is the same source.
lane_options() {
    lanes=
    if grep -q avx512dq /proc/cpuinfo 2>/dev/null; then
        lanes=scalar,avx2,
    elif grep -qw avx2 /proc/cpuinfo 2>/dev/null; then
        lanes=scalar,avx512,
    elif [ "$(uname -m)" = aarch64 ]; then
        lanes=scalar,
    fi
    echo "-Done_text=${lanes}doubles,onvector3,onvector4"
}

# configure FOLDER OPTION...
configure() {
    build=$1
    shift
    if [ -f $build/build.ninja ]; then
        say "Using the build in $build/"
        meson configure "$build" "$@"
    else
        say "Configuring in $build/"
        rm -rf "$build"
        meson setup "$build" "$@"
    fi
}

compile() {
    say "Compiling"
    ninja -C "$build" "$@"
}

# has_flags FLAG...: the CPU has all of these.
has_flags() {
    for flag in "$@"; do
        grep -qw "$flag" /proc/cpuinfo 2>/dev/null || return 1
    done
}

# The demo sweeps Ising spins on this CPU: it needs the CPU's best lane, no GPU and no MPI. The loops of
# other models, which it does not run, are compiled with one text each.
demo_options() {
    lane=scalar
    case $(uname -m) in
    x86_64)
        if has_flags avx512f avx512bw avx512vl avx512dq; then
            lane=avx512
        elif has_flags avx2 fma; then
            lane=avx2
        fi
        ;;
    aarch64) lane=neon ;;
    esac
    echo "-Dlanes=$lane -Done_text=scalar,${lane#scalar},doubles" | sed 's/,,/,/'
    echo "-Dcuda=disabled -Dmpi=disabled"
}

demo() {
    need_build
    need gnuplot gnuplot-nox
    install_missing
    require cc meson ninja '<xxhash.h>'
    # shellcheck disable=SC2046
    configure build-demo -Dexamples=enabled -Dtests=disabled -Dwarning_level=0 $(demo_options)
    compile examples/latmc-ising-binder
    say "Finite-size scaling of the 2D Ising model: T_c from the crossing of Binder cumulants"
    echo "It takes a minute or so on two cores; Ctrl-C stops it, and what is done is printed."
    rm -f $build/ising-binder.png
    $build/examples/latmc-ising-binder --device cpu --output $build
    if [ -s $build/ising-binder.png ]; then
        say "The picture: $(pwd)/$build/ising-binder.png"
    else
        say "No picture was drawn (gnuplot is missing?)"
    fi
    if have_driver; then
        echo "This was the CPU. For the GPU, which takes minutes to compile:"
        echo "    meson setup build-gpu -Dcuda=enabled && ninja -C build-gpu examples/latmc-ising-binder"
        echo "    build-gpu/examples/latmc-ising-binder --device cuda:0"
    fi
}

run_tests() {
    need_build
    need_tests
    install_missing
    require cc meson ninja '<xxhash.h>' '<cmocka.h>'
    # shellcheck disable=SC2046
    configure build -Dtests=enabled -Dexamples=enabled -Dcuda=auto $(gpu_options) $(lane_options)
    compile
    say "Testing"
    # One more than there are processors, for some tests mostly wait. The tests under sanitizers,
    # which are a build of their own, take it from here too.
    MESON_TESTTHREADS=$(($(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1) + 1))
    export MESON_TESTTHREADS
    log=$build/meson-logs/testlog.json
    rm -f $log
    status=0
    meson test -C $build --no-rebuild --print-errorlogs || status=$?
    echo
    if [ ! -s $log ]; then
        echo "0 passed, 1 failed, 0 skipped"
        exit 1
    fi
    python3 tests/count.py $log || status=1
    exit $status
}

case ${1-} in
demo) [ $# = 1 ] || usage; demo ;;
test) [ $# = 1 ] || usage; run_tests ;;
*) usage ;;
esac
