/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes what a layer of the lattice adds to a measurement: doc/trajectory.md, "Order of sums".
 * It is a part of lane.c, which includes it.
 */
#ifndef LM_FIELD_SUMS_H
#define LM_FIELD_SUMS_H

enum { SEGMENT = 64 }; /* sites of a row that are measured together */

/* A component of a segment of a row and of the rows beside it, as doubles. line[0] is its own, with
 * one more number at each end. line[2 a] and line[2 a + 1] are those below and above along axis a.
 * line[3] has one more number at its end, for corners. */
typedef struct lines {
    double line[2 * LATMC_MAX_DIMS][SEGMENT + 2];
} lines;

/* A segment of a row. Members that the measured bundles do not read are not set. */
typedef struct row_segment {
    int count, dims;
    lines of[LM_HOOK_COMPONENTS];
    double fixed[LM_HOOK_SUM_FIXED(LATMC_MAX_DIMS) + 1][SEGMENT]; /* one more: there may be none */
    double cosine[SEGMENT], sine[SEGMENT];                        /* of axis 0 */
    double factor[2 * LATMC_MAX_DIMS];                            /* cosine and sine of axes 1 .. */
    const double *table;                                          /* the model's table */
} row_segment;

/* Folds the neighbour's coordinate and returns the factor of the site there. In a slab's halo the
 * factor is already applied, except that nothing is beyond an open end. */
static int step_to(const lm_field_map *m, int axis, int64_t *x)
{
    const int end = lm_end_factor(m->boundaries[axis]);
    int64_t layer = *x + m->first_layer;
    if (axis < m->dims - 1 || !m->halo)
        return lm_fold(end, m->extents[axis], x);
    return lm_fold(end, m->lattice_layers, &layer) != 0;
}

/* Reads one site beyond the segment's end, or returns `own` if there is none. */
static double read_beyond(const lm_field_map *m, const lm_element *row, int64_t x, double own)
{
    const int sign = lm_fold(lm_end_factor(m->boundaries[0]), m->extents[0], &x);
    return sign ? sign * (double)row[m->at[0][x]] : LM_HOOK_BEYOND(own);
}

static void read_waves(const lm_field_map *m, const int64_t *x, row_segment *p)
{
    for (int i = 0; i < p->count; i++) {
        p->cosine[i] = m->wave[0][2 * (x[0] + i)];
        p->sine[i] = m->wave[0][2 * (x[0] + i) + 1];
    }
    for (int k = 2; k < 2 * m->dims; k++) {
        const int64_t first = k / 2 < m->dims - 1 ? 0 : m->first_layer;
        p->factor[k] = m->wave[k / 2][2 * (first + x[k / 2]) + k % 2];
    }
}

/* Reads a component. field[at] is its number of the site `x`. */
static void read_lines(const lm_field_map *m, const lm_element *field, int64_t at, const int64_t *x,
                       int count, int reads, lines *l)
{
    double *const own = l->line[0] + 1;
    read_line(m, field + at, x[0], count, 1, own);
    if (reads & LM_READS_BELOW)
        own[-1] = read_beyond(m, field + at, x[0] - 1, own[0]);
    if (reads & LM_READS_ABOVE)
        own[count] = read_beyond(m, field + at, x[0] + count, own[count - 1]);
    for (int k = 2; k < 2 * m->dims; k++) {
        const int a = k / 2;
        int64_t to = x[a] + (k % 2 ? 1 : -1);
        const int sign = step_to(m, a, &to);
        if (!(reads & (k % 2 ? LM_READS_ABOVE : LM_READS_BELOW)))
            continue;
        if (sign)
            read_line(m, field + at - m->at[a][x[a]] + m->at[a][to], x[0], count, sign, l->line[k]);
        else
            for (int i = 0; i < count; i++)
                l->line[k][i] = LM_HOOK_BEYOND(own[i]);
    }
}

static void read_fixed(const lm_field_source *from, int64_t at, int64_t first, row_segment *p)
{
    for (int k = 0; k < LM_HOOK_SUM_FIXED(p->dims); k++)
        if (k < from->fixed_values)
            LM_VALUE_MOVES(read_line)
    (from->fixed_map, (const lm_scalar *)from->fixed + k * LM_REALS + at, first, p->count, 1,
     p->fixed[k]);
    else for (int i = 0; i < p->count; i++) p->fixed[k][i] = lm_hook_fixed_preset(k, p->dims);
}

/* Reads the sites above along axis 1 of those one place further along axis 0 than the segment. It
 * is not inline, so that code that is used more often stays as it is. */
static __attribute__((noinline)) void read_corners(const lm_field_source *from, int64_t at,
                                                   const int64_t *x, row_segment *p)
{
    const lm_field_map *m = from->map;
    int64_t to = x[1] + 1;
    const int sign = step_to(m, 1, &to);
    for (int c = 0; c < LM_HOOK_COMPONENTS; c++) {
        lines *const l = &p->of[c];
        const double own = l->line[0][p->count];
        const lm_element *row =
            (const lm_element *)from->field + c * LM_REALS + at - m->at[1][x[1]];
        l->line[3][p->count] =
            sign ? sign * read_beyond(m, row + m->at[1][to], x[0] + p->count, sign * own)
                 : LM_HOOK_BEYOND(own);
    }
}

static void read_segment(const lm_field_source *from, const int64_t *x, int count, int reads,
                         row_segment *p)
{
    const lm_field_map *m = from->map;
    const int64_t at = row_of_map(m, x);
    p->count = count;
    p->dims = m->dims;
    p->table = from->table;
    if (reads & LM_READS_WAVES)
        read_waves(m, x, p);
    if (reads & LM_READS_FIXED)
        read_fixed(from, row_of_map(from->fixed_map, x), x[0], p);
    for (int c = 0; c < LM_HOOK_COMPONENTS; c++)
        read_lines(m, (const lm_element *)from->field + c * LM_REALS, at, x, count, reads,
                   &p->of[c]);
    if (m->dims > 1 && reads & LM_READS_CORNER)
        read_corners(from, at, x, p);
}

/* Computes what the sites of a segment add to the sums of a bundle. If bundle and `dims` are
 * known, the compiler makes vectors of it. */
LM_INLINE void segment_sums(const row_segment *restrict p, int bundle, int dims,
                            double (*restrict add)[SEGMENT])
{
    const int reads = lm_hook_bundle_reads(bundle);
    for (int i = 0; i < p->count; i++) {
        double own[LM_HOOK_COMPONENTS],
            neighbour[LM_HOOK_COMPONENTS * 2 * LATMC_MAX_DIMS] = {0.0},
                                               fixed[LM_HOOK_SUM_FIXED(LATMC_MAX_DIMS) + 1],
                                               wave[2 * LATMC_MAX_DIMS] = {0.0},
                                               corner[LM_HOOK_COMPONENTS] = {0.0},
                                               site[LM_HOOK_SUMS(LATMC_MAX_DIMS)];
        const lm_around at = {own, neighbour, fixed, wave, corner, p->table};
        for (int c = 0; c < LM_HOOK_COMPONENTS; c++) {
            const double *line = p->of[c].line[0] + 1;
            own[c] = line[i];
            for (int k = 0; k < 2 * dims; k++)
                if (reads & (k % 2 ? LM_READS_ABOVE : LM_READS_BELOW))
                    neighbour[2 * dims * c + k] = k < 2 ? line[i + 2 * k - 1] : p->of[c].line[k][i];
            if (dims > 1 && reads & LM_READS_CORNER)
                corner[c] = p->of[c].line[3][i + 1];
        }
        for (int k = 0; k < LM_HOOK_SUM_FIXED(dims) && reads & LM_READS_FIXED; k++)
            fixed[k] = p->fixed[k][i];
        for (int k = 0; k < 2 * dims && reads & LM_READS_WAVES; k++)
            wave[k] = k == 0 ? p->cosine[i] : k == 1 ? p->sine[i] : p->factor[k];
        lm_hook_site_sums(bundle, dims, &at, site);
        for (int k = lm_hook_bundle_begin(bundle, dims); k < lm_hook_bundle_begin(bundle + 1, dims);
             k++)
            add[k][i] = site[k];
    }
}

LM_INLINE void bundle_sums(const row_segment *p, int bundle, double (*add)[SEGMENT])
{
    switch (p->dims) {
    case 1:
        segment_sums(p, bundle, 1, add);
        break;
    case 2:
        segment_sums(p, bundle, 2, add);
        break;
    case 3:
        segment_sums(p, bundle, 3, add);
        break;
    default:
        segment_sums(p, bundle, 4, add);
    }
}

static void add_up_segment(const row_segment *p, unsigned bundles,
                           double add[LM_HOOK_SUMS(LATMC_MAX_DIMS)][SEGMENT])
{
#define ADD_UP(bundle)                                                                             \
    if (bundles >> (bundle)&1)                                                                     \
        bundle_sums(p, bundle, add);
    LM_HOOK_EVERY_BUNDLE(ADD_UP)
#undef ADD_UP
}

static int reads_of(unsigned bundles)
{
    int reads = 0;
#define READ(bundle) reads |= bundles >> (bundle)&1 ? lm_hook_bundle_reads(bundle) : 0;
    LM_HOOK_EVERY_BUNDLE(READ)
#undef READ
    return reads;
}

/* Adds sites of a layer in natural order, block by block. */
typedef struct adder {
    const lm_field_wanted *wanted;
    int64_t site, blocks, capacity; /* `blocks` blocks are finished; at most `capacity` fit */
    double partial[LM_HOOK_SUMS(LATMC_MAX_DIMS)][LM_SUMS_STRIDE];
    double *work;
} adder;

static void finish_block(adder *a)
{
    for (int k = 0; k < a->wanted->count; k++)
        a->work[k * a->capacity + a->blocks] = lm_sums_fold(a->partial[k]);
    memset(a->partial, 0, sizeof a->partial);
    a->blocks++;
}

static void add_segment(adder *a, double add[LM_HOOK_SUMS(LATMC_MAX_DIMS)][SEGMENT], int count)
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

static int64_t rows_of_layer(const lm_field_map *m)
{
    int64_t rows = 1;
    for (int b = 1; b < m->dims - 1; b++)
        rows *= m->extents[b];
    return rows;
}

/* Finds the coordinates x[1 ..] of a row of a layer. */
static void find_row(const lm_field_map *m, int64_t layer, int64_t row, int64_t *x)
{
    const int last = m->dims - 1;
    lm_coordinates(row, 1, last, m->extents, x);
    x[last] = last > 0 ? m->halo + layer : 0;
}

#ifdef LM_HOOK_COUNTED
/* Counts how many sites of a layer have each value. It keeps two counts of each, so an addition
 * need not wait for the one just before it. */
static void count_values(const lm_field_map *m, const lm_element *field, int64_t layer, int values,
                         double *counts)
{
    int64_t x[LATMC_MAX_DIMS] = {0}, count[2][256] = {{0}};
    const int64_t rows = rows_of_layer(m);
    for (int64_t row = 0; row < rows; row++) {
        find_row(m, layer, row, x);
        const int64_t at = row_of_map(m, x);
        for (int64_t i = 0; i < m->extents[0]; i++)
            count[i % 2][(uint8_t)field[at + m->at[0][i]]]++;
    }
    for (int v = 0; v < values; v++)
        counts[v] = (double)(count[0][v] + count[1][v]);
}
#endif

static void add_up_layer(const lm_field_source *from, int64_t layer, const lm_field_wanted *wanted,
                         double *work, double *sums)
{
    const lm_field_map *m = from->map;
    const int reads = reads_of(wanted->bundles);
    const int64_t rows = rows_of_layer(m);
    int64_t x[LATMC_MAX_DIMS] = {0};
    row_segment p;
    double add[LM_HOOK_SUMS(LATMC_MAX_DIMS)][SEGMENT];
    adder a = {.wanted = wanted, .work = work};
    a.capacity = LM_SUMS_BLOCKS(rows * m->extents[0]);
    for (int64_t row = 0; row < rows; row++) {
        find_row(m, layer, row, x);
        for (x[0] = 0; x[0] < m->extents[0]; x[0] += p.count) {
            const int64_t left = m->extents[0] - x[0];
            read_segment(from, x, (int)(left < SEGMENT ? left : SEGMENT), reads, &p);
            add_up_segment(&p, wanted->bundles, add);
            add_segment(&a, add, p.count);
        }
    }
    if (a.site % LM_SUMS_BLOCK)
        finish_block(&a);
    for (int k = 0; k < wanted->count; k++)
        sums[k] = lm_sums_tree(work + k * a.capacity, a.blocks);
}

#ifdef LM_HOOK_BONDS
/* Returns the sum of bonds. With two colours it adds the sums of the last colour's sites. */
static double bond_sum(const lm_field_source *from, int64_t layer, double *work)
{
    const lm_field_map *m = from->bonds_map;
    const int64_t rows = rows_of_layer(m), sites = rows * m->extents[0];
    const lm_scalar *const bonds = from->bonds;
    int64_t x[LATMC_MAX_DIMS] = {0}, site = 0;
    double leaf[LM_SUMS_LEAF];
    for (int64_t row = 0; row < rows; row++) {
        int64_t parity = m->dims > 1 ? m->first_layer : 0;
        find_row(m, layer, row, x);
        const int64_t at = row_of_map(m, x);
        for (int a = 1; a < m->dims; a++)
            parity += x[a];
        for (int64_t i = 0; i < m->extents[0]; i++) {
            const int counts = from->upward || (parity + i) % 2 != 0;
            leaf[site++ % LM_SUMS_LEAF] = counts ? (double)bonds[at + m->at[0][i]] : 0.0;
            if (site == sites)
                for (int64_t k = site; k % LM_SUMS_LEAF; k++)
                    leaf[k % LM_SUMS_LEAF] = 0.0;
            if (site == sites || site % LM_SUMS_LEAF == 0)
                work[(site - 1) / LM_SUMS_LEAF] = lm_sums_leaf(leaf);
        }
    }
    return lm_sums_tree(work, LM_SUMS_LEAVES(sites));
}
#endif

static void layer_sums(const lm_field_source *from, int64_t layer, const lm_field_wanted *wanted,
                       double *work, double *sums)
{
#ifdef LM_HOOK_BONDS
    lm_field_wanted others = *wanted;
    if (wanted->bundles >> LM_HOOK_BONDS & 1) {
        *sums++ = bond_sum(from, layer, work);
        others.bundles &= ~(1u << LM_HOOK_BONDS);
        others.count--;
        memmove(others.sum, others.sum + 1, (size_t)others.count * sizeof *others.sum);
    }
    if (others.count > 0)
        add_up_layer(from, layer, &others, work, sums);
#elif defined LM_HOOK_COUNTED
    lm_field_wanted others = *wanted;
    others.bundles &= ~(1u << LM_HOOK_COUNTED);
    while (others.count > 0 &&
           others.sum[others.count - 1] >= lm_hook_bundle_begin(LM_HOOK_COUNTED, from->map->dims))
        others.count--;
    if (others.count > 0)
        add_up_layer(from, layer, &others, work, sums);
    if (others.count < wanted->count)
        count_values(from->map, from->field, layer, wanted->count - others.count,
                     sums + others.count);
#else
    add_up_layer(from, layer, wanted, work, sums);
#endif
    lm_leave();
}

#endif
