/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes observables of pairs of replicas, for the models' lists: doc/trajectory.md, "Sums over
 * pairs". Also what sites that are spins add to sums. */
#include "lib/models/entries.h"
#include "lib/models/model.h"
#include "lib/physics/pair_sums.h"

enum { MOST_ELEMENTS = 16 }; /* of a tensor */

void lm_spin_products(const lm_site_array *of, const void *a, const void *b, int64_t sites,
                      double *terms)
{
    const int8_t *s = a, *t = b;

    (void)of;
    for (int64_t i = 0; i < sites; i++)
        terms[i] = (double)(s[i] * t[i]);
}

void lm_spin_terms(const lm_site_array *of, const void *sites, int64_t count, int component,
                   double *terms)
{
    const int8_t *s = sites;

    (void)of;
    (void)component;
    for (int64_t i = 0; i < count; i++)
        terms[i] = (double)s[i];
}

static const double *sums_of(const lm_reading *in, int bundle)
{
    return in->sums + lm_pair_bundle_begin(bundle, in->dims, in->components);
}

static double overlap(const lm_reading *in)
{
    return sums_of(in, LM_PAIR_OVERLAP)[0] / in->sites;
}

static double link_overlap(const lm_reading *in)
{
    return lm_pair_link_overlap(in->dims, in->type_coupling, sums_of(in, LM_PAIR_LINKS));
}

static double structure(const lm_reading *in)
{
    return lm_structure(in->sites, sums_of(in, LM_PAIR_WAVES) + 2 * in->index);
}

static double tensor2(const lm_reading *in)
{
    return lm_pair_tensor2(in->components, 1, in->sites, sums_of(in, LM_PAIR_TENSOR));
}

static double tensor_structure(const lm_reading *in)
{
    const int each = 2 * in->components * in->components;

    return lm_pair_tensor2(in->components, 2, in->sites,
                           sums_of(in, LM_PAIR_TENSOR_WAVES) + each * in->index);
}

static double chiral(const lm_reading *in)
{
    return sums_of(in, LM_PAIR_CHIRAL)[in->index] / in->sites;
}

static int chiral_axes(const lm_reading *in)
{
    return in->components == 3 ? in->dims : 0;
}

static double chiral_structure(const lm_reading *in)
{
    return lm_structure(in->sites, sums_of(in, LM_PAIR_CHIRAL_WAVES) + 2 * in->index);
}

/* ---- with momenta */

/* Sums of pairs have no boundary's sign, so odd numbers along antiperiodic axes do not fit. */
static const char *lacks_momentum(const lm_reading *in, int momentum)
{
    if (!in->momenta)
        return "latmc_set_momenta() has set no momenta";
    for (int a = 0; a < in->dims; a++)
        if (in->n[momentum * in->dims + a] % 2 != 0)
            return "a momentum of pairs has even numbers along all axes";
    return NULL;
}

static const char *lacks_index(const lm_reading *in)
{
    return lacks_momentum(in, in->index);
}

static const char *lacks_second(const lm_reading *in)
{
    return in->components == 3 ? lacks_momentum(in, in->second) : NULL;
}

/* Reads a term's sum with a momentum. */
static void read_wave(const lm_reading *in, int bundle, int term, int momentum, double wave[2])
{
    const double *const sums =
        in->sums + lm_pair_begin_at(bundle, in->dims, in->components, in->momenta);

    for (int part = 0; part < 2; part++)
        wave[part] = sums[(2 * term + part) * in->momenta + momentum];
}

static double structure_at(const lm_reading *in)
{
    double wave[2];

    read_wave(in, LM_PAIR_AT, 0, in->index, wave);
    return lm_structure(in->sites, wave);
}

static double tensor_structure_at(const lm_reading *in)
{
    double waves[2 * MOST_ELEMENTS];

    for (int e = 0; e < in->components * in->components; e++)
        read_wave(in, LM_PAIR_TENSOR_AT, e, in->index, waves + 2 * e);
    return lm_pair_tensor2(in->components, 2, in->sites, waves);
}

static double chiral_structure_at(const lm_reading *in)
{
    double wave[2];

    read_wave(in, LM_PAIR_CHIRAL_AT, in->index, in->second, wave);
    return lm_structure(in->sites, wave);
}

/* ---- the lists */

#define ROLE(plays, what) ((plays) ? LATMC_ROLE_##what : LATMC_ROLE_NONE)

/* `plays`: 1 if the overlap is the order parameter of a spin glass. For vectors the tensor is. */
#define OVERLAPS(plays)                                                                            \
    LM_POWER(OVERLAP, "overlap", "q, mean product of a site's values in the two replicas",         \
             ROLE(plays, ORDER), 0, 1u << LM_PAIR_OVERLAP, overlap, NULL),                         \
        {.id = LATMC_ABS_OVERLAP,                                                                  \
         .name = "abs_overlap",                                                                    \
         .meaning = "|q|, modulus of the overlap",                                                 \
         .role = ROLE(plays, ABS_ORDER),                                                           \
         .bundles = 1u << LM_PAIR_OVERLAP,                                                         \
         .per_site = 1,                                                                            \
         .modulus = 1,                                                                             \
         .observe = overlap},                                                                      \
        LM_POWER(OVERLAP2, "overlap2", "q^2, square of the overlap", ROLE(plays, ORDER2), 2,       \
                 1u << LM_PAIR_OVERLAP, overlap, NULL),                                            \
        LM_POWER(OVERLAP4, "overlap4", "q^4, fourth power of the overlap", ROLE(plays, ORDER4), 4, \
                 1u << LM_PAIR_OVERLAP, overlap, NULL),                                            \
        {.id = LATMC_LINK_OVERLAP,                                                                 \
         .name = "link_overlap",                                                                   \
         .meaning = "q_l, mean over the bonds of the product of both replicas' s_i s_j",           \
         .role = LATMC_ROLE_NONE,                                                                  \
         .bundles = 1u << LM_PAIR_LINKS,                                                           \
         .observe = link_overlap},                                                                 \
        {.id = LATMC_OVERLAP_STRUCTURE,                                                            \
         .name = "overlap_structure",                                                              \
         .meaning = "|(1/N) sum_i q_i exp(i k x)|^2, q_i a site's product, at the smallest "       \
                    "momentum along the axis",                                                     \
         .role = ROLE(plays, STRUCTURE),                                                           \
         .index = LATMC_INDEX_AXIS,                                                                \
         .bundles = 1u << LM_PAIR_WAVES,                                                           \
         .observe = structure},                                                                    \
    {                                                                                              \
        .id = LATMC_OVERLAP_STRUCTURE_AT, .name = "overlap_structure_at",                          \
        .meaning = "|(1/N) sum_i q_i exp(i k x)|^2, q_i a site's product, at the momentum k",      \
        .role = LATMC_ROLE_NONE, .index = LATMC_INDEX_MOMENTUM, .lacks = lacks_index,              \
        .bundles = 1u << LM_PAIR_AT, .observe = structure_at                                       \
    }

const lm_entry lm_overlaps[LM_OVERLAPS] = {OVERLAPS(1)};

const lm_entry lm_tensor_overlaps[LM_TENSOR_OVERLAPS] = {
    OVERLAPS(0),
    {.id = LATMC_TENSOR_OVERLAP2,
     .name = "tensor_overlap2",
     .meaning = "sum over mu, nu of the squares of q^mu,nu, mean product of a site's components mu "
                "and nu in the two replicas",
     .role = LATMC_ROLE_ORDER2,
     .bundles = 1u << LM_PAIR_TENSOR,
     .observe = tensor2},
    {.id = LATMC_TENSOR_OVERLAP4,
     .name = "tensor_overlap4",
     .meaning = "square of tensor_overlap2",
     .role = LATMC_ROLE_ORDER4,
     .bundles = 1u << LM_PAIR_TENSOR,
     .power = 2,
     .observe = tensor2},
    {.id = LATMC_TENSOR_STRUCTURE,
     .name = "tensor_structure",
     .meaning = "sum over mu, nu of |(1/N) sum_i s_i^mu s_i^nu exp(i k x)|^2, of two replicas, at "
                "the smallest momentum along the axis",
     .role = LATMC_ROLE_STRUCTURE,
     .index = LATMC_INDEX_AXIS,
     .bundles = 1u << LM_PAIR_TENSOR_WAVES,
     .observe = tensor_structure},
    {.id = LATMC_TENSOR_STRUCTURE_AT,
     .name = "tensor_structure_at",
     .meaning = "sum over mu, nu of |(1/N) sum_i s_i^mu s_i^nu exp(i k x)|^2, of two replicas, at "
                "the momentum k",
     .role = LATMC_ROLE_NONE,
     .index = LATMC_INDEX_MOMENTUM,
     .lacks = lacks_index,
     .bundles = 1u << LM_PAIR_TENSOR_AT,
     .observe = tensor_structure_at},
    {.id = LATMC_CHIRAL_OVERLAP2,
     .name = "chiral_overlap2",
     .meaning = "n = 3: square of the mean product of a site's chiralities along the axis in the "
                "two replicas",
     .role = LATMC_ROLE_NONE,
     .index = LATMC_INDEX_AXIS,
     .size = chiral_axes,
     .bundles = 1u << LM_PAIR_CHIRAL,
     .power = 2,
     .observe = chiral},
    {.id = LATMC_CHIRAL_STRUCTURE,
     .name = "chiral_structure",
     .meaning = "n = 3: structure factor of the product of chiralities along the axis, at the "
                "smallest momentum along the same axis",
     .role = LATMC_ROLE_NONE,
     .index = LATMC_INDEX_AXIS,
     .size = chiral_axes,
     .bundles = 1u << LM_PAIR_CHIRAL_WAVES,
     .observe = chiral_structure},
    {.id = LATMC_CHIRAL_STRUCTURE_AT,
     .name = "chiral_structure_at",
     .meaning = "n = 3: structure factor of the product of chiralities along the axis, at the "
                "momentum k",
     .role = LATMC_ROLE_NONE,
     .index = LATMC_INDEX_AXIS,
     .second = LATMC_INDEX_MOMENTUM,
     .size = chiral_axes,
     .lacks = lacks_second,
     .bundles = 1u << LM_PAIR_CHIRAL_AT,
     .observe = chiral_structure_at},
};
