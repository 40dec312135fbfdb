/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/sums/adder.h"

#include <string.h>

static void add(lm_adder *to, int level, double x);

/* The sum of a full block is an element of the level above. */
static void lift(lm_adder *to, int level)
{
    const double sum = lm_sums_fold(to->partial[level]);

    memset(to->partial[level], 0, sizeof to->partial[level]);
    to->count[level] = 0;
    add(to, level + 1, sum);
}

static void add(lm_adder *to, int level, double x)
{
    double *partial = &to->partial[level][to->count[level] % LM_SUMS_STRIDE];

    *partial = *partial + x;
    if (++to->count[level] == LM_SUMS_BLOCK)
        lift(to, level);
}

void lm_adder_one(lm_adder *adder, double x)
{
    add(adder, 0, x);
}

void lm_adder_some(lm_adder *adder, const double *restrict x, int64_t n)
{
    double *const restrict partial = adder->partial[0];
    const int64_t begin = adder->count[0];

    for (int64_t i = 0; i < n;) {
        const int64_t j = (begin + i) % LM_SUMS_STRIDE;

        if (j == 0 && n - i >= LM_SUMS_STRIDE) {
            for (int k = 0; k < LM_SUMS_STRIDE; k++)
                partial[k] = partial[k] + x[i + k];
            i += LM_SUMS_STRIDE;
        } else {
            partial[j] = partial[j] + x[i];
            i++;
        }
    }
    adder->count[0] += (int)n;
    if (adder->count[0] == LM_SUMS_BLOCK)
        lift(adder, 0);
}

static int any_above(const lm_adder *adder, int level)
{
    int any = 0;

    while (++level < LM_ADDER_LEVELS)
        any |= adder->count[level];
    return any;
}

/* The block that has no level above it is the whole sum. Further levels would only add zeros to it.
 * A sum of 0 has no sign, because partial sums begin as +0. */
double lm_adder_end(lm_adder *adder)
{
    int level = 0;
    double sum;

    for (; any_above(adder, level); level++)
        if (adder->count[level])
            lift(adder, level);
    sum = lm_sums_fold(adder->partial[level]);
    memset(adder->partial[level], 0, sizeof adder->partial[level]);
    adder->count[level] = 0;
    return sum;
}
