/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/divide/pieces.h"

#include <stdlib.h>

#include "lib/base/memory.h"

/* Opens one more piece on its device. */
static latmc_status add(lm_pieces *p, const lm_device_list *where, int first_device,
                        void (*spec_of)(const lm_division *, int, lm_spec *))
{
    const int number = p->first + p->count;
    const int device = p->division->device[number] - first_device;
    const lm_device *const on = where->devices[device];
    latmc_status status;

    p->specs[p->count] = p->whole;
    spec_of(p->division, number, &p->specs[p->count]);
    status = lm_plan_open(on->backend, &p->specs[p->count], on->index, &p->plans[p->count]);
    p->count += status == LATMC_OK;
    return status;
}

latmc_status lm_pieces_begin(lm_pieces *p, const lm_device_list *where, const lm_spec *spec,
                             const lm_division *division, lm_ranks *ranks,
                             void (*spec_of)(const lm_division *, int, lm_spec *))
{
    const int rank = lm_ranks_own(ranks);
    const int first = (int)division->of_rank[rank], end = (int)division->of_rank[rank + 1];
    latmc_status status = LATMC_OK;

    *p = (lm_pieces){.whole = *spec, .division = division, .ranks = ranks, .first = first};
    p->specs = lm_zeroed(NULL, "the pieces of a lattice", end - first, sizeof *p->specs);
    p->plans = lm_zeroed(NULL, "the pieces of a lattice", end - first, sizeof *p->plans);
    if (!p->specs || !p->plans)
        return LATMC_ERROR_MEMORY;
    for (int k = first; k < end && !status; k++)
        status = add(p, where, division->device[first], spec_of);
    return status;
}

void lm_pieces_end(lm_pieces *p)
{
    for (int i = 0; i < p->count; i++)
        lm_plan_close(&p->plans[i]);
    free(p->specs);
    free(p->plans);
}

void lm_pieces_alone(lm_plan plan, int alone)
{
    lm_pieces *p = plan.self;

    if (p)
        p->alone = alone;
}

int64_t lm_pieces_row_bytes(const lm_spec *spec)
{
    static const int64_t bytes[] = {
        [LM_IN_WORDS] = 1, [LM_AS_FLOATS] = 4, [LM_AS_DOUBLES] = 8, [LM_AS_BYTES] = 1};

    return spec->extents[0] * spec->components * bytes[spec->kept];
}

/* Returns whether a piece here has replicas of the sample. *own becomes the sample's number
 * among the piece's own samples. A slab has replicas of all samples. */
static int has_sample(const lm_pieces *p, int i, int64_t sample, int64_t *own)
{
    const lm_spec *whole = &p->whole;

    *own = sample;
    if (p->division->kind == LATMC_DIVIDE_REPLICAS && whole->samples > 1)
        *own -= p->division->begin[p->first + i] / (whole->replicas / whole->samples);
    return *own >= 0 && *own < p->specs[i].samples;
}

latmc_status lm_pieces_put_bonds(void *plan, int64_t sample, int axis, int64_t first_row,
                                 int64_t rows, const int8_t *bonds)
{
    const lm_pieces *p = plan;
    latmc_status status = LATMC_OK;
    int64_t own;

    for (int i = 0; i < p->count && !status; i++)
        if (has_sample(p, i, sample, &own))
            status = lm_plan_put_bonds(p->plans[i], own, axis, first_row, rows, bonds);
    return status;
}

latmc_status lm_pieces_put_values(void *plan, int64_t sample, int k, int64_t first_row,
                                  int64_t rows, const double *values)
{
    const lm_pieces *p = plan;
    latmc_status status = LATMC_OK;
    int64_t own;

    for (int i = 0; i < p->count && !status; i++)
        if (has_sample(p, i, sample, &own))
            status = lm_plan_put_values(p->plans[i], own, k, first_row, rows, values);
    return status;
}

latmc_status lm_pieces_start(void *plan, latmc_start_mode mode)
{
    const lm_pieces *p = plan;
    latmc_status status = LATMC_OK;

    for (int i = 0; i < p->count && !status; i++)
        status = p->plans[i].ops->start(p->plans[i].self, mode);
    return lm_ranks_agree(p->ranks, status);
}

void lm_pieces_set_threads(void *plan, int threads)
{
    const lm_pieces *p = plan;

    for (int i = 0; i < p->count; i++)
        lm_plan_set_threads(p->plans[i], threads);
}

/* All pieces of a rank are of one backend. Ranks gather numbers in host memory. */
unsigned lm_pieces_crosses(const void *plan)
{
    const lm_pieces *p = plan;
    const lm_plan any = p->plans[0];

    return lm_ranks_count(p->ranks) == 1 && any.ops->crosses ? any.ops->crosses(any.self) : 0;
}

latmc_status lm_pieces_wait(void *plan)
{
    const lm_pieces *p = plan;
    latmc_status status = LATMC_OK;

    for (int i = p->count - 1; i >= 0; i--) {
        const latmc_status own = lm_plan_wait(p->plans[i]);

        status = own ? own : status;
    }
    return lm_ranks_agree(p->ranks, status);
}
