/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes cellular automata: their row in the table of models. */
#include "lib/models/automaton_cells.h"
#include "lib/models/byte_values.h"
#include "lib/models/entries.h"
#include "lib/models/saved_digits.h"
#include "lib/physics/automaton_rule.h"
#include "lib/base/status.h"

enum { LEAST_EXTENT = 3, ALL_NUMBERS = (1 << 9) - 1 };

static const lm_entry options[] = {
    [LM_AUTOMATON_BIRTH] =
        LM_OPTION(BIRTH, "birth",
                  "numbers of living neighbours with which a dead cell comes to life, bit n for n",
                  0.0, ALL_NUMBERS, LM_LIFE_BIRTH),
    [LM_AUTOMATON_SURVIVAL] =
        LM_OPTION(SURVIVAL, "survival", "those with which a living cell stays alive, bit n for n",
                  0.0, ALL_NUMBERS, LM_LIFE_SURVIVAL),
};

static const lm_entry params[] = {
    [LM_AUTOMATON_NOISE] = LM_PARAM(
        NOISE, "noise", "probability with which a cell becomes the other of what the rule says",
        0.0, 1.0, 0.0),
};

static const lm_entry updates[] = {
    [LM_AUTOMATON_SYNCHRONOUS] = {.id = LATMC_SYNCHRONOUS,
                                  .name = "synchronous",
                                  .at_once = 1,
                                  LM_READS(LATMC_NOISE),
                                  .meaning = "a generation, all cells at once; not ergodic, "
                                             "since without noise nothing is left to chance"},
};

static int bundle_begin(const int64_t *of_options, int bundle, int dims)
{
    (void)of_options;
    (void)dims;
    return bundle;
}

static double density(const lm_reading *in)
{
    return in->sums[LM_AUTOMATON_LIVING] / in->sites;
}

static double changed(const lm_reading *in)
{
    return in->sums[LM_AUTOMATON_CHANGES] / in->sites;
}

static const lm_entry observables[] = {
    {.id = LATMC_DENSITY,
     .name = "density",
     .meaning = "share of the cells that live",
     .role = LATMC_ROLE_ORDER,
     .bundles = 1u << LM_AUTOMATON_LIVING,
     .per_site = 1,
     .observe = density},
    LM_CHANGED(1u << LM_AUTOMATON_CHANGES, changed),
};

static const lm_entry boundaries[] = {
    {.id = LATMC_PERIODIC, .name = "periodic", .meaning = "the last cell's neighbour is the first"},
    {.id = LATMC_OPEN, .name = "open", .meaning = "beyond the ends all cells are dead"},
};

static const lm_entry start_modes[] = {
    {.id = LATMC_START_HOT,
     .name = "hot",
     .meaning = "every cell dead or living with probability 1/2, drawn from the seed"},
    {.id = LATMC_START_COLD, .name = "cold", .meaning = "every cell dead"},
};

/* ---- cells */

static int64_t check_sites(const void *sites, int64_t count, int components)
{
    (void)components;
    return lm_first_strange((lm_byte_values){.most = 1}, sites, count);
}

/* A bit is 1 for a living cell. */
static void encode(const void *sites, int64_t count, uint8_t *bytes)
{
    lm_save_bits(lm_automaton_bits, sites, count, bytes);
}

static void decode(const uint8_t *bytes, int64_t count, void *sites)
{
    lm_load_bits(lm_automaton_cells, bytes, count, sites);
}

static const lm_site_type types[] = {
    {.entry = LM_TYPE(INT8, "int8", "0, dead, or 1, living", int8_t, 1),
     .check = check_sites,
     .encode = encode,
     .decode = decode,
     .check_saved = lm_check_saved_bits},
    LM_SAVED_TYPE(1)};

static const lm_representation words = {LM_IN_WORDS, types, NULL, 0};

static latmc_status check(const lm_spec *spec, const char *caller, const double *params_of)
{
    (void)params_of;
    if (spec->dims != 2)
        return lm_fail(LATMC_ERROR_STATE,
                       "%s: the lattice has %d dimensions; an automaton has 2, in which a cell "
                       "has eight neighbours",
                       caller, spec->dims);
    for (int a = 0; a < 2; a++)
        if (spec->extents[a] < LEAST_EXTENT)
            return lm_fail(LATMC_ERROR_STATE,
                           "%s: extent %d is %d; of an automaton it must be at least %d, so that "
                           "the eight neighbours are different cells",
                           caller, a, (int)spec->extents[a], LEAST_EXTENT);
    return LATMC_OK;
}

const lm_model lm_model_automaton = {
    .entry = {.id = LATMC_AUTOMATON,
              .name = "automaton",
              .meaning = "a life-like cellular automaton: cells 0 and 1, and what becomes of them "
                         "by their eight neighbours"},
    .lists = {LM_HAS(LATMC_PARAMS, params), LM_HAS(LATMC_UPDATES, updates),
              LM_HAS(LATMC_OBSERVABLES, observables), LM_HAS(LATMC_BOUNDARIES, boundaries),
              LM_HAS(LATMC_START_MODES, start_modes), LM_HAS(LATMC_OPTIONS, options)},
    .bundles = LM_AUTOMATON_BUNDLES,
    .bundle_begin = bundle_begin,
    .site_terms = lm_spin_terms,
    .types = types,
    .type_count = 2,
    .only = &words,
    .whole_moves = 1,
    .check = check,
    .tuned = -1,
};
