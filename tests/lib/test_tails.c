/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tails of public Gaussian numbers, of floats or of doubles by LM_REAL_BITS: how a radius is
 * made of words that few draws have. Against the C library's logarithm, and in law.
 */
#include "backends/cpu/real_scalar.h"

#include "lib/physics/random.h"
#include "tests/support.h"

enum { BITS = LM_REAL_BITS == 32 ? 31 : 52 }; /* of u that a radius' own words have */
#define SMALLEST (LM_REAL_BITS == 32 ? 0x1p-40 : 0x1p-53)
#define ROUNDING (LM_REAL_BITS == 32 ? 0x1p-24 : 0x1p-53)

/* The radius for a number below 2^BITS, by the length of (cosine, sine). */
static double radius(uint64_t number, uint32_t angle)
{
    const uint64_t bits = LM_REAL_BITS == 32 ? number << 1 : number << 12;
    const lm_word first[2] = {(uint32_t)bits, (uint32_t)(bits >> 32)}, last[2] = {angle, angle};
    lm_real c[LM_COUPLE_REALS], s[LM_COUPLE_REALS];

    lm_couple_gaussian(first, last, c, s);
    return sqrt((double)c[0] * (double)c[0] + (double)s[0] * (double)s[0]);
}

/* u by its definition; of a float before it is rounded. */
static double share(uint64_t number, uint32_t angle)
{
    if (LM_REAL_BITS == 64)
        return ((double)number + 0.5) * 0x1p-52;
    return ((double)number + (angle / 2 % 256 + 0.5) / 256.0) * 0x1p-31;
}

static void radii_are_those_of_the_logarithm(void **state)
{
    uint64_t dice = 11;

    (void)state;
    for (int i = 0; i < 200000; i++) {
        const int shift = (int)(next_random(&dice) % BITS);
        const uint64_t number = (next_random(&dice) >> (64 - BITS)) >> shift;
        const uint32_t angle = (uint32_t)next_random(&dice);
        const double u = share(number, angle), want = sqrt(-2.0 * log(u));
        /* u itself is rounded, which near 1 is most of ln u */
        const double off = ROUNDING * u / want + 12 * ROUNDING * want + ROUNDING;

        if (u < 1.0 - 2 * ROUNDING)
            assert_true(fabs(radius(number, angle) - want) < off);
    }
}

static void ends_are_where_they_should(void **state)
{
    const double most = sqrt(-2.0 * log(SMALLEST)), least = sqrt(-2.0 * log(1.0 - ROUNDING));
    const uint64_t last = ((uint64_t)1 << BITS) - 1;

    (void)state;
    assert_true(fabs(radius(0, 0) - most) < 12 * ROUNDING * most);
    assert_true(radius(0, ~0u) < most * (1 + 12 * ROUNDING));
    for (uint64_t n = last - 200; n <= last; n++) {
        const double r = radius(n, ~0u);
        assert_true(r >= least * (1 - 12 * ROUNDING));
    }
    assert_true(fabs(radius(last, ~0u) - least) < 12 * ROUNDING * least);
}

/* With u uniform below 2^-k, -ln u - k ln 2 has the density e^-x: its mean is 1, and it is above
 * 1, 2, .. with probability 1/e, 1/e^2, .. */
static void tails_fall_as_they_should(void **state)
{
    enum { DRAWS = 100000 };
    uint64_t dice = 5;

    (void)state;
    for (int k = 8; k <= BITS - 8; k += 5) { /* then u has too few values for a smooth law */
        double sum = 0.0;
        int above[4] = {0};

        for (int i = 0; i < DRAWS; i++) {
            const uint64_t number = next_random(&dice) >> (64 - BITS + k);
            const double r = radius(number, (uint32_t)next_random(&dice));
            const double x = r * r / 2 - k * log(2.0);
            sum += x;
            for (int e = 0; e < 4; e++)
                above[e] += x > e + 1;
        }
        assert_true(fabs(sum / DRAWS - 1.0) < 4.5 / sqrt(DRAWS));
        for (int e = 0; e < 4; e++) {
            const double p = exp(-e - 1.0);
            assert_true(fabs((double)above[e] / DRAWS - p) < 4.5 * sqrt(p * (1 - p) / DRAWS));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(radii_are_those_of_the_logarithm),
        cmocka_unit_test(ends_are_where_they_should),
        cmocka_unit_test(tails_fall_as_they_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
