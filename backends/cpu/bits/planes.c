/* SPDX-License-Identifier: BSD-3-Clause */
/* Sites in which two replicas differ, by planes. */
#include "backends/cpu/bits/plan.h"
#include "backends/cpu/team/team.h"
#include "lib/signs.h"

/* Bytes of a word's bits, and rows after which they may be full. */
enum { BYTES = 4, MOST_WORDS = LM_MOST_PLANES / 32 + 1, MOST_ROWS = 255 };

typedef struct work {
    const lm_bits_plan *plan;
    const int64_t (*replicas)[2];
    int64_t pairs;
    int64_t *apart; /* [pair][plane] */
} work;

/* Columns of bits, eight in a number, a byte each: [1: of rows whose sites have odd x0][8 of the
 * row]. Natural rows have all their sites in the first. */
typedef uint64_t columns[2][BYTES * MOST_WORDS];

/* A row of a sublattice, whose columns it is added to; returns how many sites differ. */
static int64_t count_row(const lm_bits_twins *w, int64_t at, int64_t words, int bytes,
                         uint64_t *columns)
{
    int64_t apart = 0;
    for (int64_t j = 0; j < words; j++) {
        const uint32_t of_a = w->a[at + j] >> w->shift_a, of_b = w->b[at + j] >> w->shift_b;
        const uint32_t q = (of_a ^ of_b) & w->bits;
        apart += __builtin_popcount(q);
        for (int k = 0; k < bytes; k++)
            columns[BYTES * j + k] += lm_bytes_of_bits(q >> 8 * k);
    }
    return apart;
}

/* The columns of x0 go to its planes, and are 0 again. */
static void empty(const lm_bits_plan *p, columns of, int64_t *apart)
{
    const int folded = p->words.folded;
    for (int odd = 0; odd <= folded; odd++)
        for (int64_t k = 0; k < p->words.bits; k++)
            apart[folded ? 2 * k + odd : k] += (int64_t)(of[odd][k / 8] >> k % 8 * 8 & 0xff);
    for (int odd = 0; odd <= folded; odd++)
        for (int64_t i = 0; i < BYTES * p->words.width; i++)
            of[odd][i] = 0;
}

/* Both sublattices of a row with coordinates x[1 ..], which begins at a word of its plane. */
static int64_t count_rows(const lm_bits_plan *p, const lm_bits_pair *of, int64_t plane, int64_t at,
                          const int64_t *x, columns to)
{
    const int bytes = (p->words.segment + 7) / 8, folded = p->words.folded;
    lm_bits_twins twins = of->twins;
    int64_t parity = 0, apart = 0;
    for (int a = 1; a < p->spec.dims; a++)
        parity += x[a];
    for (int c = 0; c < p->words.sublattices; c++) {
        const int odd = folded ? (int)(parity & 1) ^ c : 0;
        twins.a = lm_bits_plane(p, of->group[0], c, plane);
        twins.b = lm_bits_plane(p, of->group[1], c, plane);
        apart += count_row(&twins, at, p->words.width, bytes, to[odd]);
    }
    return apart;
}

static void next_row(int dims, const int64_t *extents, int64_t *x)
{
    for (int a = 1; a < dims && ++x[a] == extents[a]; a++)
        x[a] = 0;
}

static void count_pair(const lm_bits_plan *p, const int64_t replicas[2], int64_t *apart)
{
    const lm_bits_pair of = lm_bits_pair_of(p, replicas);
    const int64_t rows = p->planes * p->plane_rows;
    const int64_t *extents = p->spec.extents;
    int64_t x[LATMC_MAX_DIMS] = {0};
    columns to;
    for (int64_t k = 0; k < lm_all_planes(p->spec.dims, extents); k++)
        apart[k] = 0;
    for (int odd = 0; odd < 2; odd++)
        for (int64_t i = 0; i < BYTES * p->words.width; i++)
            to[odd][i] = 0;
    for (int64_t r = 0; r < rows; r++) {
        int64_t n, *at = apart;
        n = count_rows(p, &of, r / p->plane_rows, r % p->plane_rows * p->words.width, x, to);
        for (int a = 1; a < p->spec.dims; a++) {
            at += extents[a - 1];
            at[x[a]] += n;
        }
        next_row(p->spec.dims, extents, x);
        if ((r + 1) % MOST_ROWS == 0 || r + 1 == rows)
            empty(p, to, apart);
    }
}

static void count_some(lm_member *m, const void *shared)
{
    const work *w = shared;
    const int64_t each = lm_all_planes(w->plan->spec.dims, w->plan->spec.extents);
    int64_t pair;
    while (lm_team_take(m, w->pairs, &pair))
        count_pair(w->plan, w->replicas[pair], w->apart + pair * each);
}

latmc_status lm_bits_pair_planes(void *plan, int64_t pairs, const int64_t (*replicas)[2],
                                 int64_t *apart)
{
    const lm_bits_plan *p = plan;
    const work w = {.plan = p, .replicas = replicas, .pairs = pairs, .apart = apart};
    const double rows = (double)(p->planes * p->plane_rows);
    /* Nanoseconds, on one thread: of a row, and of each of its words. */
    const double row = 20.0 + 5.0 * (double)(p->words.sublattices * p->words.width);
    const double all = row * rows * (double)pairs;
    const int room = lm_team_most(p->threads, all), most = pairs < room ? (int)pairs : room;
    lm_team team;
    lm_team_gather(&team, p->threads, room, lm_team_size(most, all, all));
    lm_team_round(&team, count_some, &w);
    lm_team_dismiss(&team);
    return LATMC_OK;
}
