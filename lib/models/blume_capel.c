/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the Blume-Capel model: its row in the table of models. */
#include "lib/models/draw.h"
#include "lib/models/byte_values.h"
#include "lib/models/entries.h"
#include "lib/models/saved_digits.h"
#include "lib/physics/blume_capel_observe.h"

static const lm_entry params[] = {
    [LM_BLUME_CAPEL_BETA] =
        LM_PARAM(BETA, "beta",
                 "inverse temperature, in 1/energy; the preset is nearly critical on "
                 "the square lattice without a crystal field",
                 -LM_HUGE_PARAM, LM_HUGE_PARAM, 0.59),
    [LM_BLUME_CAPEL_CRYSTAL_FIELD] = LM_PARAM(CRYSTAL_FIELD, "crystal_field",
                                              "crystal field D, in energy per spin that is not 0",
                                              -LM_HUGE_PARAM, LM_HUGE_PARAM, 0.0),
    [LM_BLUME_CAPEL_FIELD] =
        LM_PARAM(FIELD, "field", "uniform external field h, in energy per spin", -LM_HUGE_PARAM,
                 LM_HUGE_PARAM, 0.0),
};

static const lm_entry updates[] = {
    [LM_BLUME_CAPEL_METROPOLIS] = LM_ERGODIC(METROPOLIS, "metropolis",
                                             "propose one of the two other spins, accept with "
                                             "probability min(1, exp(-beta dE)), colour by colour",
                                             LATMC_BETA, LATMC_CRYSTAL_FIELD, LATMC_FIELD),
    [LM_BLUME_CAPEL_HEATBATH] =
        LM_ERGODIC(HEATBATH, "heatbath", "draw from the conditional distribution, colour by colour",
                   LATMC_BETA, LATMC_CRYSTAL_FIELD, LATMC_FIELD),
};

static int bundle_begin(const int64_t *options, int bundle, int dims)
{
    (void)options;
    return lm_blume_capel_bundle_begin(bundle, dims);
}

/* ---- observables */

static double energy(const lm_reading *in)
{
    return lm_blume_capel_energy(in->dims, in->type_coupling, in->params, in->sums) / in->sites;
}

static void energies(const lm_reading *in, int64_t stride, int64_t count, double *restrict values)
{
    lm_reading at = *in;

    for (int64_t i = 0; i < count; i++, at.sums += stride)
        values[i] = energy(&at);
}

static double action(const lm_reading *in)
{
    return lm_blume_capel_action(in->dims, in->type_coupling, in->params, in->sums);
}

static double magnetization(const lm_reading *in)
{
    return in->sums[lm_blume_capel_bundle_begin(LM_BLUME_CAPEL_SPINS, in->dims)] / in->sites;
}

static double quadrupole(const lm_reading *in)
{
    return in->sums[lm_blume_capel_bundle_begin(LM_BLUME_CAPEL_SPINS, in->dims) + 1] / in->sites;
}

static double changed(const lm_reading *in)
{
    return in->sums[lm_blume_capel_bundle_begin(LM_BLUME_CAPEL_CHANGES, in->dims)] / in->sites;
}

#define BONDS   (1u << LM_BLUME_CAPEL_BONDS)
#define SPINS   (1u << LM_BLUME_CAPEL_SPINS)
#define CHANGES (1u << LM_BLUME_CAPEL_CHANGES)

static const lm_entry observables[] = {
    LM_ENERGIES(SPINS | BONDS, energy, energies),
    LM_MAGNETIZATIONS(SPINS, magnetization, NULL),
    LM_POWERS(QUADRUPOLE, "quadrupole", "(1/N) sum_i s_i^2, share of the spins that are not 0",
              "the quadrupole moment per site", SPINS, quadrupole),
    LM_CHANGED(CHANGES, changed),
};

static const lm_entry start_modes[] = {
    {.id = LATMC_START_HOT,
     .name = "hot",
     .meaning = "every spin -1, 0 or +1 with probability 1/3, drawn from the seed"},
    {.id = LATMC_START_COLD, .name = "cold", .meaning = "every spin +1"},
};

/* ---- sites: a byte in arrays; in files two digits, those of a byte -1, 0 or +1 */

enum { DIGITS = 2 };

static int64_t check_sites(const void *sites, int64_t count, int limit)
{
    (void)limit;
    return lm_first_strange((lm_byte_values){.least = (uint8_t)-1, .most = 2}, sites, count);
}

static void encode(const void *sites, int64_t count, uint8_t *bytes)
{
    lm_save_digits(DIGITS, sites, count, bytes);
}

/* If digit 1 is 1, so are all higher bits of the byte. */
static void decode(const uint8_t *bytes, int64_t count, void *sites)
{
    uint8_t *to = sites;

    for (; count > 0; count -= 8, to += 8, bytes += DIGITS)
        lm_put_eight(lm_bytes_of_bits(bytes[0]) | lm_bytes_of_bits(bytes[1]) * 0xfe, count, to);
}

static int check_saved(const uint8_t *bytes, int64_t count, int limit)
{
    (void)limit;
    for (; count > 0; count -= 8, bytes += DIGITS)
        if (bytes[1] & ~bytes[0] || (count < 8 && bytes[0] >> count))
            return 0;
    return 1;
}

static const lm_site_type types[] = {{.entry = LM_TYPE(INT8, "int8", "-1, 0 or +1", int8_t, DIGITS),
                                      .check = check_sites,
                                      .encode = encode,
                                      .decode = decode,
                                      .check_saved = check_saved},
                                     LM_SAVED_TYPE(DIGITS)};

static const lm_representation words = {LM_IN_WORDS, types, NULL, 0};

/* The model draws signs alone: the first entry of the distributions, and the first entries of their
 * arguments. */
enum { SIGNS = 1, ARGUMENTS_OF_SIGNS = 2 };

const lm_model lm_model_blume_capel = {
    .entry = {.id = LATMC_BLUME_CAPEL,
              .name = "blume_capel",
              .meaning = "spins -1, 0 and +1, E = -sum_<ij> J_ij s_i s_j + D sum_i s_i^2 - h "
                         "sum_i s_i"},
    .lists = {LM_HAS(LATMC_PARAMS, params), LM_HAS(LATMC_UPDATES, updates),
              LM_HAS(LATMC_OBSERVABLES, observables), LM_HAS(LATMC_BOUNDARIES, lm_boundaries),
              LM_HAS(LATMC_START_MODES, start_modes),
              LM_HAS_FIRST(LATMC_DISTRIBUTIONS, lm_distributions, SIGNS),
              LM_HAS_FIRST(LATMC_ARGUMENTS, lm_arguments, ARGUMENTS_OF_SIGNS),
              LM_HAS_FIRST(LATMC_PAIR_OBSERVABLES, lm_overlaps, LM_OVERLAPS)},
    .bundles = LM_BLUME_CAPEL_BUNDLES,
    .bundle_begin = bundle_begin,
    .action = action,
    .action_bundles = BONDS | SPINS,
    .products = lm_spin_products,
    .whole_products = 1,
    .site_terms = lm_spin_terms,
    .types = types,
    .type_count = 2,
    .only = &words,
    .couplings = LM_SIGN_COUPLINGS,
    .signs_alone = 1,
    .whole_moves = 1,
    .tuned = -1,
};
