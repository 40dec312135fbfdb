/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the clock model: its row in the table of models. */
#include <math.h>

#include "lib/geometry/waves.h"
#include "lib/models/draw.h"
#include "lib/models/entries.h"
#include "lib/models/states.h"
#include "lib/physics/clock_observe.h"

/* Each component has half of the table, as kernels that know no model take it. */
_Static_assert((int)LM_CLOCK_TABLE == (int)LM_MAX_TABLE, "the table is full");

enum { OPTION_Q };

static const lm_entry options[] = {
    [OPTION_Q] = LM_OPTION(Q, "q", "states that a site may have, at the angles 2 pi k / q, 2 to 64",
                           LM_CLOCK_LEAST, LM_CLOCK_MOST, 6.0),
};

static int states(const int64_t *chosen)
{
    return (int)chosen[OPTION_Q];
}

/* Cosines and sines of the states. */
static void table(const int64_t *chosen, double *numbers)
{
    double wave[LM_CLOCK_TABLE];

    lm_waves(states(chosen), states(chosen), wave);
    for (int k = 0; k < states(chosen); k++) {
        numbers[k] = wave[2 * k];
        numbers[LM_CLOCK_MOST + k] = wave[2 * k + 1];
    }
}

static const lm_entry params[] = {
    [LM_CLOCK_BETA] = LM_PARAM(BETA, "beta",
                               "inverse temperature, in 1/energy; the preset is between the two "
                               "transitions of q = 6 on the square lattice",
                               -LM_HUGE_PARAM, LM_HUGE_PARAM, 1.25),
    [LM_CLOCK_FIELD] = LM_PARAM(FIELD, "field", "uniform field h along state 0, in energy per site",
                                -LM_HUGE_PARAM, LM_HUGE_PARAM, 0.0),
};

static const lm_entry updates[] = {
    [LM_CLOCK_METROPOLIS] = LM_ERGODIC(METROPOLIS, "metropolis",
                                       "propose one of all q states, accept with probability "
                                       "min(1, exp(-beta dE)), colour by colour",
                                       LATMC_BETA, LATMC_FIELD),
    [LM_CLOCK_HEATBATH] =
        LM_ERGODIC(HEATBATH, "heatbath", "draw from the conditional distribution, colour by colour",
                   LATMC_BETA, LATMC_FIELD),
};

static int bundle_begin(const int64_t *chosen, int bundle, int dims)
{
    return lm_clock_bundle_begin(states(chosen), bundle, dims);
}

/* ---- observables */

static const double *sums_of(const lm_reading *in, int bundle)
{
    return in->sums + bundle_begin(in->options, bundle, in->dims);
}

static double energy(const lm_reading *in)
{
    return lm_clock_energy(in->dims, in->type_coupling, in->params[LM_CLOCK_FIELD], in->sums) /
           in->sites;
}

static double action(const lm_reading *in)
{
    return lm_clock_action(in->dims, in->type_coupling, in->params, in->sums);
}

static double moment_of(const lm_reading *in, int component)
{
    return lm_clock_moment(states(in->options), in->sites, sums_of(in, LM_CLOCK_STATES),
                           in->table + LM_CLOCK_MOST * component);
}

static double moment(const lm_reading *in)
{
    return moment_of(in, in->index);
}

static double square(const lm_reading *in)
{
    const double m0 = moment_of(in, 0), m1 = moment_of(in, 1);

    return m0 * m0 + m1 * m1;
}

static double length(const lm_reading *in)
{
    return sqrt(square(in));
}

static double structure(const lm_reading *in)
{
    const double *const wave = sums_of(in, LM_CLOCK_WAVES) + 2 * in->index;
    const double all = in->sites * in->sites;

    return (lm_wave_square(wave) + lm_wave_square(wave + 2 * in->dims)) / all;
}

static double helicity(const lm_reading *in)
{
    return lm_clock_helicity(in->dims, in->index, in->type_coupling[in->index],
                             in->params[LM_CLOCK_BETA], in->sites, sums_of(in, LM_CLOCK_TWISTS));
}

static double occupation(const lm_reading *in)
{
    return sums_of(in, LM_CLOCK_STATES)[in->index] / in->sites;
}

static double changed(const lm_reading *in)
{
    return sums_of(in, LM_CLOCK_CHANGES)[0] / in->sites;
}

#define BONDS   (1u << LM_CLOCK_BONDS)
#define WAVES   (1u << LM_CLOCK_WAVES)
#define TWISTS  (1u << LM_CLOCK_TWISTS)
#define STATES  (1u << LM_CLOCK_STATES)
#define CHANGES (1u << LM_CLOCK_CHANGES)

static int two(const lm_reading *in)
{
    (void)in;
    return 2;
}

static const lm_entry observables[] = {
    LM_ENERGIES(BONDS, energy, NULL),
    LM_VECTOR_MAGNETIZATIONS("m = (1/N) sum_i s_i, of cosines and of sines of 2 pi k / q", STATES,
                             moment, two, length, square),
    LM_STRUCTURE("sum over c of |(1/N) sum s_c exp(i k x)|^2", WAVES, structure),
    {.id = LATMC_HELICITY,
     .name = "helicity",
     .meaning = "its mean is the second derivative by a small twist along the axis, in energy",
     .role = LATMC_ROLE_NONE,
     .index = LATMC_INDEX_AXIS,
     .bundles = TWISTS,
     .observe = helicity},
    LM_CHANGED(CHANGES, changed),
    LM_OCCUPATION(STATES, occupation),
};

/* Each term is the cosine of the angle between two states. */
static void products(const lm_site_array *of, const void *a, const void *b, int64_t sites,
                     double *terms)
{
    const uint8_t *s = a, *t = b;
    const double *const sines = of->table + LM_CLOCK_MOST;

    for (int64_t i = 0; i < sites; i++)
        terms[i] = of->table[s[i]] * of->table[t[i]] + sines[s[i]] * sines[t[i]];
}

/* The components are the cosine and the sine of the state's angle. */
static void site_terms(const lm_site_array *of, const void *sites, int64_t count, int component,
                       double *terms)
{
    const uint8_t *s = sites;
    const double *const parts = of->table + (ptrdiff_t)LM_CLOCK_MOST * component;

    for (int64_t i = 0; i < count; i++)
        terms[i] = parts[s[i]];
}

static int site_terms_of(const int64_t *chosen)
{
    (void)chosen;
    return 2;
}

static const lm_representation bytes = {LM_AS_BYTES, &lm_state_types[0], NULL, 0};

const lm_model lm_model_clock = {
    .entry = {.id = LATMC_CLOCK,
              .name = "clock",
              .meaning = "states k at the angles t = 2 pi k / q, E = -sum_<ij> J_ij cos(t_i - t_j) "
                         "- sum_i h_i cos t_i"},
    .lists = {LM_HAS(LATMC_PARAMS, params), LM_HAS(LATMC_UPDATES, updates),
              LM_HAS(LATMC_OBSERVABLES, observables),
              LM_HAS_FIRST(LATMC_BOUNDARIES, lm_state_boundaries, LM_STATE_BOUNDARIES),
              LM_HAS_FIRST(LATMC_START_MODES, lm_state_starts, LM_STATE_STARTS),
              LM_HAS(LATMC_DISTRIBUTIONS, lm_distributions), LM_HAS(LATMC_ARGUMENTS, lm_arguments),
              LM_HAS(LATMC_OPTIONS, options),
              LM_HAS_FIRST(LATMC_PAIR_OBSERVABLES, lm_overlaps, LM_OVERLAPS)},
    .bundles = LM_CLOCK_BUNDLES,
    .bundle_begin = bundle_begin,
    .action = action,
    .action_bundles = BONDS,
    .table = table,
    .products = products,
    .site_terms = site_terms,
    .site_terms_of = site_terms_of,
    .types = lm_state_types,
    .type_count = 1,
    .only = &bytes,
    .states = states,
    .couplings = LM_REAL_COUPLINGS,
    .site_fields = 1,
    .whole_moves = 1,
    .tuned = -1,
};
