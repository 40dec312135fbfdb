/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a layer of the lattice adds to a measurement: doc/trajectory.md, "Order of sums". A part of
 * lane.c, which includes it.
 */
#ifndef LM_FIELD_SUMS_H
#define LM_FIELD_SUMS_H

enum { PIECE = 64 }; /* sites of a row that are measured together */

/* The fields of a piece of a row and of those beside it, as doubles: line[0] its own with one more
 * at each end, line[2 a], line[2 a + 1] those below and above along axis a. Where an open axis ends
 * they are the piece's own. */
typedef struct piece {
    int count, dims;
    double line[2 * LATMC_MAX_DIMS][PIECE + 2];
    double cosine[PIECE], sine[PIECE]; /* of axis 0 */
    double factor[2 * LATMC_MAX_DIMS]; /* cosine and sine of axes 1 .. */
} piece;

static void read_line(const lm_field_map *m, const lm_scalar *row, int64_t first, int count,
                      int sign, double *to)
{
    for (int i = 0; i < count; i++)
        to[i] = sign * (double)row[m->at[0][first + i]];
}

/* One site beyond the piece's end, or `own` if there is none. */
static double read_beyond(const lm_field_map *m, const lm_scalar *row, int64_t x, double own)
{
    const int sign = lm_fold(lm_end_factor(m->boundaries[0]), m->extents[0], &x);
    return sign ? sign * (double)row[m->at[0][x]] : own;
}

static void read_piece(const lm_field_map *m, const lm_scalar *field, const int64_t *x, int count,
                       piece *p)
{
    double *const own = p->line[0] + 1;
    int64_t at = 0;
    for (int a = 1; a < m->dims; a++)
        at += m->at[a][x[a]];
    p->count = count;
    p->dims = m->dims;
    read_line(m, field + at, x[0], count, 1, own);
    own[-1] = read_beyond(m, field + at, x[0] - 1, own[0]);
    own[count] = read_beyond(m, field + at, x[0] + count, own[count - 1]);
    for (int i = 0; i < count; i++) {
        p->cosine[i] = m->wave[0][2 * (x[0] + i)];
        p->sine[i] = m->wave[0][2 * (x[0] + i) + 1];
    }
    for (int k = 2; k < 2 * m->dims; k++) {
        const int a = k / 2;
        int64_t to = x[a] + (k % 2 ? 1 : -1);
        const int sign = lm_fold(lm_end_factor(m->boundaries[a]), m->extents[a], &to);
        p->factor[k] = m->wave[a][2 * x[a] + k % 2];
        if (sign)
            read_line(m, field + at - m->at[a][x[a]] + m->at[a][to], x[0], count, sign, p->line[k]);
        else
            memcpy(p->line[k], own, (size_t)count * sizeof *own);
    }
}

/* What the sites of a piece add. With `dims` known the compiler makes vectors of it. */
LM_INLINE void piece_sums(const piece *restrict p, int dims, double (*restrict add)[PIECE])
{
    const double *phi = p->line[0] + 1;
    for (int i = 0; i < p->count; i++) {
        double neighbour[2 * LATMC_MAX_DIMS], wave[2 * LATMC_MAX_DIMS],
            site[LM_HOOK_SUMS(LATMC_MAX_DIMS)];
        neighbour[0] = phi[i - 1];
        neighbour[1] = phi[i + 1];
        wave[0] = p->cosine[i];
        wave[1] = p->sine[i];
        for (int k = 2; k < 2 * dims; k++) {
            neighbour[k] = p->line[k][i];
            wave[k] = p->factor[k];
        }
        lm_hook_site_sums(dims, phi[i], neighbour, wave, site);
        for (int k = 0; k < LM_HOOK_SUMS(dims); k++)
            add[k][i] = site[k];
    }
}

static void add_up_piece(const piece *p, double add[LM_HOOK_SUMS(LATMC_MAX_DIMS)][PIECE])
{
    switch (p->dims) {
    case 1:
        piece_sums(p, 1, add);
        break;
    case 2:
        piece_sums(p, 2, add);
        break;
    case 3:
        piece_sums(p, 3, add);
        break;
    default:
        piece_sums(p, 4, add);
    }
}

/* Sites of a layer are added in natural order, block by block. */
typedef struct adder {
    int count;
    int64_t site, blocks, room; /* blocks: finished ones, out of `room` */
    double partial[LM_HOOK_SUMS(LATMC_MAX_DIMS)][LM_SUMS_STRIDE];
    double *work;
} adder;

static void finish_block(adder *a)
{
    for (int k = 0; k < a->count; k++)
        a->work[k * a->room + a->blocks] = lm_sums_fold(a->partial[k]);
    memset(a->partial, 0, sizeof a->partial);
    a->blocks++;
}

static void add_piece(adder *a, double add[LM_HOOK_SUMS(LATMC_MAX_DIMS)][PIECE], int count)
{
    for (int i = 0, n; i < count; i += n) {
        const int j = (int)(a->site % LM_SUMS_STRIDE);
        n = LM_SUMS_STRIDE - j < count - i ? LM_SUMS_STRIDE - j : count - i;
        for (int k = 0; k < a->count; k++)
            for (int t = 0; t < n; t++)
                a->partial[k][j + t] += add[k][i + t];
        a->site += n;
        if (a->site % LM_SUMS_BLOCK == 0)
            finish_block(a);
    }
}

static void layer_sums(const lm_field_map *m, const void *field, int64_t layer, double *work,
                       double *sums)
{
    const int last = m->dims - 1;
    int64_t x[LATMC_MAX_DIMS] = {0}, rows = 1;
    piece p;
    double add[LM_HOOK_SUMS(LATMC_MAX_DIMS)][PIECE];
    adder a = {.count = LM_HOOK_SUMS(m->dims), .work = work};
    for (int b = 1; b < last; b++)
        rows *= m->extents[b];
    a.room = LM_SUMS_BLOCKS(rows * m->extents[0]);
    for (int64_t row = 0; row < rows; row++) {
        lm_coordinates(row, 1, last, m->extents, x);
        x[last] = last > 0 ? layer : 0;
        for (x[0] = 0; x[0] < m->extents[0]; x[0] += p.count) {
            const int64_t left = m->extents[0] - x[0];
            read_piece(m, field, x, (int)(left < PIECE ? left : PIECE), &p);
            add_up_piece(&p, add);
            add_piece(&a, add, p.count);
        }
    }
    if (a.site % LM_SUMS_BLOCK)
        finish_block(&a);
    for (int k = 0; k < a.count; k++)
        sums[k] = lm_sums_tree(work + k * a.room, a.blocks);
}

#endif
