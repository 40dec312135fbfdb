/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets and keeps the weights of weighted sums. */
#include "lib/settings/weights.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checksum.h"
#include "lib/base/floats.h"
#include "lib/base/memory.h"
#include "lib/base/ranks.h"
#include "lib/base/status.h"
#include "lib/base/text.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/need.h"

/* ---- what is kept */

int64_t lm_weights_count(const latmc_lattice *lattice, const lm_weights *weights)
{
    return weights->samples * lm_disorder_each(lattice, weights->owner);
}

void *lm_weights_numbers(const lm_weights *weights)
{
    return weights->as_signs ? (void *)weights->signs : weights->reals;
}

latmc_status lm_weights_room(const latmc_lattice *lattice, const char *caller, lm_weights *weights)
{
    const int64_t count = lm_weights_count(lattice, weights);

    if (weights->as_signs)
        weights->signs = lm_zeroed(caller, "weights", count, sizeof *weights->signs);
    else
        weights->reals = lm_zeroed(caller, "weights", count, sizeof *weights->reals);
    return lm_weights_numbers(weights) ? LATMC_OK : LATMC_ERROR_MEMORY;
}

void lm_weights_free(lm_weights *weights)
{
    free(weights->signs);
    free(weights->reals);
    *weights = (lm_weights){.samples = 0};
}

uint64_t lm_weights_sum(const latmc_lattice *lattice)
{
    lm_checksum sum;

    lm_checksum_begin(&sum);
    for (int i = 0; i < LATMC_MAX_WEIGHTS; i++) {
        const lm_weights *w = &lattice->weights.set[i];
        const size_t size = w->as_signs ? sizeof *w->signs : sizeof *w->reals;

        if (w->samples)
            lm_checksum_add(&sum, lm_weights_numbers(w),
                            (size_t)lm_weights_count(lattice, w) * size);
    }
    return lm_checksum_value(&sum);
}

/* ---- sums */

void lm_weights_counted(latmc_lattice *lattice)
{
    lattice->weights.most = LATMC_MAX_WEIGHTS;
    while (lattice->weights.most && !lattice->weights.set[lattice->weights.most - 1].samples)
        lattice->weights.most--;
}

latmc_status lm_weights_prepare(latmc_lattice *lattice, const char *caller)
{
    const int terms = lm_site_terms_of(lattice);

    if (lattice->weights.sums)
        return LATMC_OK;
    lattice->weights.width = 0;
    for (int i = 0; i < lattice->weights.most; i++) {
        lattice->weights.set[i].first_sum = (int)lattice->weights.width;
        lattice->weights.width += lm_weights_sums(&lattice->weights.set[i], terms);
    }
    lattice->weights.sums =
        lm_zeroed(caller, "weighted sums", lattice->replicas,
                  (size_t)lattice->weights.width * sizeof *lattice->weights.sums);
    lattice->weights.mark = ++lattice->marks;
    return lattice->weights.sums ? LATMC_OK : LATMC_ERROR_MEMORY;
}

/* ---- setting */

static latmc_status check_kind(const latmc_lattice *lattice, const char *caller,
                               latmc_weight_kind kind)
{
    if (kind != LATMC_WEIGHT_SITES && kind != LATMC_WEIGHT_BONDS)
        return lm_fail(LATMC_ERROR_UNKNOWN,
                       "%s: there is no kind of weights %d; there are sites (%d) and bonds (%d)",
                       caller, (int)kind, LATMC_WEIGHT_SITES, LATMC_WEIGHT_BONDS);
    if (kind == LATMC_WEIGHT_BONDS && !lattice->model->products)
        return lm_fail(LATMC_ERROR_UNKNOWN, "%s: the model %s has no bonds, only weights of sites",
                       caller, lattice->model->entry.name);
    return LATMC_OK;
}

static latmc_status check_number(const char *caller, int64_t number)
{
    return number < 0 || number >= LATMC_MAX_WEIGHTS
               ? lm_fail(LATMC_ERROR_ARGUMENT, "%s: number is %" PRId64 "; 0 to %d is allowed",
                         caller, number, LATMC_MAX_WEIGHTS - 1)
               : LATMC_OK;
}

static latmc_status check_samples(const latmc_lattice *lattice, const char *caller, int64_t samples)
{
    if (samples != 1 && samples != lattice->samples)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: samples is %" PRId64
                       "; it must be 1 or the lattice's number of samples, %" PRId64,
                       caller, samples, lattice->samples);
    return LATMC_OK;
}

static latmc_status refuse_value(const latmc_lattice *lattice, const char *caller, lm_owner owner,
                                 int64_t at, double value)
{
    const int64_t each = lm_disorder_each(lattice, owner), cells = lm_cells(lattice);
    char what[96];

    if (owner == LM_OF_BONDS)
        snprintf(what, sizeof what, "bond type %" PRId64 " in cell %" PRId64, at % each / cells,
                 at % cells);
    else
        snprintf(what, sizeof what, "site %" PRId64, at % each);
    return lm_fail(LATMC_ERROR_ARGUMENT,
                   "%s: the weight of %s is %s, in sample %" PRId64
                   "; it must be a number from %s to %s",
                   caller, what, lm_number(value).text, at / each, lm_number(-LM_MAX_REAL).text,
                   lm_number(LM_MAX_REAL).text);
}

/* Copies the numbers, as signs if all are. */
static latmc_status take(const latmc_lattice *lattice, const char *caller, const double *numbers,
                         lm_weights *set)
{
    const int64_t count = lm_weights_count(lattice, set);
    latmc_status status;

    set->as_signs = 1;
    for (int64_t i = 0; i < count; i++) {
        if (!(numbers[i] >= -LM_MAX_REAL && numbers[i] <= LM_MAX_REAL))
            return refuse_value(lattice, caller, set->owner, i, numbers[i]);
        set->as_signs &= lm_is_sign(numbers[i]);
    }
    status = lm_weights_room(lattice, caller, set);
    for (int64_t i = 0; set->signs && i < count; i++)
        set->signs[i] = (int8_t)numbers[i];
    if (set->reals)
        memcpy(set->reals, numbers, (size_t)count * sizeof *numbers);
    return status;
}

/* Takes the weights of a set. NULL takes none. */
static latmc_status take_given(const latmc_lattice *lattice, const char *caller, int64_t number,
                               latmc_weight_kind kind, int64_t samples, const double *weights,
                               lm_weights *set)
{
    latmc_status status = lm_need_lattice(lattice, caller);

    if (!status)
        status = check_number(caller, number);
    if (!status && weights)
        status = check_samples(lattice, caller, samples);
    if (!status && weights)
        status = check_kind(lattice, caller, kind);
    if (status)
        return status;
    set->owner = kind == LATMC_WEIGHT_BONDS ? LM_OF_BONDS : LM_OF_SITES;
    set->samples = weights ? samples : 0;
    lm_given_integer(lattice->ranks, "number", number);
    lm_given_integer(lattice->ranks, "kind", (int64_t)kind);
    lm_given_integer(lattice->ranks, "samples", samples);
    lm_given_array(lattice->ranks, "weights", weights,
                   (size_t)lm_weights_count(lattice, set) * sizeof *weights);
    return weights ? take(lattice, caller, weights, set) : LATMC_OK;
}

latmc_status latmc_set_weights(latmc_lattice *lattice, int64_t number, latmc_weight_kind kind,
                               int64_t samples, const double *weights)
{
    LM_FLOATS;
    lm_weights set = {.samples = 0};
    const latmc_status status =
        lm_everywhere(lattice, take_given(lattice, __func__, number, kind, samples, weights, &set));

    if (status) {
        lm_weights_free(&set);
        return status;
    }
    lm_weights_free(&lattice->weights.set[number]);
    lattice->weights.set[number] = set;
    lm_weights_counted(lattice);
    free(lattice->weights.sums);
    lattice->weights.sums = NULL;
    return LATMC_OK;
}

/* ---- reading */

latmc_status latmc_get_weights(const latmc_lattice *lattice, int64_t number,
                               latmc_weight_kind *kind, int64_t *samples, double *weights)
{
    latmc_status status = lm_need_lattice(lattice, __func__);
    const lm_weights *set;

    if (!status)
        status = check_number(__func__, number);
    if (!status && !kind && !samples && !weights)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: all results are NULL; at least one is needed",
                       __func__);
    if (status)
        return status;
    set = &lattice->weights.set[number];
    if (kind)
        *kind = set->owner == LM_OF_BONDS ? LATMC_WEIGHT_BONDS : LATMC_WEIGHT_SITES;
    if (samples)
        *samples = set->samples;
    for (int64_t i = 0; weights && i < lm_weights_count(lattice, set); i++)
        weights[i] = set->as_signs ? set->signs[i] : set->reals[i];
    return LATMC_OK;
}
