/* SPDX-License-Identifier: BSD-3-Clause */
/* The three things that are done to rows of a slab: update, measure, start. */
#include <string.h>

#include "backends/cpu/bits/plan.h"
#include "lib/colouring.h"

/* Rows [row, end) of a plane. */
typedef struct span {
    int64_t plane, row, end;
} span;

/* The part of rows [first, last) of the slab that lies in one plane. */
static span first_span(const lm_bits_plan *p, int64_t first, int64_t last)
{
    const int64_t row = first % p->plane_rows, end = row + last - first;
    return (span){.plane = first / p->plane_rows,
                  .row = row,
                  .end = end < p->plane_rows ? end : p->plane_rows};
}

static int positive_mod(int a, int m)
{
    return ((a % m) + m) % m;
}

/* A natural lattice: rows of one plane differ in colour as x1 does, which the pattern
 * repeats, but for the last row of an odd ring: it is a band of its own. */
static void update_natural(const lm_bits_plan *p, int update, lm_bits_band b, span s, int colour)
{
    const lm_spec *spec = &p->spec;
    const int colours = p->words.colours;
    const int64_t first_row = lm_bits_first_row(p) + s.plane * p->plane_rows;
    const int64_t x1 = spec->dims == 2 ? first_row : 0; /* of row 0 of the plane */
    const int64_t odd =
        lm_near_colour(spec, 1, spec->extents[1] - 1) == 2 ? spec->extents[1] - 1 - x1 : s.end;
    const int64_t even_end = odd < s.end ? odd : s.end;
    const int upper = lm_row_colour(spec, &p->words, first_row) - lm_near_colour(spec, 1, x1);
    b.colour = (uint32_t)colour;
    b.end = even_end * p->words.width;
    b.active = p->shape.active[positive_mod(colour - upper, colours)];
    p->model->update(p, update, &b);
    if (even_end < s.end) {
        b.begin = b.end;
        b.end = s.end * p->words.width;
        b.phase = 0;
        b.active = p->shape.active[positive_mod(colour - upper - 2, colours)];
        p->model->update(p, update, &b);
    }
}

void lm_bits_make_rule(lm_bits_plan *p, int update)
{
    lm_rules_table(&p->rules, lm_rules_which(&p->rules, update));
}

static _Atomic int64_t *counts_of(lm_bits_plan *p, int64_t group, int lane)
{
    return p->counts + (group * p->words.pack + lane) * p->sums;
}

void lm_bits_update_rows(lm_bits_plan *p, int update, int64_t step, int64_t group, int colour,
                         int64_t first, int64_t last, int count)
{
    const int sublattice = p->words.folded ? colour : 0;
    int64_t changed[32] = {0};
    for (span s; first < last; first += s.end - s.row) {
        s = first_span(p, first, last);
        lm_bits_band b = lm_bits_band_of(p, group, sublattice, s.plane, s.row, s.end);
        b.step = (uint64_t)step;
        b.changed = count ? changed : NULL;
        if (p->words.folded)
            p->model->update(p, update, &b);
        else
            update_natural(p, update, b, s, colour);
        lm_bits_refresh(p, group, sublattice, s.plane, s.row, s.end);
    }
    for (int lane = 0; count && lane < p->words.pack; lane++)
        atomic_fetch_add_explicit(counts_of(p, group, lane) + p->sums - 1, changed[lane],
                                  memory_order_relaxed);
}

void lm_bits_measure_rows(lm_bits_plan *p, unsigned sums, int64_t group, int64_t first,
                          int64_t last)
{
    int64_t of[32][LM_BITS_MAX_SUMS] = {{0}};
    for (span s; first < last; first += s.end - s.row) {
        s = first_span(p, first, last);
        for (int c = 0; c < p->words.sublattices; c++) {
            const lm_bits_band b = lm_bits_band_of(p, group, c, s.plane, s.row, s.end);
            p->model->measure(p, sums, &b, of);
        }
    }
    for (int lane = 0; lane < p->words.pack; lane++)
        for (int k = 0; k < p->sums - 1; k++)
            atomic_fetch_add_explicit(counts_of(p, group, lane) + k, of[lane][k],
                                      memory_order_relaxed);
}

void lm_bits_start_rows(lm_bits_plan *p, latmc_start_mode mode, int64_t group, int64_t first,
                        int64_t last)
{
    for (span s; first < last; first += s.end - s.row) {
        s = first_span(p, first, last);
        for (int c = 0; c < p->words.sublattices; c++) {
            const lm_bits_band b = lm_bits_band_of(p, group, c, s.plane, s.row, s.end);
            p->model->start(p, mode, &b);
            lm_bits_refresh(p, group, c, s.plane, s.row, s.end);
        }
    }
}
