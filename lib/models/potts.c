/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the Potts model: its row in the table of models. */
#include <math.h>

#include "lib/models/draw.h"
#include "lib/models/entries.h"
#include "lib/models/states.h"
#include "lib/physics/potts_observe.h"
#include "lib/physics/potts_words_shape.h"

enum { OPTION_Q };

static const lm_entry options[] = {
    [OPTION_Q] = LM_OPTION(Q, "q", "states that a site may have, 2 to 256", LM_POTTS_LEAST,
                           LM_POTTS_MOST, 3.0),
};

static int states(const int64_t *chosen)
{
    return (int)chosen[OPTION_Q];
}

static const lm_entry params[] = {
    [LM_POTTS_BETA] = LM_PARAM(BETA, "beta",
                               "inverse temperature, in 1/energy; the preset, ln(1 + sqrt 3), is "
                               "critical on the square lattice for q = 3",
                               -LM_HUGE_PARAM, LM_HUGE_PARAM, 1.0050525387423810),
    [LM_POTTS_FIELD] = LM_PARAM(FIELD, "field", "uniform field h on state 0, in energy per site",
                                -LM_HUGE_PARAM, LM_HUGE_PARAM, 0.0),
};

static const lm_entry updates[] = {
    [LM_POTTS_METROPOLIS] = LM_ERGODIC(METROPOLIS, "metropolis",
                                       "propose one of all q states, accept with probability "
                                       "min(1, exp(-beta dE)), colour by colour",
                                       LATMC_BETA, LATMC_FIELD),
    [LM_POTTS_OTHER] = LM_ERGODIC(METROPOLIS_OTHER, "metropolis_other",
                                  "propose one of the q - 1 other states, accept with probability "
                                  "min(1, exp(-beta dE)), colour by colour",
                                  LATMC_BETA, LATMC_FIELD),
    [LM_POTTS_HEATBATH] =
        LM_ERGODIC(HEATBATH, "heatbath", "draw from the conditional distribution, colour by colour",
                   LATMC_BETA, LATMC_FIELD),
};

static int bundle_begin(const int64_t *chosen, int bundle, int dims)
{
    return lm_potts_bundle_begin(states(chosen), bundle, dims);
}

/* ---- observables */

static double energy(const lm_reading *in)
{
    return lm_potts_energy(in->dims, in->type_coupling, in->params[LM_POTTS_FIELD], in->sums) /
           in->sites;
}

static void energies(const lm_reading *in, int64_t stride, int64_t count, double *restrict values)
{
    lm_reading at = *in;

    for (int64_t i = 0; i < count; i++, at.sums += stride)
        values[i] = energy(&at);
}

static double action(const lm_reading *in)
{
    return lm_potts_action(in->dims, in->type_coupling, in->params, in->sums);
}

static const double *counts_of(const lm_reading *in)
{
    return in->sums + bundle_begin(in->options, LM_POTTS_STATES, in->dims);
}

static double order(const lm_reading *in)
{
    return lm_potts_order(states(in->options), in->sites, counts_of(in));
}

static double square(const lm_reading *in)
{
    return lm_potts_square(states(in->options), in->sites, counts_of(in));
}

static double length(const lm_reading *in)
{
    return sqrt(square(in));
}

static double occupation(const lm_reading *in)
{
    return counts_of(in)[in->index] / in->sites;
}

static double changed(const lm_reading *in)
{
    return in->sums[bundle_begin(in->options, LM_POTTS_CHANGES, in->dims)] / in->sites;
}

#define BONDS   (1u << LM_POTTS_BONDS)
#define STATES  (1u << LM_POTTS_STATES)
#define CHANGES (1u << LM_POTTS_CHANGES)

static const lm_entry observables[] = {
    LM_ENERGIES(BONDS, energy, energies),
    LM_POWERS(ORDER_PARAMETER, "order_parameter",
              "(q max_a rho_a - 1) / (q - 1), rho_a the share of the sites in state a",
              "the order parameter", STATES, order),
    LM_LENGTHS("|m|, m the mean of vectors to the corners of a simplex that stand for states",
               "m . m = sum_a (q rho_a - 1)^2 / (q (q - 1))", STATES, length, square),
    LM_CHANGED(CHANGES, changed),
    LM_OCCUPATION(STATES, occupation),
};

/* ---- sites */

/* A term is 1 if both states are the same, and otherwise 0. */
static void products(const lm_site_array *of, const void *a, const void *b, int64_t sites,
                     double *terms)
{
    const uint8_t *s = a, *t = b;

    (void)of;
    for (int64_t i = 0; i < sites; i++)
        terms[i] = s[i] == t[i] ? 1.0 : 0.0;
}

/* Each state is a component. A term is 1 if the site has this state, and otherwise 0. */
static void site_terms(const lm_site_array *of, const void *sites, int64_t count, int component,
                       double *terms)
{
    const uint8_t *s = sites;

    (void)of;
    for (int64_t i = 0; i < count; i++)
        terms[i] = s[i] == component ? 1.0 : 0.0;
}

#define KEPT(kept, digits)                                                                         \
    {                                                                                              \
        kept, &lm_digit_types[digits - 1], NULL, 0                                                 \
    }
#define KEPT_BY_DIGITS(kept)                                                                       \
    {                                                                                              \
        KEPT(kept, 1), KEPT(kept, 2), KEPT(kept, 3), KEPT(kept, 4)                                 \
    }

/* Sites are kept in words if states have few digits and couplings are signs. States with few digits
 * are saved as digits, however they are kept. */
static const lm_representation *representation(const int64_t *chosen, lm_kinds kinds)
{
    static const lm_representation words[LM_STATE_DIGITS] = KEPT_BY_DIGITS(LM_IN_WORDS),
                                   bytes[LM_STATE_DIGITS] = KEPT_BY_DIGITS(LM_AS_BYTES),
                                   many = {LM_AS_BYTES, &lm_state_types[0], NULL, 0};
    const int q = states(chosen), digits = lm_potts_digits(q);
    const int real = kinds.couplings == LM_REAL_COUPLINGS || kinds.site_fields;

    return q > LM_POTTS_BORDER ? &many : real ? &bytes[digits - 1] : &words[digits - 1];
}

const lm_model lm_model_potts = {
    .entry = {.id = LATMC_POTTS,
              .name = "potts",
              .meaning = "states 0 .. q - 1, E = -sum_<ij> J_ij delta(s_i, s_j) - sum_i h_i "
                         "delta(s_i, 0)"},
    .lists = {LM_HAS(LATMC_PARAMS, params), LM_HAS(LATMC_UPDATES, updates),
              LM_HAS(LATMC_OBSERVABLES, observables),
              LM_HAS_FIRST(LATMC_BOUNDARIES, lm_state_boundaries, LM_STATE_BOUNDARIES),
              LM_HAS_FIRST(LATMC_START_MODES, lm_state_starts, LM_STATE_STARTS),
              LM_HAS(LATMC_DISTRIBUTIONS, lm_distributions), LM_HAS(LATMC_ARGUMENTS, lm_arguments),
              LM_HAS(LATMC_OPTIONS, options),
              LM_HAS_FIRST(LATMC_PAIR_OBSERVABLES, lm_overlaps, LM_OVERLAPS)},
    .bundles = LM_POTTS_BUNDLES,
    .bundle_begin = bundle_begin,
    .action = action,
    .action_bundles = BONDS,
    .products = products,
    .site_terms = site_terms,
    .site_terms_of = states,
    .simplex = 1,
    .types = lm_state_types,
    .type_count = 2,
    .representation = representation,
    .states = states,
    .couplings = LM_SIGN_COUPLINGS,
    .site_fields = 1,
    .whole_moves = 1,
    .tuned = -1,
};
