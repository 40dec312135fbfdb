/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the O(n) vector model: its row in the table of models. */
#include <math.h>

#include "lib/models/draw.h"
#include "lib/models/entries.h"
#include "lib/models/reals.h"
#include "lib/physics/onvector_observe.h"

enum { OPTION_PRECISION = 0, OPTION_N = 1 }; /* indices in options[] */

static const lm_entry options[] = {
    [OPTION_PRECISION] = LM_OPTION_PRECISION,
    [OPTION_N] = LM_OPTION(N, "n", "components of a vector; 2: the XY model, 3: Heisenberg's",
                           LM_ONVECTOR_LEAST, LM_ONVECTOR_MOST, LM_ONVECTOR_LEAST),
};

static const lm_entry params[] = {
    [LM_ONVECTOR_BETA] = LM_PARAM(BETA, "beta", "inverse temperature, in 1/energy", -LM_MAX_PARAM,
                                  LM_MAX_PARAM, 1.0),
    [LM_ONVECTOR_FIELD] = LM_PARAM(
        FIELD, "field", "uniform external field h along the last component, in energy per site",
        -LM_MAX_PARAM, LM_MAX_PARAM, 0.0),
    [LM_ONVECTOR_EPSILON] =
        LM_PARAM(EPSILON, "epsilon",
                 "proposals turn a vector by at most 2 arctan(epsilon); 1: by a right angle", 1e-6,
                 1.0, 1.0),
    [LM_ONVECTOR_HITS] = LM_HITS(LM_ONVECTOR_MAX_HITS),
};

static const lm_entry updates[] = {
    [LM_ONVECTOR_METROPOLIS] = LM_ERGODIC(METROPOLIS, "metropolis",
                                          "`hits` turns proposed at every site, colour by colour",
                                          LATMC_BETA, LATMC_FIELD, LATMC_EPSILON, LATMC_HITS),
    [LM_ONVECTOR_OVERRELAX] = {.id = LATMC_OVERRELAX,
                               .name = "overrelax",
                               LM_READS(LATMC_FIELD),
                               .meaning = "reflection about the local field, at the same energy; "
                                          "not ergodic alone"},
    [LM_ONVECTOR_HEATBATH] =
        LM_ERGODIC(HEATBATH, "heatbath", "a new vector from the distribution in its local field",
                   LATMC_BETA, LATMC_FIELD),
};

static int components(const int64_t *chosen)
{
    return (int)chosen[OPTION_N];
}

static double energy(const lm_reading *in)
{
    return lm_onvector_energy(in->params[LM_ONVECTOR_FIELD], in->sums[0], in->sums + 1) / in->sites;
}

static double action(const lm_reading *in)
{
    return lm_onvector_action(in->params, in->sums[0], in->sums + 1);
}

static double moment(const lm_reading *in)
{
    return lm_onvector_moment(components(in->options), in->dims, in->index, in->sites, in->sums);
}

static double square(const lm_reading *in)
{
    return lm_onvector_square(components(in->options), in->dims, in->sites, in->sums);
}

static double length(const lm_reading *in)
{
    return sqrt(square(in));
}

static void to_doubles(latmc_type type, const void *sites, int64_t site, double s[3])
{
    for (int c = 0; c < 3; c++)
        s[c] = type == LATMC_FLOAT32 ? (double)((const float *)sites)[3 * site + c]
                                     : ((const double *)sites)[3 * site + c];
}

static void chiralities(latmc_type type, const void *below, const void *here, const void *above,
                        int64_t sites, double *terms)
{
    for (int64_t i = 0; i < sites; i++) {
        double d[3], s[3], u[3];

        to_doubles(type, below, i, d);
        to_doubles(type, here, i, s);
        to_doubles(type, above, i, u);
        terms[i] = lm_triple_product(d, s, u);
    }
}

static int bundle_begin(const int64_t *chosen, int bundle, int dims)
{
    return lm_onvector_bundle_begin(components(chosen), bundle, dims);
}

static double structure(const lm_reading *in)
{
    return lm_onvector_structure(in->components, in->dims, in->index, in->sites, in->sums);
}

static double helicity(const lm_reading *in)
{
    return lm_onvector_helicity(in->components, in->dims, in->index, in->type_coupling[in->index],
                                in->params[LM_ONVECTOR_BETA], in->sites, in->sums);
}

static double vortices(const lm_reading *in)
{
    return lm_onvector_vortices(in->components, in->dims, in->sites, in->sums);
}

static double mean_chirality(const lm_reading *in)
{
    return lm_onvector_mean_chirality(in->components, in->dims, 0, in->dims, in->sites, in->sums);
}

static double chirality(const lm_reading *in)
{
    return lm_onvector_mean_chirality(in->components, in->dims, in->index, in->index + 1, in->sites,
                                      in->sums);
}

static double acceptance(const lm_reading *in)
{
    return in->sums[bundle_begin(in->options, LM_ONVECTOR_ACCEPTED, in->dims)] / in->sites;
}

#define BONDS     (1u << LM_ONVECTOR_BONDS)
#define FIELDS    (1u << LM_ONVECTOR_FIELDS)
#define MOMENTS   (1u << LM_ONVECTOR_MOMENTS)
#define WAVES     (1u << LM_ONVECTOR_WAVES)
#define TWISTS    (1u << LM_ONVECTOR_TWISTS)
#define VORTICES  (1u << LM_ONVECTOR_VORTICES)
#define CHIRALITY (1u << LM_ONVECTOR_CHIRALITY)
#define ACCEPTED  (1u << LM_ONVECTOR_ACCEPTED)

static int axes_of_xy(const lm_reading *in)
{
    return in->components == 2 ? in->dims : 0;
}

static int has_plaquettes(const lm_reading *in)
{
    return in->components == 2 && in->dims == 2;
}

static int axes_of_heisenberg(const lm_reading *in)
{
    return in->components == 3 ? in->dims : 0;
}

static int is_heisenberg(const lm_reading *in)
{
    return in->components == 3;
}

static const lm_entry observables[] = {
    LM_ENERGIES(BONDS | FIELDS, energy, NULL),
    LM_VECTOR_MAGNETIZATIONS("m = (1/N) sum_i s_i", MOMENTS, moment, NULL, length, square),
    LM_STRUCTURE("sum over c of |(1/N) sum s_c exp(i k x)|^2", WAVES, structure),
    {.id = LATMC_HELICITY,
     .name = "helicity",
     .meaning = "n = 2: its mean is the helicity modulus along the axis, in energy",
     .role = LATMC_ROLE_NONE,
     .index = LATMC_INDEX_AXIS,
     .size = axes_of_xy,
     .bundles = TWISTS,
     .observe = helicity},
    {.id = LATMC_VORTICES,
     .name = "vortices",
     .meaning = "n = 2 in two dimensions: vortices and antivortices per site",
     .role = LATMC_ROLE_NONE,
     .size = has_plaquettes,
     .bundles = VORTICES,
     .per_site = 1,
     .observe = vortices},
    {.id = LATMC_CHIRALITY,
     .name = "chirality",
     .meaning = "n = 3: (1/N) sum_x |s(x+a) . (s(x) x s(x-a))| along the axis a",
     .role = LATMC_ROLE_NONE,
     .index = LATMC_INDEX_AXIS,
     .size = axes_of_heisenberg,
     .bundles = CHIRALITY,
     .observe = chirality},
    {.id = LATMC_MEAN_CHIRALITY,
     .name = "mean_chirality",
     .meaning = "n = 3: mean of the chirality over the axes",
     .role = LATMC_ROLE_NONE,
     .size = is_heisenberg,
     .bundles = CHIRALITY,
     .observe = mean_chirality},
    LM_ACCEPTANCE(ACCEPTED, acceptance),
};

static const lm_entry start_modes[] = {
    {.id = LATMC_START_HOT,
     .name = "hot",
     .meaning = "every vector in a direction of its own, drawn from the seed"},
    {.id = LATMC_START_COLD, .name = "cold", .meaning = "every vector along the last component"},
};

static unsigned idle_bundles(const int64_t *chosen, int in_fields)
{
    (void)chosen;
    return in_fields ? 0 : FIELDS;
}

static const lm_representation *representation(const int64_t *chosen, lm_kinds kinds)
{
    (void)kinds;
    return &lm_unit_representations[chosen[OPTION_PRECISION] == 64];
}

const lm_model lm_model_onvector = {
    .entry = {.id = LATMC_ONVECTOR,
              .name = "onvector",
              .meaning = "vectors of n components, |s| = 1, E = -sum_<ij> J_ij s_i . s_j - sum_i "
                         "h_i s_i^(last)"},
    .lists = {LM_HAS(LATMC_PARAMS, params), LM_HAS(LATMC_UPDATES, updates),
              LM_HAS(LATMC_OBSERVABLES, observables), LM_HAS(LATMC_BOUNDARIES, lm_boundaries),
              LM_HAS(LATMC_START_MODES, start_modes), LM_HAS(LATMC_DISTRIBUTIONS, lm_distributions),
              LM_HAS(LATMC_ARGUMENTS, lm_arguments), LM_HAS(LATMC_OPTIONS, options),
              LM_HAS_FIRST(LATMC_PAIR_OBSERVABLES, lm_tensor_overlaps, LM_TENSOR_OVERLAPS)},
    .bundles = LM_ONVECTOR_BUNDLES,
    .bundle_begin = bundle_begin,
    .idle_bundles = idle_bundles,
    .field = LM_ONVECTOR_FIELD,
    .action = action,
    .action_bundles = BONDS | FIELDS,
    .products = lm_real_products,
    .tensor = lm_real_tensor,
    .chirality = chiralities,
    .site_terms = lm_real_terms,
    .types = lm_unit_types,
    .type_count = 2,
    .representation = representation,
    .components = components,
    .couplings = LM_REAL_COUPLINGS,
    .site_fields = 1,
    .tuned = LM_ONVECTOR_EPSILON,
};
