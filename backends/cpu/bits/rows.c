/* SPDX-License-Identifier: BSD-3-Clause */
/* Updates, measures and starts rows of a slab. */
#include <string.h>

#include "backends/cpu/bits/plan.h"
#include "lib/geometry/colouring.h"
#include "lib/physics/lane_one.h"

#include "lib/physics/ballot.h"

/* the most bands of one call: their ties wait together (ties.h), and their bits are one tally */
enum { BANDS = 16 };

/* Rows [row, end) of a plane. */
typedef struct span {
    int64_t plane, row, end;
} span;

/* Returns the part of rows [first, last) of the slab that lies in one plane. */
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

/* Makes the bands of a natural lattice. Rows of one plane differ in colour as x1 does, which the
 * pattern repeats. The last row of an odd ring is an exception and a band of its own. Returns the
 * number of bands. */
static int natural_bands(const lm_bits_plan *p, span s, int colour, lm_bits_band *b)
{
    const lm_spec *spec = &p->spec;
    const int colours = p->words.colours;
    const int64_t first_row = lm_bits_first_row(p) + s.plane * p->plane_rows;
    const int64_t x1 = spec->dims == 2 ? first_row : 0; /* of row 0 of the plane */
    const int64_t odd =
        lm_near_colour(spec, 1, spec->extents[1] - 1) == 2 ? spec->extents[1] - 1 - x1 : s.end;
    const int64_t even_end = odd < s.end ? odd : s.end;
    const int upper = lm_row_colour(spec, &p->words, first_row) - lm_near_colour(spec, 1, x1);
    b[0].colour = (uint32_t)colour;
    b[0].end = even_end * p->words.width;
    b[0].active = p->shape.active[positive_mod(colour - upper, colours)];
    if (even_end == s.end)
        return 1;
    b[1] = b[0];
    b[1].begin = b[0].end;
    b[1].end = s.end * p->words.width;
    b[1].in_pattern = 0;
    b[1].active = p->shape.active[positive_mod(colour - upper - 2, colours)];
    return 2;
}

void lm_bits_make_rule(lm_bits_plan *p, int update)
{
    lm_rules_table(&p->rules, lm_rules_which(&p->rules, update));
}

lm_word_rule lm_bits_rule_of(const lm_bits_plan *p, int update, const lm_bits_band *b)
{
    const lm_rule_shape *s = &p->rules.shape[update];
    const size_t group = (size_t)(b->group - p->words.first_group);
    return (lm_word_rule){.shape = *s,
                          .planes = p->rules.tables[update].planes + group * lm_rule_words(s)};
}

static _Atomic int64_t *counts_of(lm_bits_plan *p, int64_t group, int nth)
{
    return p->counts + (group * p->words.per_word + nth) * p->sums;
}

/* The settings of an update of rows. */
typedef struct updating {
    lm_bits_plan *plan;
    int update, sublattice, colour;
    int64_t step, group;
    int64_t *changed; /* [replica of the word], or NULL */
} updating;

/* Updates as many planes as are handed over at once, from `first` on, and returns their end. Ghosts
 * around all of them are refreshed afterwards, because nothing in this colour reads them. */
static int64_t update_some(const updating *u, int64_t first, int64_t last)
{
    lm_bits_plan *p = u->plan;
    lm_bits_band bands[BANDS];
    span spans[BANDS], s;
    int count = 0, planes = 0;
    for (; first < last && count < BANDS - 1; first += s.end - s.row) {
        s = spans[planes++] = first_span(p, first, last);
        lm_bits_band *b = bands + count;
        lm_bits_put_band(p, u->group, u->sublattice, s.plane, s.row, s.end, b);
        b->step = (uint64_t)u->step;
        b->changed = u->changed;
        count += p->words.folded ? 1 : natural_bands(p, s, u->colour, b);
    }
    p->model->update(p, u->update, bands, count);
    for (int i = 0; i < planes; i++)
        lm_bits_refresh(p, u->group, u->sublattice, spans[i].plane, spans[i].row, spans[i].end);
    return first;
}

void lm_bits_update_rows(lm_bits_plan *p, int update, int64_t step, int64_t group, int colour,
                         int64_t first, int64_t last, int count)
{
    int64_t changed[32] = {0};
    const updating u = {.plan = p,
                        .update = update,
                        .sublattice = p->words.folded ? colour : 0,
                        .colour = colour,
                        .step = step,
                        .group = group,
                        .changed = count ? changed : NULL};
    while (first < last)
        first = update_some(&u, first, last);
    for (int nth = 0; count && nth < p->words.per_word; nth++)
        atomic_fetch_add_explicit(counts_of(p, group, nth) + p->sums - 1, changed[nth],
                                  memory_order_relaxed);
}

/* Measures as many planes as are measured at once, and returns their end. */
static int64_t measure_some(lm_bits_plan *p, unsigned bundles, int64_t group, int sublattice,
                            int64_t first, int64_t last, int64_t (*of)[LM_BITS_MAX_SUMS])
{
    lm_bits_band bands[BANDS];
    span s;
    int count = 0;
    for (; first < last && count < BANDS; first += s.end - s.row) {
        s = first_span(p, first, last);
        lm_bits_put_band(p, group, sublattice, s.plane, s.row, s.end, &bands[count++]);
    }
    p->model->measure(p, bundles, bands, count, of);
    return first;
}

void lm_bits_measure_rows(lm_bits_plan *p, unsigned bundles, int64_t group, int64_t first,
                          int64_t last)
{
    int64_t of[32][LM_BITS_MAX_SUMS]; /* several kilobytes, of which few are used */
    memset(of, 0, (size_t)p->words.per_word * sizeof *of);
    for (int c = 0; c < p->words.sublattices; c++)
        for (int64_t from = first; from < last;)
            from = measure_some(p, bundles, group, c, from, last, of);
    for (int nth = 0; nth < p->words.per_word; nth++)
        for (int k = 0; k < p->sums - 1; k++)
            atomic_fetch_add_explicit(counts_of(p, group, nth) + k, of[nth][k],
                                      memory_order_relaxed);
}

/* A cold start sets spins to +1, and states to 0. */
static void start_cold(const lm_bits_plan *p, const lm_bits_band *b)
{
    const uint32_t first = p->model->common->numbers == LM_STATES ? 0 : b->replicas_mask;
    for (int k = 0; k < p->digits; k++)
        for (int64_t t = b->begin, i = b->in_pattern; t < b->end;
             t++, i = (i + 1) % p->shape.period)
            b->own[t + k * b->digit_stride] = k ? 0 : p->shape.valid[i] & first;
}

void lm_bits_start_rows(lm_bits_plan *p, latmc_start_mode mode, int64_t group, int64_t first,
                        int64_t last)
{
    for (span s; first < last; first += s.end - s.row) {
        s = first_span(p, first, last);
        for (int c = 0; c < p->words.sublattices; c++) {
            const lm_bits_band b = lm_bits_band_of(p, group, c, s.plane, s.row, s.end);
            if (mode == LATMC_START_HOT)
                p->lane->hot(&b);
            else
                start_cold(p, &b);
            lm_bits_refresh(p, group, c, s.plane, s.row, s.end);
        }
    }
}
