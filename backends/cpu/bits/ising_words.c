/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the Ising model to the engine of words on CPUs. */
#include "backends/cpu/bits/ising_words.h"
#include "backends/cpu/bits/plan.h"
#include "backends/cpu/cpu.h"
#include "backends/ising_rules.h"
#include "lib/physics/lane_one.h"

#include "lib/physics/ising_words.h"
#include "lib/physics/ising_observe.h"
#include "lib/physics/pair_sums.h"

static const lm_ising_loops *loops_of(const lm_bits_plan *p)
{
    return (const lm_ising_loops *)p->lane;
}

static void update_uniform(const lm_bits_plan *p, lm_bits_band *bands, int count)
{
    const uint32_t *planes = p->rules.tables[LM_UNIFORM_RULE].planes;
    const int64_t group = bands->group - p->words.first_group, each = 32 * p->spec.dims;
    for (int i = 0; i < count; i++) {
        bands[i].planes = planes + group * each;
        bands[i].flip = planes[p->words.groups * each + group];
    }
    loops_of(p)->uniform[p->spec.dims - 2](bands, count);
}

static void update_by_rule(const lm_bits_plan *p, int update, lm_bits_band *bands, int count)
{
    const lm_word_rule rule = lm_bits_rule_of(p, update, bands);
    for (int i = 0; i < count; i++)
        bands[i].rule = &rule;
    loops_of(p)->general[p->spec.dims - 1](bands, count);
}

static void update_bands(const lm_bits_plan *p, int update, lm_bits_band *bands, int count)
{
    if (p->rules.uniform[update])
        update_uniform(p, bands, count);
    else
        update_by_rule(p, update, bands, count);
}

/* In a folded lattice, the bonds of sublattice 0 are all bonds. */
static void measure(const lm_bits_plan *p, unsigned bundles, const lm_bits_band *bands, int count,
                    int64_t (*sums)[LM_BITS_MAX_SUMS])
{
    const int d = p->spec.dims;
    int64_t sites = 0, ups[32] = {0};
    for (const lm_bits_band *b = bands; b < bands + count; b++)
        sites += (b->end - b->begin) / p->words.width * p->spec.extents[0] / p->words.sublattices;
    if (bands->colour == 0 && bundles >> LM_ISING_BONDS & 1)
        loops_of(p)->bond_sums[d - 1](bands, count, sums);
    if (bundles >> LM_ISING_SPINS & 1)
        loops_of(p)->count_up(bands, count, ups);
    for (int r = 0; r < p->words.per_word; r++)
        sums[r][d] += 2 * ups[r] - sites;
}

/* Any other rule takes longer than the uniform one. */
static double work(const lm_bits_plan *p, int update)
{
    return p->rules.uniform[update] ? 1.0 : 1.6;
}

static const void *const lanes[] = {LM_EVERY_LANE(lm_ising_loops_, )};

static const lm_bits_model model = {.lanes = lanes,
                                    .common = &lm_ising_words_model,
                                    .update = update_bands,
                                    .measure = measure,
                                    .work = work};

static const lm_plan_ops ops = {
    LM_BITS_OPS,
    .pair_bundles = 1u << LM_PAIR_OVERLAP | 1u << LM_PAIR_LINKS,
    .pairs = lm_bits_pairs,
    .most_planes = LM_BITS_MAX_PLANES,
    .pair_planes = lm_bits_pair_planes,
    .spin_planes = lm_bits_spin_planes,
};

const lm_backend_model lm_cpu_ising_words = {
    .model = LATMC_ISING, .kept = LM_IN_WORDS, .ops = &ops, .engine = &model, .open = lm_bits_open};
