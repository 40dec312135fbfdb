#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Planted bugs find their places, or are refused: places.sh SOURCE
. "$1/tests/check.sh"
plants=$1/tests/plants.py
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lib/room" "$work/backends/cuda"
cat >"$work/lib/room/one.c" <<'END'
#define LM_TWICE(x) \
    ((x) + (x))
/* once(a, b) { is in a comment */
static const double weights[2] = {0.25, 0.75};
enum { LM_ONE = 1 };
static int same(int a) { return a + 1; }
static inline int twice(int a)
{
    const char *brace = "}"; /* a brace in a text: } */
    const char other = '}';
    return once(a,
                b) + a - a;
}
static int after(int a)
{
    if (twice(a)) {
        a = 3;
    }
    return once(a, b);
}
END
cat >"$work/lib/two.c" <<'END'
static int same(int a) { return a + 1; }
END
cat >"$work/backends/cuda/kernel.cu" <<'END'
template <int D> __global__ void __launch_bounds__(256) kernel(int *to)
{
    to[threadIdx.x] = D;
}
template <> struct way<2, true> {
    static LM_INLINE int step(int a) const { return a + 2; }
};
END

# one PLANT: the list has this line alone.
one() {
    printf '%s\n' '# a list' '' "$1" >"$work/list"
    python3 "$plants" "$work" "$work/list"
}

# at PLACE PLANT
at() {
    one "$2" | grep -qx "ok - p: $1"
}
# refused REASON PLANT
refused() {
    ! one "$2" >"$work/said" && grep -q "^FAILED - .*: .*$1" "$work/said"
}
check "in a function, whatever the layout" at lib/room/one.c:11 'p :: twice :: once(a, b) => 0 :: t'
check "in the function of this name alone" at lib/room/one.c:19 'p :: after :: once(a, b) => 0 :: t'
check "in a table" at lib/room/one.c:4 'p :: weights :: 0.75 => 0.5 :: t'
check "in a macro of several lines" at lib/room/one.c:2 'p :: LM_TWICE :: + (x) => - (x) :: t'
check "in a file, by its name alone" at lib/room/one.c:5 'p :: one.c :: LM_ONE = 1 => LM_ONE = 2 :: t'
check "in one of two functions of a name" at lib/two.c:1 'p :: two.c:same :: a + 1 => a :: t'
check "in a kernel with launch bounds" at backends/cuda/kernel.cu:3 'p :: kernel :: = D => = 0 :: t'
check "in a specialized template" at backends/cuda/kernel.cu:6 'p :: way :: a + 2 => a :: t'
check "in a member of a type" at backends/cuda/kernel.cu:6 'p :: step :: a + 2 => a :: t'
check "a function that is not there" refused "there is no thrice" 'p :: thrice :: a => b :: t'
check "a call is no function" refused "there is no once" 'p :: once :: a => b :: t'
check "a file that is not there" refused "there is no three.c" 'p :: three.c :: a => b :: t'
check "a pattern that does not fit" refused "is 0 times in twice" 'p :: twice :: a = 3 => a = 4 :: t'
check "a pattern that fits twice in its function" refused "is 4 times in twice" 'p :: twice :: a => b :: t'
check "a pattern that fits in two functions of a name" refused "is 2 times in same" 'p :: same :: a + 1 => a :: t'
check "a pattern in a comment" refused "is 0 times in twice" 'p :: twice :: a brace => b :: t'
check "half of a word" refused "is 0 times in twice" 'p :: twice :: onc => b :: t'
check "a change of layout alone" refused "it changes nothing" 'p :: twice :: once(a, b) => once( a,b ) :: t'
check "a line without tests" refused "the line is not NAME" 'p :: twice :: once(a, b) => 0'
refuse "an empty list" one ''
check "a name that comes twice" refused "another plant has this name" 'p :: after :: a = 3 => a = 4 :: t
p :: after :: a = 3 => a = 5 :: t'
finish
