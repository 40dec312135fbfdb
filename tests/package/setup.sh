#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What setup.sh asks of Meson and Ninja, which only take notes here: setup.sh SOURCE
. "$1/tests/check.sh"
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/tools" "$work/clone/tests"
cp "$source/setup.sh" "$work/clone/"
cp "$source/tests/count.py" "$work/clone/tests/"

# tool NAME: its text comes on stdin
tool() {
    { echo '#!/bin/sh'; cat; } >"$work/tools/$1"
    chmod +x "$work/tools/$1"
}

tool meson <<EOF2
echo "meson \$*" >>"$work/log"
case \$1 in
setup) mkdir -p "\$2" && : >"\$2/build.ninja" ;;
test)
    mkdir -p "\$3/meson-logs"
    printf '%s\n' '{"name": "a", "result": "OK", "stdout": "ok - one\\nok - two"}' \
        >"\$3/meson-logs/testlog.json"
    ;;
esac
EOF2
tool ninja <<EOF2
echo "ninja \$*" >>"$work/log"
mkdir -p "\$2/examples"
printf '#!/bin/sh\necho drawn >"\$4/ising-binder.png"\n' >"\$2/examples/latmc-ising-binder"
chmod +x "\$2/examples/latmc-ising-binder"
EOF2
for name in apt-get gnuplot cmake doxygen abidw qemu-x86_64; do
    tool $name <<EOF2
echo "$name \$*" >>"$work/log"
EOF2
done
driver() {
    echo "exit $1" | tool nvidia-smi
}

# setup WORD: its output is in `out`, what the tools were asked in `log`
setup() {
    : >"$work/log"
    PATH="$work/tools:$PATH" "$work/clone/setup.sh" "$@" >"$work/out" 2>&1 ||
        { status=$?; cat "$work/out"; return $status; }
}

asked() {
    grep -q -- "$1" "$work/log" || { echo "nothing like \"$1\""; cat "$work/log"; return 1; }
}

asked_not() {
    ! grep -- "$1" "$work/log"
}

if [ -e /proc/driver/nvidia/version ]; then
    skip "setup.sh demo without a driver: this machine has one"
else
    driver 9
    check "demo without a driver" setup demo
    check "builds without CUDA, in a folder of its own" \
        asked '^meson setup build-demo .*-Dcuda=disabled'
    check "and one program alone" asked '^ninja -C build-demo examples/latmc-ising-binder$'
    check "and names the picture" grep -q "The picture: .*/build-demo/ising-binder.png" "$work/out"
    check "which is there" test -s "$work/clone/build-demo/ising-binder.png"
    check "a second demo" setup demo
    check "uses what is there" asked '^meson configure build-demo .*-Dcuda=disabled'
fi
driver 0
check "demo with a driver" setup demo
check "for one lane beside the scalar one" \
    sh -c 'grep -qE "^meson .* -Dlanes=(scalar|avx2|avx512|neon) -Done_text=[a-z0-9,]+ " "$1"' - "$work/log"
check "leaves out CUDA, too" asked '^meson [a-z]* build-demo .*-Dcuda=disabled'
check "and says how to have it" grep -q -- "-Dcuda=enabled" "$work/out"
check "test" setup test
check "builds everything, in another folder" asked '^meson setup build .*-Dcuda=auto'
check "with all targets" asked '^ninja -C build$'
check "and leaves the demo's alone" asked_not build-demo
check "and counts" grep -q "^2 passed, 0 failed, 0 skipped" "$work/out"
check "demo after test" setup demo
check "leaves the tests' folder alone" asked_not ' build\( \|$\)'
refuse "an unknown word" setup demonstrate
refuse "no word" setup
finish
