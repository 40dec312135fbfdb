/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/sums/weight_plans.h"

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/lattice/derived.h"

/* Returns whether plans may make the sums of a set. They are whole numbers, which may be added in
 * any order. */
static int is_for_plans(const latmc_lattice *lattice, const lm_weights *set)
{
    return set->samples && set->as_signs && set->owner == LM_OF_SITES &&
           (lattice->model->site_terms == lm_spin_terms || lattice->model->simplex);
}

/* Copies the sums of a replica, [set][term], to where observables find them. */
static void take_sums(const latmc_lattice *lattice, int terms, const int64_t *sums, double *to)
{
    for (int i = 0; i < lattice->weights.most; i++)
        if (is_for_plans(lattice, &lattice->weights.set[i]))
            for (int k = 0; k < terms; k++)
                to[lattice->weights.set[i].first_sum + k] = (double)*sums++;
}

/* Lists the sets in an order. */
static int list_sets(const latmc_lattice *lattice, lm_sign_weights *list)
{
    int count = 0;

    for (int i = 0; i < lattice->weights.most; i++)
        if (is_for_plans(lattice, &lattice->weights.set[i]))
            list[count++] =
                (lm_sign_weights){lattice->weights.set[i].samples, lattice->weights.set[i].signs};
    return count;
}

latmc_status lm_weights_ask(latmc_lattice *lattice, const char *caller, int *made)
{
    lm_sign_weights set[LATMC_MAX_WEIGHTS];
    const lm_weight_order order = {.mark = lattice->weights.mark,
                                   .sets = list_sets(lattice, set),
                                   .terms = lm_site_terms_of(lattice),
                                   .set = set,
                                   .each = lattice->replicas / lattice->samples};
    const int64_t each = (int64_t)order.sets * order.terms;
    const lm_plan plan = lattice->home.plan;
    latmc_status status;
    int64_t *sums;

    if (!order.sets || !plan.ops->weigh)
        return LATMC_OK;
    sums = lm_unzeroed(caller, "weighted sums", lattice->replicas, (size_t)each * sizeof *sums);
    status = sums ? lm_fail_in(caller, plan.ops->weigh(plan.self, &order, sums, made))
                  : LATMC_ERROR_MEMORY;
    for (int64_t r = 0; r < lattice->replicas && !status && *made; r++)
        take_sums(lattice, order.terms, sums + r * each,
                  lattice->weights.sums + r * lattice->weights.width);
    free(sums);
    return status;
}

int lm_weights_made(latmc_lattice *lattice, int made)
{
    int left = 0;

    for (int i = 0; i < lattice->weights.most; i++) {
        lm_weights *set = &lattice->weights.set[i];

        set->by_plan = made && is_for_plans(lattice, set);
        left |= set->samples && !set->by_plan;
    }
    return !left;
}
