/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/divide/site_sums.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/minmax.h"
#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/physics/sums.h"

/* What is asked of each piece. */
typedef struct asked {
    const lm_pieces *pieces;
    const lm_momentum_order *momenta; /* NULL: weights */
    const lm_weight_order *weights;
    int64_t each; /* numbers of a replica or layer; of a slab's weights, of the slab */
    double *real; /* [replica or layer][each] */
    int64_t *whole;
} asked;

/* Returns the number of the first replica, or layer, of a piece here. */
static int64_t begin_of(const lm_pieces *p, int i)
{
    return p->division->begin[p->first + i];
}

static latmc_status weigh_piece(const asked *a, int i, int *made)
{
    const int slabs = a->pieces->division->kind == LATMC_DIVIDE_SLABS;
    const int64_t first = begin_of(a->pieces, i);
    const lm_plan plan = a->pieces->plans[i];
    lm_weight_order own = *a->weights;

    own.first += slabs ? 0 : first;
    return plan.ops->weigh(plan.self, &own, a->whole + (slabs ? i : first) * a->each, made);
}

static latmc_status ask_piece(const asked *a, int i, int *made)
{
    const lm_plan plan = a->pieces->plans[i];

    return a->momenta ? plan.ops->momenta(plan.self, a->momenta,
                                          a->real + begin_of(a->pieces, i) * a->each, made)
                      : weigh_piece(a, i, made);
}

/* Returns whether all pieces here have the operation. */
static int can_ask(const lm_pieces *p, int momenta)
{
    int can = 1;

    for (int i = 0; i < p->count; i++)
        can = can && (momenta ? p->plans[i].ops->momenta != NULL : p->plans[i].ops->weigh != NULL);
    return can;
}

/* Asks all pieces here, unless some lack the operation. *made becomes whether the pieces of all
 * ranks have made their sums. */
static latmc_status ask(const asked *a, int *made)
{
    const lm_message before = lm_message_now();
    latmc_status status = LATMC_OK;
    int64_t lacks = !can_ask(a->pieces, a->momenta != NULL);

    for (int i = 0; i < a->pieces->count && !status && !lacks; i++) {
        status = ask_piece(a, i, made);
        lacks = !*made;
    }
    if (status == LATMC_ERROR_DEVICE_MEMORY) {
        lm_message_again(&before);
        status = LATMC_OK;
        lacks = 1;
    }
    status = lm_ranks_agree(a->pieces->ranks, status);
    if (!status)
        status = lm_ranks_most(a->pieces->ranks, 1, &lacks);
    *made = !status && !lacks;
    return status;
}

/* ---- lots */

latmc_status lm_lots_momenta(const lm_pieces *p, const int64_t *of_rank,
                             const lm_momentum_order *order, double *sums, int *made)
{
    const asked a = {
        .pieces = p, .momenta = order, .each = lm_momentum_order_width(order), .real = sums};
    const latmc_status status = ask(&a, made);

    return !*made ? status
                  : lm_ranks_gather(p->ranks, sums, of_rank, (size_t)a.each * sizeof *sums);
}

latmc_status lm_lots_weigh(const lm_pieces *p, const int64_t *of_rank, const lm_weight_order *order,
                           int64_t *sums, int *made)
{
    const asked a = {
        .pieces = p, .weights = order, .each = (int64_t)order->sets * order->terms, .whole = sums};
    const latmc_status status = ask(&a, made);

    return !*made ? status
                  : lm_ranks_gather(p->ranks, sums, of_rank, (size_t)a.each * sizeof *sums);
}

/* ---- slabs */

static void add(double *restrict to, const double *restrict from, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i] = to[i] + from[i];
}

/* Adds a block of rows of numbers to its first row, as lm_sums_tree() adds numbers. */
static void add_block(double *rows, int64_t count, int64_t width)
{
    for (int64_t i = LM_SUMS_STRIDE; i < count; i++)
        add(rows + i % LM_SUMS_STRIDE * width, rows + i * width, width);
    for (int64_t half = LM_SUMS_STRIDE / 2; half > 0; half /= 2)
        for (int64_t j = 0; j < half && j + half < count; j++)
            add(rows + j * width, rows + (j + half) * width, width);
}

/* Adds the numbers of all layers. */
static void fold_layers(double *rows, int64_t layers, int64_t width)
{
    for (; layers > 1; layers = LM_SUMS_BLOCKS(layers))
        for (int64_t i = 0; i < layers; i += LM_SUMS_BLOCK) {
            add_block(rows + i * width, lm_min(layers - i, LM_SUMS_BLOCK), width);
            memmove(rows + i / LM_SUMS_BLOCK * width, rows + i * width,
                    (size_t)width * sizeof *rows);
        }
}

latmc_status lm_slabs_momenta(const lm_pieces *p, const int64_t *of_rank,
                              const lm_momentum_order *order, double *sums, int *made)
{
    const int64_t layers = p->whole.extents[p->whole.dims - 1];
    const int64_t each = p->whole.replicas * lm_momentum_order_width(order);
    const size_t bytes = (size_t)each * sizeof *sums;
    const int can = can_ask(p, 1);
    double *const parts =
        can ? lm_unzeroed(NULL, "the sums of layers with momenta", layers, bytes) : NULL;
    const asked a = {.pieces = p, .momenta = order, .each = each, .real = parts};
    latmc_status status =
        can && !parts ? lm_ranks_agree(p->ranks, LATMC_ERROR_MEMORY) : ask(&a, made);

    if (!status && *made)
        status = lm_ranks_gather(p->ranks, parts, of_rank, bytes);
    if (!status && *made) {
        fold_layers(parts, layers, each);
        memcpy(sums, parts, bytes);
    }
    free(parts);
    return status;
}

/* Adds the numbers of slabs or ranks to the first ones. */
static void add_whole(int64_t *numbers, int64_t parts, int64_t each)
{
    for (int64_t i = each; i < parts * each; i++)
        numbers[i % each] += numbers[i];
}

latmc_status lm_slabs_weigh(const lm_pieces *p, const lm_weight_order *order, int64_t *sums,
                            int *made)
{
    const int ranks = lm_ranks_count(p->ranks);
    const int64_t each = p->whole.replicas * order->sets * order->terms;
    const size_t bytes = (size_t)each * sizeof *sums;
    int64_t *const own = lm_unzeroed(NULL, "weighted sums", p->count + ranks, bytes);
    int64_t *const all = own ? own + p->count * each : NULL;
    const asked a = {.pieces = p, .weights = order, .each = each, .whole = own};
    latmc_status status = own ? ask(&a, made) : lm_ranks_agree(p->ranks, LATMC_ERROR_MEMORY);

    if (!status && *made) {
        add_whole(own, p->count, each);
        memcpy(all + lm_ranks_own(p->ranks) * each, own, bytes);
        status = lm_ranks_share(p->ranks, all, bytes);
    }
    if (!status && *made) {
        add_whole(all, ranks, each);
        memcpy(sums, all, bytes);
    }
    free(own);
    return status;
}
