/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures quantities of pairs of replicas: doc/trajectory.md, "Sums over pairs". */
#include "lib/measure/pairs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/floats.h"
#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/divide/workers.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/lattice_chunks.h"
#include "lib/lattice/need.h"
#include "lib/measure/quantity.h"
#include "lib/measure/reading.h"
#include "lib/ranks/alike.h"
#include "lib/settings/slots.h"
#include "lib/sums/pair_count.h"
#include "lib/sums/pair_planes.h"
#include "lib/sums/pair_rows.h"
#include "lib/sums/pair_signs.h"

#include "lib/physics/pair_sums.h"

latmc_status lm_pairs_check(const latmc_lattice *lattice, const char *caller, int64_t pairs,
                            const int64_t *replicas)
{
    if (!replicas)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: pairs is NULL", caller);
    if (pairs < 1)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: pair_count is %" PRId64 "; it must be at least 1",
                       caller, pairs);
    for (int64_t p = 0; p < pairs; p++)
        for (int i = 0; i < 2; i++)
            if (replicas[2 * p + i] < 0 || replicas[2 * p + i] >= lattice->replicas)
                return lm_fail(LATMC_ERROR_ARGUMENT,
                               "%s: number %" PRId64 " is in pair %" PRId64 "; 0 to %" PRId64
                               " are allowed",
                               caller, replicas[2 * p + i], p, lattice->replicas - 1);
    return LATMC_OK;
}

latmc_status lm_pair_quantities_check(const latmc_lattice *lattice, const char *caller,
                                      int64_t count, const latmc_quantity *quantities,
                                      const double *values, unsigned *bundles)
{
    if (!quantities || !values)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: %s is NULL", caller,
                       quantities ? "values" : "quantities");
    if (count < 1)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: quantity_count is %" PRId64 "; it must be at least 1", caller, count);
    return lm_quantities_need(lattice, caller, LATMC_PAIR_OBSERVABLES, count, quantities, bundles);
}

/* Values of a quantity that are to be stored. An item is a pair. */
typedef struct storing {
    const lm_entry *observable;
    lm_reading reading;
    const double *sums; /* of the first pair */
    int64_t each, all;  /* sums of a pair; of all pairs, which are those of a measurement */
    int64_t measurements;
    double *values;
    int64_t stride;
} storing;

static void store_pair(void *user, int thread, int64_t pair)
{
    const storing *s = user;
    lm_reading in = s->reading;

    (void)thread;
    in.sums = s->sums + pair * s->each;
    lm_entry_values(s->observable, in, s->all, s->measurements, s->values + pair * s->stride);
}

void lm_pair_store(const latmc_lattice *lattice, const latmc_quantity *quantity, const double *sums,
                   int64_t pairs, int64_t measurements, double *values, int64_t stride)
{
    const lm_entry *const observable =
        lm_entry_find(lattice->model, LATMC_PAIR_OBSERVABLES, quantity->observable);
    const int at = lm_pair_sums_at(lattice, observable->bundles);
    const int64_t each = at ? at : lm_pair_sums_of(lattice);
    storing s = {.observable = observable,
                 .reading = lm_reading_of(lattice, NULL, NULL),
                 .sums = at ? sums + pairs * lm_pair_sums_of(lattice) : sums,
                 .each = each,
                 .all = pairs * each,
                 .measurements = measurements,
                 .values = values,
                 .stride = stride};
    const double ns = (double)pairs * (LM_ITEM_NS + LM_VALUE_NS * (double)measurements);

    s.reading.index = quantity->index;
    s.reading.second = quantity->second;
    lm_workers_share(lattice->threads, lm_workers(lattice->threads, ns), pairs, store_pair, &s);
}

/* Returns whether a bit describes a site completely. */
static int has_two_spins(const latmc_lattice *lattice)
{
    return lattice->model->whole_products && lattice->model->types[0].entry.bits == 1;
}

/* Turns a device's lack of memory into success, and adds the bundles to those left in
 * *bundles. The host computes the same numbers another way. */
static latmc_status unless_no_memory(latmc_status status, unsigned asked, unsigned *bundles,
                                     const lm_message *before)
{
    if (status != LATMC_ERROR_DEVICE_MEMORY)
        return status;
    *bundles |= asked;
    lm_message_again(before);
    return LATMC_OK;
}

/* Computes the bundles for which the plan has a way of its own. *bundles becomes the mask of
 * the other bundles. Pairs have the plan's numbers of replicas. */
static latmc_status sum_by_plan(const latmc_lattice *lattice, const char *caller, lm_plan plan,
                                unsigned *bundles, int64_t pairs, const int64_t (*replicas)[2],
                                double *sums)
{
    const unsigned own = plan.ops && plan.ops->pairs ? *bundles & plan.ops->pair_bundles : 0;
    const unsigned waves = lm_pairs_have_planes(lattice, plan) ? *bundles & 1u << LM_PAIR_WAVES : 0;
    const lm_message before = lm_message_now();
    latmc_status status = LATMC_OK;

    *bundles &= ~(own | waves);
    if (own)
        status = lm_fail_in(caller, plan.ops->pairs(plan.self, own, pairs, replicas, sums));
    status = unless_no_memory(status, own, bundles, &before);
    if (waves && !status)
        status = unless_no_memory(lm_pairs_of_planes(lattice, caller, plan, pairs, replicas, sums),
                                  waves, bundles, &before);
    return status;
}

static latmc_status sum_by_sites(const latmc_lattice *lattice, const char *caller, unsigned bundles,
                                 int64_t pairs, const int64_t (*replicas)[2], double *sums)
{
    if (!bundles)
        return LATMC_OK;
    return (has_two_spins(lattice) && lm_chunk_rows(lattice) == lattice->rows
                ? lm_pairs_of_signs
                : lm_pairs_by_rows)(lattice, caller, bundles, pairs, replicas, sums);
}

/* ---- replicas that several plans have */

/* Some pairs of a list: those within one lot, or those within no lot. */
typedef struct some_pairs {
    lm_lot lot;             /* ops NULL: no lot */
    int64_t count, *number; /* of pairs; their numbers in the list */
    int64_t (*replicas)[2], (*in_lot)[2];
    double *sums; /* [pair][each] */
} some_pairs;

static latmc_status open_some(some_pairs *some, const char *caller, int64_t pairs, int each)
{
    static const char what[] = "pairs of a device";

    *some = (some_pairs){.number = lm_unzeroed(caller, what, pairs, sizeof *some->number),
                         .replicas = lm_unzeroed(caller, what, pairs, sizeof *some->replicas),
                         .in_lot = lm_unzeroed(caller, what, pairs, sizeof *some->in_lot),
                         .sums = lm_zeroed(caller, what, pairs * each, sizeof *some->sums)};
    return some->number && some->replicas && some->in_lot && some->sums ? LATMC_OK
                                                                        : LATMC_ERROR_MEMORY;
}

static void close_some(some_pairs *some)
{
    free(some->number);
    free(some->replicas);
    free(some->in_lot);
    free(some->sums);
}

static int is_in(const lm_lot *lot, int64_t replica)
{
    return replica >= lot->first && replica < lot->first + lot->count;
}

/* Returns the lot that has both replicas of a pair, or a lot without a plan. */
static lm_lot lot_of(lm_plan plan, const int64_t pair[2])
{
    const lm_lot lot = plan.ops->lot(plan.self, pair[0]);

    return lot.ops && is_in(&lot, pair[1]) ? lot : (lm_lot){0};
}

/* Takes the untaken pairs that have the same lot as the first one. */
static void take_some(some_pairs *some, lm_plan plan, int64_t pairs, const int64_t (*replicas)[2],
                      char *taken, int64_t first)
{
    some->lot = lot_of(plan, replicas[first]);
    some->count = 0;
    for (int64_t p = first; p < pairs; p++) {
        const lm_lot lot = taken[p] ? (lm_lot){0} : lot_of(plan, replicas[p]);

        if (taken[p] || lot.self != some->lot.self)
            continue;
        taken[p] = 1;
        some->number[some->count] = p;
        for (int i = 0; i < 2; i++) {
            some->replicas[some->count][i] = replicas[p][i];
            some->in_lot[some->count][i] = replicas[p][i] - lot.first;
        }
        some->count++;
    }
}

static latmc_status sum_some(const latmc_lattice *lattice, const char *caller, unsigned bundles,
                             some_pairs *some)
{
    const lm_plan plan = {some->lot.ops, some->lot.self};
    const latmc_status status = sum_by_plan(lattice, caller, plan, &bundles, some->count,
                                            (const int64_t(*)[2])some->in_lot, some->sums);

    return status ? status
                  : sum_by_sites(lattice, caller, bundles, some->count,
                                 (const int64_t(*)[2])some->replicas, some->sums);
}

static latmc_status sum_by_lots(const latmc_lattice *lattice, const char *caller, unsigned bundles,
                                int64_t pairs, const int64_t (*replicas)[2], double *sums)
{
    const int each = lm_pair_sums_of(lattice);
    char *taken = lm_zeroed(caller, "which pairs are summed", pairs, 1);
    some_pairs some;
    latmc_status status = open_some(&some, caller, pairs, each);

    if (!taken)
        status = LATMC_ERROR_MEMORY;
    for (int64_t p = 0; p < pairs && !status; p++) {
        if (taken[p])
            continue;
        take_some(&some, lattice->home.plan, pairs, replicas, taken, p);
        status = sum_some(lattice, caller, bundles, &some);
        for (int64_t i = 0; i < some.count && !status; i++)
            memcpy(sums + some.number[i] * each, some.sums + i * each, (size_t)each * sizeof *sums);
    }
    close_some(&some);
    free(taken);
    return status;
}

static latmc_status sum_all(const latmc_lattice *lattice, const char *caller, unsigned bundles,
                            int64_t pairs, const int64_t (*replicas)[2], double *sums)
{
    const lm_plan plan = lattice->home.plan;
    latmc_status status;

    if (plan.ops && plan.ops->lot)
        return sum_by_lots(lattice, caller, bundles, pairs, replicas, sums);
    status = sum_by_plan(lattice, caller, plan, &bundles, pairs, replicas, sums);
    return status ? status : sum_by_sites(lattice, caller, bundles, pairs, replicas, sums);
}

latmc_status lm_pairs_sum(const latmc_lattice *lattice, const char *caller, unsigned bundles,
                          int64_t pairs, const int64_t (*replicas)[2], double *sums)
{
    const unsigned at = bundles & LM_PAIR_MOMENTA;
    latmc_status status = LATMC_OK;

    if (bundles & ~at)
        status = sum_all(lattice, caller, bundles & ~at, pairs, replicas, sums);
    return status || !at ? status
                         : lm_pairs_by_rows(lattice, caller, at, pairs, replicas,
                                            sums + pairs * lm_pair_sums_of(lattice));
}

/* Returns the pairs as replicas. The caller frees them. NULL: an error. */
static int64_t *as_replicas(const latmc_lattice *lattice, const char *caller, latmc_order order,
                            int64_t pairs, const int64_t *given)
{
    int64_t *replicas = lm_unzeroed(caller, "a list of pairs", pairs, 2 * sizeof *replicas);

    for (int64_t i = 0; replicas && i < 2 * pairs; i++)
        replicas[i] = lm_replica_at(lattice, order == LATMC_BY_SLOT, given[i]);
    return replicas;
}

/* Checks that all ranks have the same pairs, because ranks send each other rows of these
 * replicas. */
static latmc_status are_alike(const latmc_lattice *lattice, int64_t pairs, const int64_t *replicas,
                              int64_t count, const latmc_quantity *quantities)
{
    lm_given_integer(lattice->ranks, "pair_count", pairs);
    lm_given_array(lattice->ranks, "pairs", replicas, 2 * (size_t)pairs * sizeof *replicas);
    lm_given_integer(lattice->ranks, "quantity_count", count);
    lm_given_array(lattice->ranks, "quantities", quantities, (size_t)count * sizeof *quantities);
    return lm_ranks_alike(lattice);
}

/* Computes the sums of pairs. The caller frees them. */
static latmc_status sum(const latmc_lattice *lattice, const char *caller, latmc_order order,
                        unsigned bundles, int64_t pairs, const int64_t *given, double **sums)
{
    const size_t each = (size_t)lm_pair_sums_of(lattice),
                 at = (size_t)lm_pair_sums_at(lattice, bundles);
    int64_t *replicas = as_replicas(lattice, caller, order, pairs, given);
    latmc_status status;

    *sums = replicas ? lm_unzeroed(caller, "the sums of pairs", pairs, (each + at) * sizeof **sums)
                     : NULL;
    status =
        *sums ? lm_pairs_sum(lattice, caller, bundles, pairs, (const int64_t(*)[2])replicas, *sums)
              : LATMC_ERROR_MEMORY;
    free(replicas);
    return status;
}

latmc_status latmc_observe_pairs(latmc_lattice *lattice, latmc_order order, int64_t pair_count,
                                 const int64_t *pairs, int64_t quantity_count,
                                 const latmc_quantity *quantities, double *values)
{
    LM_FLOATS;
    double *sums = NULL;
    unsigned bundles = 0;
    latmc_status status = lm_need_started(lattice, __func__);

    if (!status)
        status = lm_order_check(lattice, __func__, (int64_t)order);
    if (!status)
        status = lm_pairs_check(lattice, __func__, pair_count, pairs);
    if (!status)
        status = lm_pair_quantities_check(lattice, __func__, quantity_count, quantities, values,
                                          &bundles);
    if (!status)
        status = are_alike(lattice, pair_count, pairs, quantity_count, quantities);
    if (!status)
        status = sum(lattice, __func__, order, bundles, pair_count, pairs, &sums);
    for (int64_t q = 0; q < quantity_count && !status; q++)
        lm_pair_store(lattice, &quantities[q], sums, pair_count, 1, values + q * pair_count, 1);
    free(sums);
    return lm_everywhere(lattice, status);
}
