/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/models/draw.h"

#include "lib/physics/lane_one.h"

#include "lib/physics/gauss.h"
#include "lib/physics/mathfn.h"
#include "lib/physics/philox.h"

#define HUGE_ARGUMENT 1e6 /* no product of these overflows a float, as sites may have it */

enum { DRAW_UNIFORM = 0, DRAW_GAUSSIAN = 1 }; /* kinds of blocks of a bond or site */

const lm_entry lm_distributions[LM_DISTRIBUTIONS] = {
    {.id = LATMC_PLUS_MINUS_ONE,
     .name = "pm1",
     .meaning = "+1 with probability plus, otherwise -1"},
    {.id = LATMC_GAUSSIAN,
     .name = "gaussian",
     .meaning = "normal, of the given mean and width (standard deviation)"},
};

#define MISSING_OF(which)                                                                          \
    {                                                                                              \
        .id = LATMC_DRAW_MISSING, .name = "missing",                                               \
        .meaning = "share of what is 0, such as no bond", .minimum = 0.0, .maximum = 1.0,          \
        .preset = 0.0, .distribution = which                                                       \
    }

const lm_entry lm_arguments[LM_DESCRIBED_ARGUMENTS] = {
    {.id = LATMC_DRAW_PLUS,
     .name = "plus",
     .meaning = "share of +1 among what is not missing",
     .minimum = 0.0,
     .maximum = 1.0,
     .preset = 0.5,
     .distribution = LATMC_PLUS_MINUS_ONE},
    MISSING_OF(LATMC_PLUS_MINUS_ONE),
    MISSING_OF(LATMC_GAUSSIAN),
    {.id = LATMC_DRAW_MEAN,
     .name = "mean",
     .meaning = "mean; of couplings in units of the axis' coupling, of fields in those of energy",
     .minimum = -HUGE_ARGUMENT,
     .maximum = HUGE_ARGUMENT,
     .preset = 0.0,
     .distribution = LATMC_GAUSSIAN},
    {.id = LATMC_DRAW_WIDTH,
     .name = "width",
     .meaning = "standard deviation, in the units of the mean",
     .minimum = 0.0,
     .maximum = HUGE_ARGUMENT,
     .preset = 1.0,
     .distribution = LATMC_GAUSSIAN},
};

lm_draw lm_draw_of(latmc_distribution distribution, uint64_t seed)
{
    lm_draw how = {.distribution = distribution, .seed = seed};

    for (int i = 0; i < LM_DESCRIBED_ARGUMENTS; i++)
        if (lm_arguments[i].distribution == (int)distribution)
            how.values[LM_ARGUMENT(lm_arguments[i].id)] = lm_arguments[i].preset;
    return how;
}

/* The stream of integers u. A block has four of them. */
typedef struct draw_source {
    lm_stream stream;
    int64_t have; /* the number of the block in memory */
    uint32_t block[4];
} draw_source;

static uint32_t next_uniform(draw_source *s, int64_t index)
{
    if (index / 4 != s->have) {
        s->have = index / 4;
        lm_random_words(&s->stream, (uint64_t)s->have, DRAW_UNIFORM, s->block);
    }
    return s->block[index % 4];
}

static double gaussian(const draw_source *s, int64_t index)
{
    uint32_t words[4];

    lm_random_words(&s->stream, (uint64_t)index, DRAW_GAUSSIAN, words);
    return lm_gaussian(words);
}

void lm_draw_numbers(const lm_draw *how, lm_owner owner, int axis, int64_t sample, int64_t first,
                     int64_t count, double *numbers)
{
    const lm_domain domain = owner == LM_OF_BONDS ? LM_DOMAIN_COUPLINGS : LM_DOMAIN_SITE_FIELDS;
    const double missing = how->values[LM_ARGUMENT(LATMC_DRAW_MISSING)];
    const double mean = how->values[LM_ARGUMENT(LATMC_DRAW_MEAN)];
    const double width = how->values[LM_ARGUMENT(LATMC_DRAW_WIDTH)];
    const double share = (1.0 - missing) * how->values[LM_ARGUMENT(LATMC_DRAW_PLUS)];
    const uint64_t gone = lm_threshold(missing), plus = gone + lm_threshold(share);
    const lm_keys keys = lm_keys_of(how->seed, (uint64_t)sample);
    draw_source s = {.stream = lm_stream_of(&keys, domain, 0, lm_group_low(sample), (uint32_t)axis),
                     .have = -1};

    for (int64_t i = first; i < first + count; i++) {
        const uint32_t u = next_uniform(&s, i);
        double *to = numbers + (i - first);

        if (u < gone)
            *to = 0.0;
        else if (how->distribution == LATMC_GAUSSIAN)
            *to = mean + width * gaussian(&s, i);
        else
            *to = u < plus ? 1.0 : -1.0;
    }
}
