/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of the sites' own terms at all momenta, from rows of sites. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/lattice/derived.h"
#include "lib/sums/momentum_sums.h"
#include "lib/sums/row_sums.h"

/* Sites whose terms, or whose bits, are computed at once: whole bars. */
enum { SEGMENT = 64 * LM_MOMENTUM_BAR, BITS = LM_MOMENTUM_BITS * LM_MOMENTUM_BAR };

/* Returns whether terms have two values: of a simplex, or of sites that are saved as bits. */
static int are_bits(const latmc_lattice *lattice)
{
    return lattice->model->simplex || lattice->type->entry.bits == 1;
}

static latmc_status prepare(latmc_lattice *lattice, const char *caller)
{
    const lm_site_array of = lm_site_array_of(lattice);
    const uint8_t bits = 2;
    int8_t sites[] = {1, 0};
    double values[2];
    const latmc_status status = lm_momentum_sums_prepare(lattice, caller);

    if (status || !are_bits(lattice))
        return status;
    if (!lattice->model->simplex)
        lattice->type->decode(&bits, 2, sites);
    lattice->model->site_terms(&of, sites, 2, 0, values);
    return lm_momentum_bits_prepare(lattice->momenta, caller, values);
}

/* ---- by the plan */

/* Plans have no way without tables. */
static int has_tables(const latmc_lattice *lattice)
{
    int has = 1;

    for (int a = 0; a < lattice->dims; a++)
        has = has && lattice->momenta->table[a];
    return has;
}

static latmc_status ask(latmc_lattice *lattice, const char *caller, int *made)
{
    const struct lm_momenta *const m = lattice->momenta;
    const lm_plan plan = lattice->home.plan;
    lm_momentum_order order = {.mark = m->mark,
                               .count = m->count,
                               .terms = lm_site_terms_of(lattice),
                               .within = m->within,
                               .bits = m->bits};

    if (!has_tables(lattice) || !plan.ops->momenta)
        return LATMC_OK;
    for (int a = 0; a < lattice->dims; a++)
        order.factors[a] = m->table[a];
    return lm_fail_in(caller, plan.ops->momenta(plan.self, &order, m->sums, made));
}

static int made(latmc_lattice *lattice, int all)
{
    (void)lattice;
    return all;
}

/* ---- by rows */

typedef struct rows {
    const latmc_lattice *lattice;
    lm_momentum_adding adding;
    double *terms;  /* buffer: [term][SEGMENT] */
    uint64_t *bits; /* buffer: [term] */
} rows;

static void close_rows(void *self)
{
    rows *const s = self;

    if (!s)
        return;
    lm_momentum_close(&s->adding);
    free(s->terms);
    free(s->bits);
    free(s);
}

static void *open_rows(const latmc_lattice *lattice, const char *caller)
{
    const int terms = lm_site_terms_of(lattice);
    rows *const s = lm_zeroed(caller, "sums with momenta", 1, sizeof *s);

    if (!s)
        return NULL;
    s->lattice = lattice;
    s->terms = lm_unzeroed(caller, "what sites add", terms * SEGMENT, sizeof *s->terms);
    s->bits = lm_unzeroed(caller, "bits of sites", terms, sizeof *s->bits);
    if (s->terms && s->bits && !lm_momentum_open(&s->adding, lattice, caller, terms))
        return s;
    close_rows(s);
    return NULL;
}

static void add_sites(rows *s, lm_chunk c, const char *row)
{
    const lm_site_array of = lm_site_array_of(s->lattice);
    const ptrdiff_t bytes = of.components * s->lattice->type->entry.bytes;

    for (int k = 0; k < s->adding.terms; k++)
        s->lattice->model->site_terms(&of, row + c.first * bytes, c.count, k,
                                      s->terms + (ptrdiff_t)k * SEGMENT);
    lm_momentum_add(&s->adding, c.first, c.count, s->terms, SEGMENT);
}

/* Sets the bits of some sites: of a simplex for each state, otherwise those that would be saved. */
static void set_bits(const rows *s, const char *sites, int64_t count, uint64_t *bits)
{
    uint8_t bytes[sizeof *bits] = {0};
    const uint8_t *from = bytes;

    if (s->lattice->model->simplex) {
        memset(bits, 0, (size_t)s->adding.terms * sizeof *bits);
        for (int64_t i = 0; i < count; i++)
            bits[(uint8_t)sites[i]] |= (uint64_t)1 << i;
    } else {
        s->lattice->type->encode(sites, count, bytes);
        *bits = lm_get_u64(&from);
    }
}

/* Adds some sites of a row by their bits. */
static void add_bits(rows *s, lm_chunk c, const char *row)
{
    const int64_t bars = (c.count + LM_MOMENTUM_BAR - 1) / LM_MOMENTUM_BAR;

    set_bits(s, row + c.first, c.count, s->bits);
    lm_momentum_add_bits(&s->adding, c.first, (int)bars, s->bits);
}

static void add_row(rows *s, int64_t number, const char *row)
{
    const int64_t extent = s->lattice->extents[0];
    const int bits = are_bits(s->lattice);

    lm_momentum_row(&s->adding, number);
    for (lm_chunk c = {0}; lm_next_chunk(&c, extent, bits ? BITS : SEGMENT);)
        (bits ? add_bits : add_sites)(s, c, row);
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
                                            .prepare = prepare,
                                            .ask = ask,
                                            .made = made,
                                            .open = open_rows,
                                            .add = add_rows,
                                            .end = end_rows,
                                            .close = close_rows,
                                            .time = time_of};
