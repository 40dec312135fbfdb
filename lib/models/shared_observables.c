/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the observables that all models share. */
#include "lib/models/model.h"

#include <math.h>

#include "lib/models/weights.h"

static double slot(const lm_reading *in)
{
    return (double)in->slot;
}

static double holder(const lm_reading *in)
{
    return (double)in->replica;
}

/* ---- momenta */

/* Sites beyond an antiperiodic end have the other sign, which an odd number has, too. */
static const char *momentum_of_sites(const lm_reading *in)
{
    if (!in->momenta)
        return "latmc_set_momenta() has set no momenta";
    for (int a = 0; a < in->dims; a++)
        if ((in->n[in->index * in->dims + a] % 2 != 0) != (in->boundaries[a] == LATMC_ANTIPERIODIC))
            return "a momentum of the sites has an odd number along each antiperiodic axis, and an "
                   "even one along the others";
    return NULL;
}

/* Returns part 0 or 1 of a component's sum with the momentum. */
static double sum_of(const lm_reading *in, int term, int part)
{
    return in->momentum_sums[(2 * term + part) * in->momenta + in->index];
}

/* Returns |sum of a component|^2. Those of a simplex are its corners' shares: q times the sum of
 * the state minus that of all states. */
static double square_of(const lm_reading *in, int term, const double all[2])
{
    double c = sum_of(in, term, 0), s = sum_of(in, term, 1);

    if (in->simplex) {
        c = (double)in->terms * c - all[0];
        s = (double)in->terms * s - all[1];
    }
    return c * c + s * s;
}

static double structure_at(const lm_reading *in)
{
    const double q = (double)in->terms, each = in->simplex ? q * (q - 1.0) : 1.0;
    double all[2] = {0.0, 0.0}, square = 0.0;

    for (int k = 0; k < in->terms && in->simplex; k++)
        for (int part = 0; part < 2; part++)
            all[part] = all[part] + sum_of(in, k, part);
    for (int k = 0; k < in->terms; k++)
        square = square + square_of(in, k, all);
    return square / (each * (in->sites * in->sites));
}

/* ---- weights */

static int weights(const lm_reading *in)
{
    return in->weights_most;
}

static const struct lm_weights *set_of(const lm_reading *in)
{
    return &in->weights[in->index];
}

/* Sums of bonds are one number. */
static int weight_components(const lm_reading *in)
{
    int most = 1;

    for (int i = 0; i < in->weights_most; i++)
        if (lm_weights_sums(&in->weights[i], in->terms) > most)
            most = in->terms;
    return most;
}

static const char *lacks_weights(const lm_reading *in)
{
    if (!in->weights_most)
        return "latmc_set_weights() has set no weights";
    if (!set_of(in)->samples)
        return "there are no weights of this number";
    return in->second < lm_weights_sums(set_of(in), in->terms)
               ? NULL
               : "a sum over bonds has the component 0 alone";
}

static double weighted(const lm_reading *in)
{
    return in->weight_sums[set_of(in)->first_sum + in->second] / in->sites;
}

/* Returns the square of the sum's length. States of a site count as the corners of a simplex. */
static double weighted_square(const lm_reading *in)
{
    const int count = lm_weights_sums(set_of(in), in->terms);
    const int corners = in->simplex && set_of(in)->owner == LM_OF_SITES;
    const double *const sums = in->weight_sums + set_of(in)->first_sum;
    double all = 0.0, square = 0.0;

    for (int k = 0; k < count && corners; k++)
        all = all + sums[k];
    for (int k = 0; k < count; k++) {
        const double v = (corners ? (double)count * sums[k] - all : sums[k]) / in->sites;

        square = square + v * v;
    }
    return corners ? square / ((double)count * ((double)count - 1.0)) : square;
}

static double weighted_length(const lm_reading *in)
{
    return lm_weights_sums(set_of(in), in->terms) == 1 ? fabs(weighted(in))
                                                       : sqrt(weighted_square(in));
}

/* ---- the lists */

static const lm_entry observables[] = {
    {.id = LATMC_STRUCTURE_AT,
     .name = "structure_at",
     .meaning = "|(1/N) sum_i s_i exp(i k x)|^2 at the momentum k, s_i as in m2",
     .role = LATMC_ROLE_NONE,
     .index = LATMC_INDEX_MOMENTUM,
     .lacks = momentum_of_sites,
     .bundles = LM_MOMENTUM_SUMS,
     .observe = structure_at},
    {.id = LATMC_WEIGHTED,
     .name = "weighted",
     .meaning = "(1/N) times the sum of the sites' values, or of the bonds' products, with weights",
     .role = LATMC_ROLE_NONE,
     .index = LATMC_INDEX_WEIGHT,
     .second = LATMC_INDEX_COMPONENT,
     .size = weights,
     .second_size = weight_components,
     .lacks = lacks_weights,
     .per_site = 1,
     .bundles = LM_WEIGHT_SUMS,
     .observe = weighted},
    {.id = LATMC_ABS_WEIGHTED,
     .name = "abs_weighted",
     .meaning = "modulus of the sum with weights, for vectors the length",
     .role = LATMC_ROLE_NONE,
     .index = LATMC_INDEX_WEIGHT,
     .size = weights,
     .lacks = lacks_weights,
     .per_site = 1,
     .bundles = LM_WEIGHT_SUMS,
     .observe = weighted_length},
    {.id = LATMC_WEIGHTED2,
     .name = "weighted2",
     .meaning = "square of abs_weighted",
     .role = LATMC_ROLE_NONE,
     .index = LATMC_INDEX_WEIGHT,
     .size = weights,
     .lacks = lacks_weights,
     .bundles = LM_WEIGHT_SUMS,
     .observe = weighted_square},
    {.id = LATMC_WEIGHTED4,
     .name = "weighted4",
     .meaning = "fourth power of abs_weighted",
     .role = LATMC_ROLE_NONE,
     .index = LATMC_INDEX_WEIGHT,
     .size = weights,
     .lacks = lacks_weights,
     .power = 2,
     .bundles = LM_WEIGHT_SUMS,
     .observe = weighted_square},
    {.id = LATMC_SLOT,
     .name = "slot",
     .meaning = "number of the slot that the replica has, on its way from slot to slot",
     .role = LATMC_ROLE_SLOT,
     .observe = slot},
    {.id = LATMC_HOLDER,
     .name = "holder",
     .meaning = "number of the replica itself: counted by slot, of the one that has the slot",
     .role = LATMC_ROLE_HOLDER,
     .observe = holder},
};

lm_list lm_shared_of(latmc_kind kind)
{
    const lm_list all = LM_LIST(observables);

    return kind == LATMC_OBSERVABLES ? all : (lm_list){NULL, 0};
}
