/* SPDX-License-Identifier: BSD-3-Clause */
/* Observables of pairs of replicas: doc/trajectory.md, "Sums over pairs". */
#include <inttypes.h>
#include <stdlib.h>

#include "lib/floats.h"
#include "lib/lattice.h"
#include "lib/status.h"

#include "lib/physics/pair_sums.h"

int lm_pair_sums_of(const latmc_lattice *lattice)
{
    return lm_pair_group_begin(LM_PAIR_GROUPS, lattice->dims, lm_components_of(lattice));
}

latmc_status lm_pairs_check(const latmc_lattice *lattice, const char *caller, int64_t pairs,
                            const int64_t *replicas, int count, const latmc_observable *observables,
                            const double *values)
{
    if (!replicas || !observables || !values)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: %s is NULL", caller,
                       !replicas      ? "replicas"
                       : !observables ? "observables"
                                      : "values");
    if (pairs < 1)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: pairs is %" PRId64 "; it must be at least 1",
                       caller, pairs);
    if (count < 1)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: count is %d; it must be at least 1", caller,
                       count);
    for (int o = 0; o < count; o++)
        if (!lm_model_need(lattice->model, LATMC_PAIR_OBSERVABLES, (int)observables[o], caller))
            return LATMC_ERROR_UNKNOWN;
    for (int64_t p = 0; p < pairs; p++)
        for (int i = 0; i < 2; i++)
            if (replicas[2 * p + i] < 0 || replicas[2 * p + i] >= lattice->replicas)
                return lm_fail(LATMC_ERROR_ARGUMENT,
                               "%s: replica %" PRId64 " is in pair %" PRId64 "; 0 to %" PRId64
                               " are allowed",
                               caller, replicas[2 * p + i], p, lattice->replicas - 1);
    return LATMC_OK;
}

/* What the observables are made of, and no more: no group that has no sums. */
unsigned lm_pairs_groups(const latmc_lattice *lattice, int count,
                         const latmc_observable *observables)
{
    const lm_list *list = lm_list_of(lattice->model, LATMC_PAIR_OBSERVABLES);
    unsigned groups = 0;

    for (int o = 0; o < count; o++)
        groups |= lm_list_find(list, (int)observables[o])->groups;
    for (int g = 0; g < LM_PAIR_GROUPS; g++)
        if (!lm_pair_group_size(g, lattice->dims, lm_components_of(lattice)))
            groups &= ~(1u << g);
    return groups;
}

/* Spins of which a bit says all. */
static int has_two_spins(const latmc_lattice *lattice)
{
    return lattice->model->whole_products && lattice->model->types[0].entry.bits == 1;
}

/* A device may have its own way to some of them. */
latmc_status lm_pairs_sum(const latmc_lattice *lattice, const char *caller, unsigned groups,
                          int64_t pairs, const int64_t (*replicas)[2], double *sums)
{
    const lm_plan plan = lattice->place.plan;
    const unsigned own = plan.ops && plan.ops->pairs ? groups & plan.ops->pair_groups : 0;
    const unsigned waves = lm_pairs_have_planes(lattice) ? groups & 1u << LM_PAIR_WAVES : 0;
    latmc_status status = LATMC_OK;

    groups &= ~(own | waves);
    if (own)
        status = lm_fail_in(caller, plan.ops->pairs(plan.self, own, pairs, replicas, sums));
    if (waves && !status)
        status = lm_pairs_of_planes(lattice, caller, pairs, replicas, sums);
    if (status || !groups)
        return status;
    return (has_two_spins(lattice) && lm_chunk_rows(lattice) == lattice->rows
                ? lm_pairs_of_signs
                : lm_pairs_by_rows)(lattice, caller, groups, pairs, replicas, sums);
}

/* The pairs as replicas, as many as of `given`; free() them, or NULL after a failure. */
static int64_t *as_replicas(const latmc_lattice *lattice, const char *caller, int64_t pairs,
                            const int64_t *given)
{
    int64_t *replicas = lm_unset(caller, "a list of pairs", pairs, 2 * sizeof *replicas);

    for (int64_t i = 0; replicas && i < 2 * pairs; i++)
        replicas[i] = lm_replica_at(lattice, given[i]);
    return replicas;
}

/* Ranks send each other rows of these replicas. */
static int64_t number_of(int64_t pairs, const int64_t *replicas, int count,
                         const latmc_observable *observables)
{
    return lm_number_given((lm_given[]){{replicas, 2 * (size_t)pairs * sizeof *replicas},
                                        {observables, (size_t)count * sizeof *observables}},
                           2);
}

latmc_status latmc_observe_pairs(latmc_lattice *lattice, int64_t pairs, const int64_t *replicas,
                                 int count, const latmc_observable *observables, double *values)
{
    LM_FLOATS;
    double *sums;
    int64_t *who;
    int each;
    latmc_status status = lm_need_started(lattice, __func__);

    if (!status)
        status = lm_pairs_check(lattice, __func__, pairs, replicas, count, observables, values);
    if (!status && lattice->ranks)
        status = lm_ranks_alike(lattice, __func__, number_of(pairs, replicas, count, observables));
    if (status)
        return lm_everywhere(lattice, status);
    each = lm_pair_sums_of(lattice);
    who = as_replicas(lattice, __func__, pairs, replicas);
    sums = who ? lm_unset(__func__, "the sums of pairs", pairs, (size_t)each * sizeof *sums) : NULL;
    status = sums ? lm_pairs_sum(lattice, __func__, lm_pairs_groups(lattice, count, observables),
                                 pairs, (const int64_t(*)[2])who, sums)
                  : LATMC_ERROR_MEMORY;
    for (int o = 0; o < count && !status; o++) {
        const lm_entry *entry =
            lm_list_find(lm_list_of(lattice->model, LATMC_PAIR_OBSERVABLES), (int)observables[o]);

        lm_entry_values(entry, lm_reading_of(lattice, NULL, sums), each, pairs, values + o * pairs);
    }
    free(who);
    free(sums);
    return lm_everywhere(lattice, status);
}
