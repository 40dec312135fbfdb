/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of the sites' own terms at all momenta, from rows of sites. */
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/lattice/derived.h"
#include "lib/measure/momentum_sums.h"
#include "lib/measure/row_sums.h"

/* Sites whose terms are computed at once: whole groups. */
enum { SEGMENT = 64 * LM_MOMENTUM_GROUP };

typedef struct rows {
    const latmc_lattice *lattice;
    lm_momentum_adding adding;
    double *terms; /* buffer: [term][SEGMENT] */
} rows;

static void close_rows(void *self)
{
    rows *const s = self;

    if (!s)
        return;
    lm_momentum_close(&s->adding);
    free(s->terms);
    free(s);
}

static void *open_rows(const latmc_lattice *lattice, const char *caller)
{
    const int terms = lm_site_terms_of(lattice);
    rows *const s = lm_zeroed(caller, "sums with momenta", 1, sizeof *s);

    if (!s)
        return NULL;
    s->lattice = lattice;
    s->terms = lm_unset(caller, "what sites add", terms * SEGMENT, sizeof *s->terms);
    if (s->terms && !lm_momentum_open(&s->adding, lattice, caller, terms))
        return s;
    close_rows(s);
    return NULL;
}

static void add_row(rows *s, int64_t row, const char *sites)
{
    const lm_site_array of = lm_site_array_of(s->lattice);
    const int64_t extent = s->lattice->extents[0];
    const ptrdiff_t bytes = of.components * s->lattice->type->entry.bytes;

    lm_momentum_row(&s->adding, row);
    for (lm_chunk c = {0}; lm_next_chunk(&c, extent, SEGMENT);) {
        for (int k = 0; k < s->adding.terms; k++)
            s->lattice->model->site_terms(&of, sites + c.first * bytes, c.count, k,
                                          s->terms + (ptrdiff_t)k * SEGMENT);
        lm_momentum_add(&s->adding, c.first, c.count, s->terms, SEGMENT);
    }
}

static latmc_status add_rows(void *self, lm_row_cache *cache, int64_t replica, lm_chunk chunk,
                             const char *sites)
{
    rows *const s = self;
    const int64_t bytes = lm_row_numbers(s->lattice) * s->lattice->type->entry.bytes;

    (void)cache;
    (void)replica;
    for (int64_t r = 0; r < chunk.count; r++)
        add_row(s, chunk.first + r, sites + r * bytes);
    return LATMC_OK;
}

static void end_rows(void *self, int64_t replica)
{
    rows *const s = self;

    lm_momentum_end(&s->adding, s->lattice->momenta->sums + replica * s->adding.width);
}

static double time_of(const latmc_lattice *lattice)
{
    const double terms = lm_site_terms_of(lattice);

    return (double)lattice->sites * terms * (1.0 + 2.0 * lm_momentum_count(lattice));
}

const lm_row_summing lm_momentum_summing = {.bundle = LM_MOMENTUM_SUMS,
                                            .prepare = lm_momentum_sums_prepare,
                                            .open = open_rows,
                                            .add = add_rows,
                                            .end = end_rows,
                                            .close = close_rows,
                                            .time = time_of};
