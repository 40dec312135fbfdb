/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers drawn from distributions: doc/trajectory.md, "Drawn couplings". */
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>

#include "lib/models/draw.h"
#include "lib/physics/exchange_rule.h"

enum { SITES = 21, MANY = 1 << 20 };

/*
 * Bonds along the first axis and the second, and sites; made of the page's formulas in Python:
 *     tests/exact/trajectory.py --extents 7x3 --coupling-seed 81985529216486895 --couplings
 * gaussian
 *         --coupling-mean 0.25 --coupling-width 1.5 --coupling-missing 0.125 --print-drawn
 */
static const double wanted[SITES][3] = {
    {0x1.b3bb30764ac4ap+0, 0x1.3ae5854db1616p+1, -0x1.4396c6a22e242p+1},
    {-0x1.4e60f948a44e4p+1, 0x1.07ced57c28185p-2, 0x0.0p+0},
    {0x0.0p+0, -0x1.3bd911d27ffaap+0, 0x1.57ca4439620f5p+1},
    {-0x1.7f2b06960a120p-2, -0x1.947526c138762p+0, 0x1.0a0be87664518p+0},
    {0x0.0p+0, 0x1.78c31bcc97d32p-2, 0x1.2e36a3e89a41ap-4},
    {0x1.948ebb9bb2205p+1, 0x1.3105b3229ba20p-2, 0x1.03ac3ff8312eep-1},
    {0x1.afe13888e6fc0p-2, -0x1.bf59f6203875cp-1, 0x1.219baf151e886p+0},
    {0x1.04cf586db6936p+0, 0x1.632565d5b09f1p+0, -0x1.826de2ac285c4p+0},
    {0x1.b0ba049f3b450p+0, 0x1.7b1db1f98d545p+0, -0x1.0bd0f46db6ecdp+0},
    {-0x1.67fde42ab78d8p+0, -0x1.b35e9cd6ecb38p-1, -0x1.dc39c60ae23e0p-4},
    {0x1.27156fb32b1d2p+0, 0x0.0p+0, 0x0.0p+0},
    {-0x1.40a4d73beaa0cp+1, -0x1.7e447ebd0fd28p+0, 0x1.9f0bb8d12ebe1p-1},
    {-0x1.9d0315f48aa50p-2, -0x1.1956d8a94b6d1p-1, 0x1.1809f5d5b37d8p-1},
    {0x1.fc0a4d6227d92p+0, 0x1.f64d978f1756cp-3, 0x1.c5b920e9d4148p+0},
    {0x1.2e1d05cd056bep+1, 0x0.0p+0, -0x1.b6bfcc0cb3518p-1},
    {-0x1.9531456bf9658p-2, 0x1.365066a938273p+1, -0x1.a2b81218c6c2cp+0},
    {-0x1.8bb11489a9532p+1, 0x1.2bf6a50190b61p-1, 0x1.e56bed05e0ed6p+0},
    {0x1.9dd47dffe7c66p-1, -0x1.68254f7f27905p+0, 0x1.3f915b30c430bp+0},
    {-0x1.3bef81b87dca3p+1, -0x1.423c8ab68bad0p-4, 0x0.0p+0},
    {-0x1.e471821fe04f2p+0, 0x1.1970e66b9d2e4p+1, -0x1.8ed3d5bcc2926p-2},
    {0x1.3e33e9fb90293p+0, 0x1.df24ff73b8356p-2, 0x0.0p+0},
};

static lm_draw gaussian_of(uint64_t seed, double mean, double width, double missing)
{
    lm_draw how = lm_draw_of(LATMC_GAUSSIAN, seed);

    how.values[LM_ARGUMENT(LATMC_DRAW_MEAN)] = mean;
    how.values[LM_ARGUMENT(LATMC_DRAW_WIDTH)] = width;
    how.values[LM_ARGUMENT(LATMC_DRAW_MISSING)] = missing;
    return how;
}

static void gaussians_are_those_of_another_language(void **state)
{
    const lm_draw how = gaussian_of(81985529216486895u, 0.25, 1.5, 0.125);

    (void)state;
    for (int k = 0; k < 3; k++)
        for (int first = 0; first < SITES; first += 5) { /* pieces that begin anywhere */
            const int count = SITES - first < 5 ? SITES - first : 5;
            double got[5];

            lm_draw_numbers(&how, k < 2 ? LM_OF_BONDS : LM_OF_SITES, k % 2, 0, first, count, got);
            for (int i = 0; i < count; i++)
                if (memcmp(&got[i], &wanted[first + i][k], sizeof got[i]) != 0)
                    fail_msg("number %d of kind %d is %a, not %a", first + i, k, got[i],
                             wanted[first + i][k]);
        }
}

static void presets(void **state)
{
    static const double signs[LM_ARGUMENTS] = {0.5, 0.0, 0.0, 0.0};
    static const double normal[LM_ARGUMENTS] = {0.0, 0.0, 0.0, 1.0};

    (void)state;
    assert_memory_equal(lm_draw_of(LATMC_PLUS_MINUS_ONE, 1).values, signs, sizeof signs);
    assert_memory_equal(lm_draw_of(LATMC_GAUSSIAN, 1).values, normal, sizeof normal);
    assert_true(lm_draw_of(LATMC_GAUSSIAN, 9).seed == 9);
}

/* Each distribution's arguments, as a model that takes all would describe them. */
static void all_are_described(void **state)
{
    (void)state;
    for (int i = 0; i < LM_DESCRIBED_ARGUMENTS; i++) {
        const lm_entry *e = &lm_arguments[i];
        int owners = 0;

        for (int d = 0; d < LM_DISTRIBUTIONS; d++)
            owners += lm_distributions[d].id == e->distribution;
        assert_int_equal(owners, 1);
        assert_in_range(LM_ARGUMENT(e->id), 0, LM_ARGUMENTS - 1);
        assert_true(e->minimum <= e->preset && e->preset <= e->maximum);
    }
    assert_in_range(LM_ARGUMENTS, 1, LATMC_MAX_ARGUMENTS);
}

/* The functions against the C library's, which is as exact. */
static void logarithm_and_cosine(void **state)
{
    (void)state;
    for (int i = 1; i <= 100000; i++) {
        const double u = i / 100000.0, w = (i - 1) / 100000.0;
        const double small = ldexp(u, -(i % 53));

        assert_true(fabs(lm_ln(u) - log(u)) <= 1e-15 * fabs(log(u)));
        assert_true(fabs(lm_ln(small) - log(small)) <= 1e-15 * fabs(log(small)));
        assert_true(fabs(lm_cos_turn(w) - cos(2.0 * acos(-1.0) * w)) < 1e-15);
    }
    assert_true(lm_ln(1.0) == 0.0 && lm_cos_turn(0.0) == 1.0 && lm_cos_turn(0.5) == -1.0);
    assert_true(lm_cos_turn(0.25) == 0.0 && lm_cos_turn(0.75) == 0.0);
}

static void the_ends_of_gaussians(void **state)
{
    const uint32_t none[4] = {0, 0, 0, 0}, all[4] = {~0u, ~0u, 0, 0};

    (void)state;
    assert_true(fabs(lm_gaussian(none) - sqrt(106.0 * log(2.0))) < 1e-14); /* A = 0, B = 0 */
    assert_true(lm_gaussian(all) == 0.0);
}

/* Numbers of which many are drawn; to be freed. */
static double *many(const lm_draw *how, int axis)
{
    double *numbers = malloc(MANY * sizeof *numbers);

    assert_non_null(numbers);
    lm_draw_numbers(how, LM_OF_BONDS, axis, 0, 0, MANY, numbers);
    return numbers;
}

/* Moments within 5 standard errors, and chi^2 of 64 equally probable bins. */
static void gaussians_are_gaussian(void **state)
{
    enum { BINS = 64 };
    const lm_draw how = lm_draw_of(LATMC_GAUSSIAN, 5);

    (void)state;
    for (int axis = 0; axis < 4; axis++) {
        static const double moment[5] = {1, 0, 1, 0, 3}, variance[5] = {0, 1, 2, 15, 96};
        double *z = many(&how, axis), sum[5] = {0}, chi2 = 0.0, neighbours = 0.0;
        int bins[BINS] = {0};

        for (int i = 0; i < MANY; i++) {
            const int bin = (int)(BINS * 0.5 * erfc(-z[i] / sqrt(2.0)));

            bins[bin < BINS ? bin : BINS - 1]++;
            neighbours += i ? z[i] * z[i - 1] / MANY : 0.0;
            for (int k = 1; k < 5; k++)
                sum[k] += pow(z[i], k) / MANY;
        }
        for (int k = 1; k < 5; k++)
            assert_true(fabs(sum[k] - moment[k]) < 5.0 * sqrt(variance[k] / MANY));
        assert_true(fabs(neighbours) < 5.0 / sqrt(MANY));
        for (int b = 0; b < BINS; b++)
            chi2 += pow(bins[b] - MANY / (double)BINS, 2) / (MANY / (double)BINS);
        assert_true(fabs(chi2 - (BINS - 1)) < 5.0 * sqrt(2.0 * (BINS - 1)));
        free(z);
    }
}

/* Shares within 5 standard errors. */
static void signs_have_their_shares(void **state)
{
    static const double shares[][2] = {
        {0.5, 0.0}, {0.9, 0.0}, {0.25, 0.5}, {1.0, 0.25}, {0.0, 0.0}};

    (void)state;
    for (size_t s = 0; s < ALL(shares); s++) {
        const double plus = shares[s][0], missing = shares[s][1];
        const double wants[3] = {(1.0 - missing) * (1.0 - plus), missing, (1.0 - missing) * plus};
        lm_draw how = lm_draw_of(LATMC_PLUS_MINUS_ONE, 6);
        double *k, counts[3] = {0};

        how.values[LM_ARGUMENT(LATMC_DRAW_PLUS)] = plus;
        how.values[LM_ARGUMENT(LATMC_DRAW_MISSING)] = missing;
        k = many(&how, 1);
        for (int i = 0; i < MANY; i++)
            counts[1 + (int)k[i]] += 1.0 / MANY;
        for (int v = 0; v < 3; v++)
            assert_true(fabs(counts[v] - wants[v]) <=
                        5.0 * sqrt(wants[v] * (1.0 - wants[v]) / MANY));
        free(k);
    }
}

/* What bounds decide is what the logarithm decides: costs close to it from both sides, and far. */
static void exchanges_go_by_the_logarithm(void **state)
{
    static const double off[] = {0.0,  1e-16, -1e-16, 1e-12, -1e-12, 1e-9, -1e-9, 1e-3, -1e-3,
                                 0.05, -0.05, 0.06,   -0.06, 0.1,    -0.1, 1.0,   -1.0};
    uint64_t seed = 5;
    int seen[2] = {0, 0};

    (void)state;
    for (int i = 0; i < MANY / 16; i++) {
        uint32_t words[2];

        seed = seed * 6364136223846793005u + 1442695040888963407u;
        words[0] = (uint32_t)(seed >> 32);
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        words[1] = (uint32_t)(seed >> 32) >> i % 33 % 32; /* also of small u */
        if (i % 7 == 0)
            words[1] = ~words[1];
        for (size_t k = 0; k < ALL(off); k++) {
            const double cost = off[k] - lm_ln_uniform(words);
            const int yes = lm_ln_uniform(words) <= 0.0 - cost;

            assert_int_equal(lm_exchange_accepts(cost, words), yes);
            seen[yes]++;
        }
        assert_true(lm_exchange_accepts(0.0, words) && lm_exchange_accepts(-0.0, words));
        assert_true(lm_exchange_accepts(-1e300, words) &&
                    lm_exchange_accepts(-(double)INFINITY, words));
        assert_false(lm_exchange_accepts(40.0, words) ||
                     lm_exchange_accepts((double)INFINITY, words) ||
                     lm_exchange_accepts((double)NAN, words));
    }
    assert_true(seen[0] > MANY / 16 && seen[1] > MANY / 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaussians_are_those_of_another_language),
        cmocka_unit_test(presets),
        cmocka_unit_test(all_are_described),
        cmocka_unit_test(logarithm_and_cosine),
        cmocka_unit_test(exchanges_go_by_the_logarithm),
        cmocka_unit_test(the_ends_of_gaussians),
        cmocka_unit_test(gaussians_are_gaussian),
        cmocka_unit_test(signs_have_their_shares),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
