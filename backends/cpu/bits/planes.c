/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts by planes the sites in which two replicas differ, or in which one differs from spins
 * -1. */
#include "backends/cpu/bits/plan.h"
#include "backends/cpu/team/team.h"
#include "lib/base/signs.h"

/* Bytes for a word's bits, and the number of rows after which they may be full. */
enum { BYTES = 4, MOST_WORDS = LM_BITS_MAX_PLANES / 32 + 1, MOST_ROWS = 255 };

typedef struct planes_work {
    const lm_bits_plan *plan;
    const int64_t (*replicas)[2]; /* NULL: single replicas, from number `first` on */
    int64_t first, pairs;
    int64_t *apart; /* [pair][plane] */
} planes_work;

/* The counts of a pair. Columns of bits are eight in a number, a byte each: [1: of sites with odd
 * x0][8 of the row]. Natural rows have all their sites in the first. */
typedef struct plane_tally {
    const lm_bits_plan *plan;
    int alone;      /* there is no second replica */
    int64_t *apart; /* [plane] */
    int rows;       /* rows in the columns */
    uint64_t columns[2][BYTES * MOST_WORDS];
} plane_tally;

/* Adds a row of a sublattice to its columns. Returns how many sites differ. */
static int64_t count_row(const lm_bits_twins *w, int64_t at, int64_t words, int bytes,
                         uint64_t *columns)
{
    int64_t apart = 0;
    for (int64_t j = 0; j < words; j++) {
        const uint32_t of_a = w->a[at + j] >> w->shift_a;
        const uint32_t of_b = w->b ? w->b[at + j] >> w->shift_b : 0;
        const uint32_t q = (of_a ^ of_b) & w->bits;
        apart += __builtin_popcount(q);
        for (int k = 0; k < bytes; k++)
            columns[BYTES * j + k] += lm_bytes_of_bits(q >> 8 * k);
    }
    return apart;
}

static void clear(plane_tally *t)
{
    t->rows = 0;
    for (int odd = 0; odd < t->plan->words.sublattices; odd++)
        for (int64_t i = 0; i < BYTES * t->plan->words.width; i++)
            t->columns[odd][i] = 0;
}

/* Moves the columns to the planes of axis 0. */
static void empty(plane_tally *t)
{
    const int step = t->plan->words.sublattices;
    for (int odd = 0; odd < step; odd++)
        for (int64_t k = 0; k < t->plan->words.bits; k++)
            t->apart[step * k + odd] += (int64_t)(t->columns[odd][k / 8] >> k % 8 * 8 & 0xff);
    clear(t);
}

/* Counts rows that differ only in x1. Returns how many sites differ. `parity` is the sum of their
 * other coordinates. */
static int64_t count_plane(plane_tally *t, const lm_bits_pair *of, int64_t plane, int64_t parity)
{
    const lm_bits_plan *p = t->plan;
    const int bytes = (p->words.segment + 7) / 8, folded = p->words.folded;
    int64_t *const of_rows = t->apart + p->spec.extents[0], all = 0;
    lm_bits_twins twins = of->twins;
    for (int c = 0; c < p->words.sublattices; c++) {
        twins.a = lm_bits_plane(p, of->group[0], c, plane);
        twins.b = t->alone ? NULL : lm_bits_plane(p, of->group[1], c, plane);
        for (int64_t x1 = 0; x1 < p->plane_rows; x1++) {
            const int odd = folded ? (int)((parity + x1) & 1) ^ c : 0;
            const int64_t n =
                count_row(&twins, x1 * p->words.width, p->words.width, bytes, t->columns[odd]);
            if (p->spec.dims > 1)
                of_rows[x1] += n;
            all += n;
            if (++t->rows == MOST_ROWS)
                empty(t);
        }
    }
    return all;
}

static void count_pair(const lm_bits_plan *p, const int64_t replicas[2], int alone, int64_t *apart)
{
    const lm_bits_pair of = lm_bits_pair_of(p, replicas);
    const int64_t *e = p->spec.extents, planes = lm_all_planes(p->spec.dims, e);
    plane_tally t; /* too large to be set to 0 */
    t.plan = p;
    t.alone = alone;
    t.apart = apart;
    clear(&t);
    for (int64_t k = 0; k < planes; k++)
        apart[k] = 0;
    for (int64_t plane = 0; plane < p->planes; plane++) {
        const int64_t x2 = plane % e[2], x3 = plane / e[2];
        const int64_t n = count_plane(&t, &of, plane, x2 + x3);
        if (p->spec.dims > 2)
            apart[e[0] + e[1] + x2] += n;
        if (p->spec.dims > 3)
            apart[e[0] + e[1] + e[2] + x3] += n;
    }
    empty(&t);
}

static void count_some(lm_member *m, const void *shared)
{
    const planes_work *w = shared;
    const int64_t each = lm_all_planes(w->plan->spec.dims, w->plan->spec.extents);
    int64_t pair;
    while (lm_team_take(m, w->pairs, &pair)) {
        const int64_t itself[2] = {w->first + pair, w->first + pair};
        count_pair(w->plan, w->replicas ? w->replicas[pair] : itself, !w->replicas,
                   w->apart + pair * each);
    }
}

static void count_all(const planes_work *w)
{
    const lm_bits_plan *p = w->plan;
    const double rows = (double)(p->planes * p->plane_rows);
    /* nanoseconds of one thread for a row: a constant, and an amount for each of its words */
    const double row = 20.0 + 5.0 * (double)(p->words.sublattices * p->words.width);
    const double all = row * rows * (double)w->pairs;
    const int fit = lm_team_most(p->threads, all);
    const int most = w->pairs < fit ? (int)w->pairs : fit;
    lm_team team;
    lm_team_gather(&team, p->threads, fit, lm_team_size(most, all, all));
    lm_team_lap(&team, count_some, w);
    lm_team_dismiss(&team);
}

latmc_status lm_bits_pair_planes(void *plan, int64_t pairs, const int64_t (*replicas)[2],
                                 int64_t *apart)
{
    const planes_work w = {.plan = plan, .replicas = replicas, .pairs = pairs, .apart = apart};
    count_all(&w);
    return LATMC_OK;
}

latmc_status lm_bits_spin_planes(void *plan, int64_t first, int64_t count, int64_t *up)
{
    const planes_work w = {.plan = plan, .first = first, .pairs = count, .apart = up};
    count_all(&w);
    return LATMC_OK;
}
