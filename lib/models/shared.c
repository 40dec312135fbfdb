/* SPDX-License-Identifier: BSD-3-Clause */
/* Observables that all models share. */
#include "lib/models/model.h"

static double slot(const lm_reading *in)
{
    return (double)in->slot;
}

static double holder(const lm_reading *in)
{
    return (double)in->replica;
}

/* ---- momenta */

static int momenta(const lm_reading *in)
{
    return in->momenta;
}

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

/* ---- the lists */

static const lm_entry observables[] = {
    {.id = LATMC_STRUCTURE_AT,
     .name = "structure_at",
     .meaning = "|(1/N) sum_i s_i exp(i k x)|^2 at the momentum k, s_i as in m2",
     .role = LATMC_ROLE_NONE,
     .index = LATMC_INDEX_MOMENTUM,
     .size = momenta,
     .lacks = momentum_of_sites,
     .bundles = LM_MOMENTUM_SUMS,
     .observe = structure_at},
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
