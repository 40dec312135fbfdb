/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the Potts model of few states, in words, to the engine of words on CPUs. */
#include <string.h>

#include "backends/cpu/bits/plan.h"
#include "backends/cpu/bits/potts_words.h"
#include "backends/cpu/cpu.h"
#include "backends/potts_rules.h"
#include "lib/physics/lane_one.h"

#include "lib/physics/ballot.h"
#include "lib/physics/potts_observe.h"
#include "lib/physics/potts_words_shape.h"

static const lm_digit_loops *loops_of(const lm_bits_plan *p)
{
    return (const lm_digit_loops *)p->lane;
}

static float float_of(uint64_t bits)
{
    const uint32_t word = (uint32_t)bits;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

/* Finds what the replicas of a group draw by, in the order of the word. */
static void find_baths(const lm_bits_plan *p, int64_t group_of_all, lm_potts_bath *bath)
{
    const lm_rules *rules = &p->rules;
    const int per_word = p->words.per_word;
    for (int i = 0; i < per_word; i++) {
        const int64_t r = group_of_all * per_word + i - p->spec.first_replica;
        bath[i] = (lm_potts_bath){.beta = 0.0f};
        if (r < 0 || r >= p->spec.replicas)
            continue;
        const uint64_t *of = lm_rules_thresholds_of(rules, LM_POTTS_HEATBATH, r);
        bath[i] = lm_potts_bath_of(float_of(of[LM_POTTS_OF_BETA]), float_of(of[LM_POTTS_OF_FIELD]),
                                   rules->coupling);
    }
}

static void bathe(const lm_bits_plan *p, int update, lm_bits_band *bands, int count)
{
    lm_potts_bath bath[32];
    const lm_potts_more more = {.sets = p->rules.shape[update].sets, .bath = bath};
    find_baths(p, bands->group, bath);
    for (lm_bits_band *b = bands; b < bands + count; b++) {
        b->more = &more;
        loops_of(p)->heat_bath(b);
    }
}

static void move(const lm_bits_plan *p, int update, lm_bits_band *bands, int count)
{
    const lm_word_rule rule = lm_bits_rule_of(p, update, bands);
    const lm_potts_more more = {.other_state = update == LM_POTTS_OTHER};
    for (lm_bits_band *b = bands; b < bands + count; b++) {
        b->more = &more;
        b->plain = lm_rules_are_plain(&p->rules, update);
        b->rule = &rule;
        loops_of(p)->metropolis(b);
    }
}

static void update_bands(const lm_bits_plan *p, int update, lm_bits_band *bands, int count)
{
    (update == LM_POTTS_HEATBATH ? bathe : move)(p, update, bands, count);
}

/* In a folded lattice, the bonds of sublattice 0 are all bonds. Sites have no fields. */
static void measure(const lm_bits_plan *p, unsigned bundles, const lm_bits_band *bands, int count,
                    int64_t (*sums)[LM_BITS_MAX_SUMS])
{
    const int dims = p->spec.dims, states = p->spec.states;
    const int of_states = lm_potts_bundle_begin(states, LM_POTTS_STATES, dims);
    if (bundles >> LM_POTTS_BONDS & 1) {
        if (bands->colour == 0)
            loops_of(p)->bonds(bands, count, sums);
        loops_of(p)->sites(bands, count, dims + 1, 1, sums);
    }
    if (bundles >> LM_POTTS_STATES & 1)
        loops_of(p)->sites(bands, count, of_states, states, sums);
}

/* Returns a rough estimate. */
static double work(const lm_bits_plan *p, int update)
{
    return update == LM_POTTS_HEATBATH ? 12.0 : lm_rules_are_plain(&p->rules, update) ? 2.5 : 4.0;
}

static const void *const lanes[] = {LM_EVERY_LANE(lm_potts_words_loops_, )};

static const lm_bits_model model = {.lanes = lanes,
                                    .common = &lm_potts_words_model,
                                    .update = update_bands,
                                    .measure = measure,
                                    .work = work};

const lm_backend_model lm_cpu_potts_words = {.model = LATMC_POTTS,
                                             .kept = LM_IN_WORDS,
                                             .ops = &lm_bits_ops,
                                             .engine = &model,
                                             .open = lm_bits_open};
