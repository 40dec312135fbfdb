/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the Ising model: its row in the table of models. */
#include "lib/models/draw.h"
#include "lib/models/byte_values.h"
#include "lib/models/entries.h"
#include "lib/models/saved_digits.h"
#include "lib/physics/ising_bytes.h"
#include "lib/physics/ising_observe.h"
#include "lib/physics/structure.h"
#include "lib/base/signs.h"

static const lm_entry params[] = {
    [LM_ISING_BETA] = LM_PARAM(BETA, "beta",
                               "inverse temperature, in 1/energy; the preset, ln(1 + sqrt 2)/2, is "
                               "critical on the square lattice",
                               -LM_HUGE_PARAM, LM_HUGE_PARAM, 0.44068679350977151),
    [LM_ISING_FIELD] = LM_PARAM(FIELD, "field", "uniform external field h, in energy per spin",
                                -LM_HUGE_PARAM, LM_HUGE_PARAM, 0.0),
};

static const lm_entry updates[] = {
    [LM_ISING_METROPOLIS] = LM_ERGODIC(
        METROPOLIS, "metropolis", "flip with probability min(1, exp(-beta dE)), colour by colour",
        LATMC_BETA, LATMC_FIELD),
    [LM_ISING_HEATBATH] =
        LM_ERGODIC(HEATBATH, "heatbath", "draw from the conditional distribution, colour by colour",
                   LATMC_BETA, LATMC_FIELD),
};

static int words_begin(const int64_t *options, int bundle, int dims)
{
    (void)options;
    return lm_ising_bundle_begin(bundle, dims);
}

static int bytes_begin(const int64_t *options, int bundle, int dims)
{
    (void)options;
    return lm_ising_bytes_bundle_begin(bundle, dims);
}

/* Sites kept as bytes have fields of their own, so their sums include the sum of these fields. */
static int first_sum(const lm_reading *in, int bundle)
{
    return in->kept == LM_AS_BYTES ? bytes_begin(in->options, bundle, in->dims)
                                   : words_begin(in->options, bundle, in->dims);
}

static const double *field_sum(const lm_reading *in)
{
    return in->kept == LM_AS_BYTES ? &in->sums[in->dims] : NULL;
}

static double energy(const lm_reading *in)
{
    return lm_ising_energy(in->dims, in->type_coupling, in->params[LM_ISING_FIELD], in->sums,
                           in->sums[first_sum(in, LM_ISING_SPINS)], field_sum(in)) /
           in->sites;
}

/* Computes energies of lattices in words. `dims` is a constant, and no value is loaded again for
 * each energy: a series may have one energy in 5 ns. */
static inline void energies_of(int dims, const lm_reading *in, int64_t stride, int64_t count,
                               double *restrict values)
{
    const double *sums = in->sums, field = in->params[LM_ISING_FIELD], sites = in->sites;
    const int spins = lm_ising_bundle_begin(LM_ISING_SPINS, dims);
    double coupling[LATMC_MAX_DIMS];

    memcpy(coupling, in->type_coupling, (size_t)dims * sizeof *coupling);
    for (int64_t i = 0; i < count; i++, sums += stride)
        values[i] = lm_ising_energy(dims, coupling, field, sums, sums[spins], NULL) / sites;
}

static void energies(const lm_reading *in, int64_t stride, int64_t count, double *restrict values)
{
    lm_reading at = *in;

    if (in->kept != LM_AS_BYTES && in->dims == 2)
        energies_of(2, in, stride, count, values);
    else if (in->kept != LM_AS_BYTES && in->dims == 3)
        energies_of(3, in, stride, count, values);
    else
        for (int64_t i = 0; i < count; i++, at.sums += stride)
            values[i] = energy(&at);
}

static double action(const lm_reading *in)
{
    return lm_ising_action(in->dims, in->type_coupling, in->params, in->sums,
                           in->sums[first_sum(in, LM_ISING_SPINS)], field_sum(in));
}

static double magnetization(const lm_reading *in)
{
    return in->sums[first_sum(in, LM_ISING_SPINS)] / in->sites;
}

static void magnetizations(const lm_reading *in, int64_t stride, int64_t count,
                           double *restrict values)
{
    lm_reading at = *in;

    for (int64_t i = 0; i < count; i++, at.sums += stride)
        values[i] = magnetization(&at);
}

/* Lattices in words use the waves of planes. Lattices in bytes use sums of the device. */
static double structure(const lm_reading *in)
{
    const double *waves =
        in->kept == LM_AS_BYTES ? in->sums + first_sum(in, LM_ISING_WAVES) : in->waves;

    return lm_structure(in->sites, waves + 2 * in->index);
}

static double changed(const lm_reading *in)
{
    return in->sums[first_sum(in, LM_ISING_CHANGES)] / in->sites;
}

#define BONDS   (1u << LM_ISING_BONDS)
#define SPINS   (1u << LM_ISING_SPINS)
#define WAVES   (1u << LM_ISING_WAVES)
#define CHANGES (1u << LM_ISING_CHANGES)

static const lm_entry observables[] = {
    LM_ENERGIES(BONDS | SPINS, energy, energies),
    LM_MAGNETIZATIONS(SPINS, magnetization, magnetizations),
    LM_STRUCTURE("|(1/N) sum s exp(i k x)|^2", WAVES, structure),
    LM_CHANGED(CHANGES, changed),
};

static const lm_entry start_modes[] = {
    {.id = LATMC_START_HOT,
     .name = "hot",
     .meaning = "every spin -1 or +1 with probability 1/2, drawn from the seed"},
    {.id = LATMC_START_COLD, .name = "cold", .meaning = "every spin +1"},
};

static int64_t check_sites(const void *sites, int64_t count, int components)
{
    (void)components;
    return lm_first_strange((lm_byte_values){.least = (uint8_t)-1, .most = 2, .never = 1}, sites,
                            count);
}

/* A bit is 1 for spin +1. */
static void encode(const void *sites, int64_t count, uint8_t *bytes)
{
    lm_save_bits(lm_bits_of_signs, sites, count, bytes);
}

static void decode(const uint8_t *bytes, int64_t count, void *sites)
{
    lm_load_bits(lm_signs_of_bits, bytes, count, sites);
}

static const lm_site_type types[] = {{.entry = LM_TYPE(INT8, "int8", "-1 or +1", int8_t, 1),
                                      .check = check_sites,
                                      .encode = encode,
                                      .decode = decode,
                                      .check_saved = lm_check_saved_bits},
                                     LM_SAVED_TYPE(1)};

static const lm_representation *representation(const int64_t *options, lm_kinds kinds)
{
    static const lm_representation words = {LM_IN_WORDS, types, NULL, WAVES},
                                   bytes = {LM_AS_BYTES, types, bytes_begin, 0};

    (void)options;
    return kinds.couplings == LM_REAL_COUPLINGS || kinds.site_fields ? &bytes : &words;
}

const lm_model lm_model_ising = {
    .entry = {.id = LATMC_ISING,
              .name = "ising",
              .meaning = "spins -1 and +1, E = -sum_<ij> J_ij s_i s_j - sum_i h_i s_i"},
    .lists = {LM_HAS(LATMC_PARAMS, params), LM_HAS(LATMC_UPDATES, updates),
              LM_HAS(LATMC_OBSERVABLES, observables), LM_HAS(LATMC_BOUNDARIES, lm_boundaries),
              LM_HAS(LATMC_START_MODES, start_modes), LM_HAS(LATMC_DISTRIBUTIONS, lm_distributions),
              LM_HAS(LATMC_ARGUMENTS, lm_arguments),
              LM_HAS_FIRST(LATMC_PAIR_OBSERVABLES, lm_overlaps, LM_OVERLAPS)},
    .bundles = LM_ISING_BUNDLES,
    .bundle_begin = words_begin,
    .action = action,
    .action_bundles = BONDS | SPINS,
    .products = lm_spin_products,
    .whole_products = 1,
    .site_terms = lm_spin_terms,
    .types = types,
    .type_count = 2,
    .representation = representation,
    .couplings = LM_SIGN_COUPLINGS,
    .site_fields = 1,
    .whole_moves = 1,
    .tuned = -1,
};
