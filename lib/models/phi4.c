/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the phi^4 model: its row in the table of models. */
#include "lib/models/model.h"
#include "lib/models/entries.h"
#include "lib/models/reals.h"
#include "lib/physics/phi4_observe.h"
#include "lib/physics/phi4_rule.h"
#include "lib/base/status.h"
#include "lib/geometry/tiles.h"

enum { OPTION_PRECISION = 0, OPTION_CUTOFF = 1 }; /* indices in options[] */

static const lm_entry options[] = {
    [OPTION_PRECISION] = LM_OPTION_PRECISION,
    [OPTION_CUTOFF] = LM_OPTION(
        CUTOFF, "cutoff",
        "1: with the cut-off term (Laplacian phi)^2 and its inv_lambda; 0: without", 0.0, 1.0, 0.0),
};

static const lm_entry params[] = {
    [LM_PHI4_MU2] =
        LM_PARAM(MU2, "mu2", "coefficient of phi^2 / 2", -LM_MAX_PARAM, LM_MAX_PARAM, -1.0),
    [LM_PHI4_G] = LM_PARAM(G, "g", "coefficient of phi^4 / 24; 0 for a Gaussian field", 0.0,
                           LM_MAX_PARAM, 6.0),
    [LM_PHI4_INV_LAMBDA] = LM_PARAM(
        INV_LAMBDA, "inv_lambda",
        "1 / Lambda, coefficient of (Laplacian phi)^2 / 2; 0 unless the option cutoff is 1", 0.0,
        LM_MAX_PARAM, 0.0),
    [LM_PHI4_FIELD] =
        LM_PARAM(FIELD, "field", "uniform external field h, which adds -h phi at every site",
                 -LM_MAX_PARAM, LM_MAX_PARAM, 0.0),
    [LM_PHI4_EPSILON] =
        LM_PARAM(EPSILON, "epsilon", "proposals are uniform in (-epsilon, epsilon) about the field",
                 1e-6, LM_MAX_PARAM, 1.0),
    [LM_PHI4_HITS] = LM_HITS(LM_PHI4_MAX_HITS),
    [LM_PHI4_LOCAL_SWEEPS] = {.id = LATMC_LOCAL_SWEEPS,
                              .name = "local_sweeps",
                              .meaning = "sweeps of a tile in one visit, in block_metropolis",
                              .minimum = 1.0,
                              .maximum = LM_PHI4_MAX_LOCAL_SWEEPS,
                              .preset = 1.0,
                              .step = 1.0,
                              .of_updates = 1},
};

static const lm_entry updates[] = {
    [LM_PHI4_METROPOLIS] =
        LM_ERGODIC(METROPOLIS, "metropolis", "`hits` proposals at every site, colour by colour",
                   LATMC_MU2, LATMC_G, LATMC_INV_LAMBDA, LATMC_FIELD, LATMC_EPSILON, LATMC_HITS),
    [LM_PHI4_BLOCK_METROPOLIS] =
        {.id = LATMC_BLOCK_METROPOLIS,
         .name = "block_metropolis",
         LM_READS(LATMC_MU2, LATMC_G, LATMC_INV_LAMBDA, LATMC_FIELD, LATMC_EPSILON, LATMC_HITS,
                  LATMC_LOCAL_SWEEPS),
         .meaning = "tiles swept `local_sweeps` times with their surroundings frozen",
         .ergodic = 1,
         .tiled = 1},
    [LM_PHI4_OVERRELAX] =
        {.id = LATMC_OVERRELAX,
         .name = "overrelax",
         LM_READS(LATMC_MU2, LATMC_G, LATMC_INV_LAMBDA, LATMC_FIELD),
         .meaning =
             "reflection about the quadratic part's minimum, accepted or not; not ergodic alone"},
};

static double energy(const lm_reading *in)
{
    return lm_phi4_action(in->params, in->sums) / in->sites;
}

static double action(const lm_reading *in)
{
    return lm_phi4_action(in->params, in->sums);
}

static double energy_gradient(const lm_reading *in)
{
    return in->sums[LM_PHI4_SUM_GRADIENT] / in->sites;
}

static double energy_potential(const lm_reading *in)
{
    return lm_phi4_potential(in->params, in->sites, in->sums);
}

static double energy_cutoff(const lm_reading *in)
{
    return lm_phi4_cutoff(in->params, in->sites, in->sums);
}

static double mean_field(const lm_reading *in)
{
    return in->sums[LM_PHI4_SUM_FIELD] / in->sites;
}

static double mean_square(const lm_reading *in)
{
    return in->sums[LM_PHI4_SUM_SQUARE] / in->sites;
}

static double mean_fourth(const lm_reading *in)
{
    return in->sums[LM_PHI4_SUM_FOURTH] / in->sites;
}

static double structure(const lm_reading *in)
{
    return lm_phi4_structure(in->index, in->sites, in->sums);
}

static int bundle_begin(const int64_t *options, int bundle, int dims)
{
    (void)options;
    return lm_phi4_bundle_begin(bundle, dims);
}

static double acceptance(const lm_reading *in)
{
    return in->sums[lm_phi4_bundle_begin(LM_PHI4_ACCEPTED, in->dims)] / in->sites;
}

#define GRADIENT (1u << LM_PHI4_GRADIENT)
#define POWERS   (1u << LM_PHI4_POWERS)
#define CUTOFF   (1u << LM_PHI4_CUTOFF)
#define WAVES    (1u << LM_PHI4_WAVES)
#define ACCEPTED (1u << LM_PHI4_ACCEPTED)

static int has_cutoff(const lm_reading *in)
{
    return in->options[OPTION_CUTOFF] != 0;
}

static const lm_entry observables[] = {
    LM_ENERGIES(GRADIENT | POWERS | CUTOFF, energy, NULL),
    {.id = LATMC_ENERGY_GRADIENT,
     .name = "energy_gradient",
     .meaning = "part of e with (phi(x+mu) - phi(x))^2",
     .role = LATMC_ROLE_NONE,
     .bundles = GRADIENT,
     .per_site = 1,
     .observe = energy_gradient},
    {.id = LATMC_ENERGY_POTENTIAL,
     .name = "energy_potential",
     .meaning = "part of e with mu2, g and the field",
     .role = LATMC_ROLE_NONE,
     .bundles = POWERS,
     .per_site = 1,
     .observe = energy_potential},
    {.id = LATMC_ENERGY_CUTOFF,
     .name = "energy_cutoff",
     .meaning = "with the option cutoff: part of e with the squared Laplacian",
     .role = LATMC_ROLE_NONE,
     .size = has_cutoff,
     .bundles = CUTOFF,
     .per_site = 1,
     .observe = energy_cutoff},
    LM_MAGNETIZATIONS(POWERS, mean_field, NULL),
    {.id = LATMC_PHI_SQUARED,
     .name = "phi_squared",
     .meaning = "(1/N) sum_i phi_i^2",
     .role = LATMC_ROLE_NONE,
     .bundles = POWERS,
     .per_site = 1,
     .observe = mean_square},
    {.id = LATMC_PHI_FOURTH,
     .name = "phi_fourth",
     .meaning = "(1/N) sum_i phi_i^4",
     .role = LATMC_ROLE_NONE,
     .bundles = POWERS,
     .per_site = 1,
     .observe = mean_fourth},
    LM_STRUCTURE("|(1/N) sum phi exp(i k x)|^2", WAVES, structure),
    LM_ACCEPTANCE(ACCEPTED, acceptance),
};

static const lm_entry start_modes[] = {
    {.id = LATMC_START_HOT,
     .name = "hot",
     .meaning = "every phi uniform in [-1, 1), drawn from the seed"},
    {.id = LATMC_START_COLD, .name = "cold", .meaning = "every phi 1"},
};

/* ---- what only all settings together show */

/* Refuses axes on which a site is two steps from itself. */
static latmc_status check_extents(const lm_spec *spec, const char *caller)
{
    for (int a = 0; a < spec->dims && a < LATMC_MAX_DIMS; a++)
        if (spec->options[OPTION_CUTOFF] && spec->extents[a] < 3)
            return lm_fail(LATMC_ERROR_STATE,
                           "%s: extent %d is %d; with the option cutoff it must be at least 3, "
                           "because the stencil reaches two sites",
                           caller, a, (int)spec->extents[a]);
    return LATMC_OK;
}

static latmc_status check(const lm_spec *spec, const char *caller, const double *p)
{
    double k2 = 0.0;

    if (p[LM_PHI4_INV_LAMBDA] != 0.0 && !spec->options[OPTION_CUTOFF])
        return lm_fail(LATMC_ERROR_STATE,
                       "%s: inv_lambda is %g, but the option cutoff is 0; it must be set to 1 "
                       "before latmc_start()",
                       caller, p[LM_PHI4_INV_LAMBDA]);
    for (int a = 0; a < spec->dims && a < LATMC_MAX_DIMS; a++)
        if (spec->boundaries[a] == LATMC_ANTIPERIODIC)
            k2 += lm_phi4_least_momentum2((double)spec->extents[a]);
    if (!lm_phi4_has_integral(p, k2))
        return lm_fail(LATMC_ERROR_STATE,
                       "%s: with g = 0 and mu2 = %g exp(-H) has no integral; give g > 0 or a "
                       "greater mu2",
                       caller, p[LM_PHI4_MU2]);
    return check_extents(spec, caller);
}

static latmc_status check_update(const lm_spec *spec, const char *caller, latmc_update update)
{
    const int axis = lm_tiles_refuse(spec);

    if (update != LATMC_BLOCK_METROPOLIS || axis < 0)
        return LATMC_OK;
    return lm_fail(
        LATMC_ERROR_STATE,
        "%s: block_metropolis needs extents of at least 4 where the boundary is not open; "
        "extent %d is %d",
        caller, axis, (int)spec->extents[axis]);
}

static const lm_representation *representation(const int64_t *options, lm_kinds kinds)
{
    (void)kinds;
    return &lm_real_representations[options[OPTION_PRECISION] == 64];
}

static unsigned idle_bundles(const int64_t *options, int in_fields)
{
    (void)in_fields;
    return options[OPTION_CUTOFF] ? 0 : CUTOFF;
}

static int reach(const int64_t *options)
{
    return options[OPTION_CUTOFF] ? 2 : 1;
}

const lm_model lm_model_phi4 = {
    .entry = {.id = LATMC_PHI4,
              .name = "phi4",
              .meaning = "a real field, H = sum [1/2 (grad phi)^2 + mu2/2 phi^2 + g/24 phi^4 + "
                         "inv_lambda/2 (Laplacian phi)^2 - h phi]"},
    .lists = {LM_HAS(LATMC_PARAMS, params), LM_HAS(LATMC_UPDATES, updates),
              LM_HAS(LATMC_OBSERVABLES, observables), LM_HAS(LATMC_BOUNDARIES, lm_boundaries),
              LM_HAS(LATMC_START_MODES, start_modes), LM_HAS(LATMC_OPTIONS, options),
              LM_HAS_FIRST(LATMC_PAIR_OBSERVABLES, lm_overlaps, LM_OVERLAPS)},
    .bundles = LM_PHI4_BUNDLES,
    .bundle_begin = bundle_begin,
    .idle_bundles = idle_bundles,
    .field = LM_PHI4_FIELD,
    .action = action,
    .action_bundles = GRADIENT | POWERS | CUTOFF,
    .products = lm_real_products,
    .site_terms = lm_real_terms,
    .types = lm_real_types,
    .type_count = 2,
    .representation = representation,
    .reach = reach,
    .check = check,
    .check_update = check_update,
    .tuned = LM_PHI4_EPSILON,
};
