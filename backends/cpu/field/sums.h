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
 * they are the piece's own. What the groups that are measured do not read is not there. */
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

static void read_waves(const lm_field_map *m, const int64_t *x, piece *p)
{
    for (int i = 0; i < p->count; i++) {
        p->cosine[i] = m->wave[0][2 * (x[0] + i)];
        p->sine[i] = m->wave[0][2 * (x[0] + i) + 1];
    }
    for (int k = 2; k < 2 * m->dims; k++)
        p->factor[k] = m->wave[k / 2][2 * x[k / 2] + k % 2];
}

static void read_piece(const lm_field_map *m, const lm_scalar *field, const int64_t *x, int count,
                       int reads, piece *p)
{
    double *const own = p->line[0] + 1;
    int64_t at = 0;
    for (int a = 1; a < m->dims; a++)
        at += m->at[a][x[a]];
    p->count = count;
    p->dims = m->dims;
    read_line(m, field + at, x[0], count, 1, own);
    if (reads & LM_READS_WAVES)
        read_waves(m, x, p);
    if (reads & LM_READS_BELOW)
        own[-1] = read_beyond(m, field + at, x[0] - 1, own[0]);
    if (reads & LM_READS_ABOVE)
        own[count] = read_beyond(m, field + at, x[0] + count, own[count - 1]);
    for (int k = 2; k < 2 * m->dims; k++) {
        const int a = k / 2;
        int64_t to = x[a] + (k % 2 ? 1 : -1);
        const int sign = lm_fold(lm_end_factor(m->boundaries[a]), m->extents[a], &to);
        if (!(reads & (k % 2 ? LM_READS_ABOVE : LM_READS_BELOW)))
            continue;
        if (sign)
            read_line(m, field + at - m->at[a][x[a]] + m->at[a][to], x[0], count, sign, p->line[k]);
        else
            memcpy(p->line[k], own, (size_t)count * sizeof *own);
    }
}

/* What the sites of a piece add to the sums of a group. With the group and `dims` known the
 * compiler makes vectors of it. */
LM_INLINE void piece_sums(const piece *restrict p, int group, int dims,
                          double (*restrict add)[PIECE])
{
    const double *phi = p->line[0] + 1;
    const int reads = lm_hook_group_reads(group);
    for (int i = 0; i < p->count; i++) {
        double neighbour[2 * LATMC_MAX_DIMS] = {0.0}, wave[2 * LATMC_MAX_DIMS] = {0.0},
                             site[LM_HOOK_SUMS(LATMC_MAX_DIMS)];
        for (int k = 0; k < 2 * dims; k++) {
            if (reads & (k % 2 ? LM_READS_ABOVE : LM_READS_BELOW))
                neighbour[k] = k < 2 ? phi[i + 2 * k - 1] : p->line[k][i];
            if (reads & LM_READS_WAVES)
                wave[k] = k == 0 ? p->cosine[i] : k == 1 ? p->sine[i] : p->factor[k];
        }
        lm_hook_site_sums(group, dims, phi[i], neighbour, wave, site);
        for (int k = lm_hook_group_begin(group, dims); k < lm_hook_group_begin(group + 1, dims);
             k++)
            add[k][i] = site[k];
    }
}

LM_INLINE void group_sums(const piece *p, int group, double (*add)[PIECE])
{
    switch (p->dims) {
    case 1:
        piece_sums(p, group, 1, add);
        break;
    case 2:
        piece_sums(p, group, 2, add);
        break;
    case 3:
        piece_sums(p, group, 3, add);
        break;
    default:
        piece_sums(p, group, 4, add);
    }
}

static void add_up_piece(const piece *p, unsigned groups,
                         double add[LM_HOOK_SUMS(LATMC_MAX_DIMS)][PIECE])
{
#define ADD_UP(group)                                                                              \
    if (groups >> (group)&1)                                                                       \
        group_sums(p, group, add);
    LM_HOOK_EVERY_GROUP(ADD_UP)
#undef ADD_UP
}

static int reads_of(unsigned groups)
{
    int reads = 0;
#define READ(group) reads |= groups >> (group)&1 ? lm_hook_group_reads(group) : 0;
    LM_HOOK_EVERY_GROUP(READ)
#undef READ
    return reads;
}

/* Sites of a layer are added in natural order, block by block. */
typedef struct adder {
    const lm_field_wanted *wanted;
    int64_t site, blocks, room; /* blocks: finished ones, out of `room` */
    double partial[LM_HOOK_SUMS(LATMC_MAX_DIMS)][LM_SUMS_STRIDE];
    double *work;
} adder;

static void finish_block(adder *a)
{
    for (int k = 0; k < a->wanted->count; k++)
        a->work[k * a->room + a->blocks] = lm_sums_fold(a->partial[k]);
    memset(a->partial, 0, sizeof a->partial);
    a->blocks++;
}

static void add_piece(adder *a, double add[LM_HOOK_SUMS(LATMC_MAX_DIMS)][PIECE], int count)
{
    for (int i = 0, n; i < count; i += n) {
        const int j = (int)(a->site % LM_SUMS_STRIDE);
        n = LM_SUMS_STRIDE - j < count - i ? LM_SUMS_STRIDE - j : count - i;
        for (int k = 0; k < a->wanted->count; k++)
            for (int t = 0; t < n; t++)
                a->partial[k][j + t] += add[a->wanted->sum[k]][i + t];
        a->site += n;
        if (a->site % LM_SUMS_BLOCK == 0)
            finish_block(a);
    }
}

static void layer_sums(const lm_field_map *m, const void *field, int64_t layer,
                       const lm_field_wanted *wanted, double *work, double *sums)
{
    const int last = m->dims - 1, reads = reads_of(wanted->groups);
    int64_t x[LATMC_MAX_DIMS] = {0}, rows = 1;
    piece p;
    double add[LM_HOOK_SUMS(LATMC_MAX_DIMS)][PIECE];
    adder a = {.wanted = wanted, .work = work};
    for (int b = 1; b < last; b++)
        rows *= m->extents[b];
    a.room = LM_SUMS_BLOCKS(rows * m->extents[0]);
    for (int64_t row = 0; row < rows; row++) {
        lm_coordinates(row, 1, last, m->extents, x);
        x[last] = last > 0 ? layer : 0;
        for (x[0] = 0; x[0] < m->extents[0]; x[0] += p.count) {
            const int64_t left = m->extents[0] - x[0];
            read_piece(m, field, x, (int)(left < PIECE ? left : PIECE), reads, &p);
            add_up_piece(&p, wanted->groups, add);
            add_piece(&a, add, p.count);
        }
    }
    if (a.site % LM_SUMS_BLOCK)
        finish_block(&a);
    for (int k = 0; k < wanted->count; k++)
        sums[k] = lm_sums_tree(work + k * a.room, a.blocks);
}

#endif
