/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/sums/adders.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"

latmc_status lm_adders_open(lm_adders *adders, const char *caller, int64_t width, int64_t most)
{
    *adders = (lm_adders){.width = width, .levels = 1};
    for (int64_t left = most; left >= LM_SUMS_BLOCK; left = LM_SUMS_BLOCKS(left))
        adders->levels++;
    adders->partial = lm_zeroed(caller, "partial sums", adders->levels * LM_SUMS_STRIDE * width,
                                sizeof *adders->partial);
    return adders->partial ? LATMC_OK : LATMC_ERROR_MEMORY;
}

void lm_adders_close(lm_adders *adders)
{
    free(adders->partial);
}

static double *level_of(const lm_adders *adders, int level)
{
    return adders->partial + level * LM_SUMS_STRIDE * adders->width;
}

/* Adds the 32 partial sums of a level to one, as lm_sums_fold() does. */
static const double *fold(const lm_adders *adders, int level)
{
    double *const p = level_of(adders, level);

    for (int half = LM_SUMS_STRIDE / 2; half > 0; half /= 2)
        for (int64_t i = 0; i < half * adders->width; i++)
            p[i] = p[i] + p[i + half * adders->width];
    return p;
}

static void clear(lm_adders *adders, int level)
{
    memset(level_of(adders, level), 0,
           LM_SUMS_STRIDE * (size_t)adders->width * sizeof *adders->partial);
    adders->count[level] = 0;
}

/* The sums of a full block are elements of the level above. */
static void lift(lm_adders *adders, int level)
{
    const double *const sums = fold(adders, level);
    double *const above =
        level_of(adders, level + 1) + adders->count[level + 1] % LM_SUMS_STRIDE * adders->width;

    for (int64_t i = 0; i < adders->width; i++)
        above[i] = above[i] + sums[i];
    clear(adders, level);
    if (++adders->count[level + 1] == LM_SUMS_BLOCK)
        lift(adders, level + 1);
}

void lm_adders_lift(lm_adders *adders)
{
    lift(adders, 0);
}

static int any_above(const lm_adders *adders, int level)
{
    int any = 0;

    while (++level < adders->levels)
        any |= adders->count[level];
    return any;
}

void lm_adders_end(lm_adders *adders, double *sums)
{
    int level = 0;

    for (; any_above(adders, level); level++)
        if (adders->count[level])
            lift(adders, level);
    memcpy(sums, fold(adders, level), (size_t)adders->width * sizeof *sums);
    clear(adders, level);
}
