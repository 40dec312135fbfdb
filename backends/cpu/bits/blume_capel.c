/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the Blume-Capel model to the engine of words on CPUs. */
#include "backends/blume_capel_rules.h"
#include "backends/cpu/bits/digit_loops.h"
#include "backends/cpu/bits/plan.h"
#include "backends/cpu/cpu.h"
#include "lib/physics/lane_one.h"

#include "lib/physics/ballot.h"
#include "lib/physics/blume_capel_observe.h"
#include "lib/physics/blume_capel_shape.h"

LM_DECLARE_LANES(lm_digit_loops, lm_blume_capel_loops_, );

static const lm_digit_loops *loops_of(const lm_bits_plan *p)
{
    return (const lm_digit_loops *)p->lane;
}

static void update_bands(const lm_bits_plan *p, int update, lm_bits_band *bands, int count)
{
    const lm_word_rule rule = lm_bits_rule_of(p, update, bands);
    for (lm_bits_band *b = bands; b < bands + count; b++) {
        b->plain = lm_rules_are_plain(&p->rules, update);
        b->rule = &rule;
        (rule.shape.heat_bath ? loops_of(p)->heat_bath : loops_of(p)->metropolis)(b);
    }
}

/* In a folded lattice, the bonds of sublattice 0 are all bonds. */
static void measure(const lm_bits_plan *p, unsigned bundles, const lm_bits_band *bands, int count,
                    int64_t (*sums)[LM_BITS_MAX_SUMS])
{
    const int spins = lm_blume_capel_bundle_begin(LM_BLUME_CAPEL_SPINS, p->spec.dims);
    if (bundles >> LM_BLUME_CAPEL_BONDS & 1 && bands->colour == 0)
        loops_of(p)->bonds(bands, count, sums);
    if (bundles >> LM_BLUME_CAPEL_SPINS & 1)
        loops_of(p)->sites(bands, count, spins, 2, sums);
}

/* Returns a rough estimate. */
static double work(const lm_bits_plan *p, int update)
{
    return lm_rules_are_plain(&p->rules, update) ? 3.0 : 6.0;
}

static const void *const lanes[] = {LM_EVERY_LANE(lm_blume_capel_loops_, )};

static const lm_bits_model model = {.lanes = lanes,
                                    .common = &lm_blume_capel_words_model,
                                    .update = update_bands,
                                    .measure = measure,
                                    .work = work};

const lm_backend_model lm_cpu_blume_capel = {.model = LATMC_BLUME_CAPEL,
                                             .kept = LM_IN_WORDS,
                                             .ops = &lm_bits_ops,
                                             .engine = &model,
                                             .open = lm_bits_open};
