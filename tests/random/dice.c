/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/random/dice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/numbers.h"
#include "tests/random/case.h"

int64_t draw_between(draw_dice *d, int64_t least, int64_t most)
{
    return least + (int64_t)(next_random(&d->state) % (uint64_t)(most - least + 1));
}

int draw_chance(draw_dice *d, double probability)
{
    return case_uniform(&d->state) < probability;
}

double draw_log(draw_dice *d, double least, double most)
{
    return least * pow(most / least, case_uniform(&d->state));
}

double draw_rounded(double x)
{
    char text[40];

    snprintf(text, sizeof text, "%.4g", x);
    return strtod(text, NULL);
}

double draw_uniform(draw_dice *d, double least, double most)
{
    return draw_rounded(least + (most - least) * case_uniform(&d->state));
}

uint64_t draw_seed(draw_dice *d)
{
    return draw_chance(d, 0.1) ? next_random(&d->state) : (uint64_t)draw_between(d, 0, 999);
}
