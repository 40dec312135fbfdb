/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moves tiles with their surroundings to the nodes of a box and back, for models that have tiles.
 * It is a part of lane.c, which includes it.
 */
#ifndef LM_FIELD_LANE_TILES_H
#define LM_FIELD_LANE_TILES_H

/* For the places -reach .. extent + reach - 1 of a tile along one axis: where they are in the
 * lattice, and their factor. */
typedef struct edge {
    int64_t at[LM_FIELD_MAX_REACH * 2 + 256];
    int sign[LM_FIELD_MAX_REACH * 2 + 256];
    int plain; /* 1: all factors are 1 */
} edge;

static void edge_of(const lm_field_map *m, int axis, int64_t begin, int64_t extent, int reach,
                    edge *e)
{
    e->plain = 1;
    for (int64_t i = 0; i < extent + 2 * reach; i++) {
        int64_t x = begin + i - reach;
        e->sign[i] = lm_fold(lm_end_factor(m->boundaries[axis]), m->extents[axis], &x);
        e->at[i] = m->at[axis][x];
        e->plain &= e->sign[i] == 1;
    }
}

/* Returns how many steps place i of an edge is outside of the tile. */
static int64_t outside(int64_t i, int64_t extent, int reach)
{
    return i < reach ? reach - i : i < reach + extent ? 0 : i - reach - extent + 1;
}

/* Loads places [first, end) of a row, whose edge is e. */
static void load_row(const lm_scalar *from, const edge *e, int sign, int64_t first, int64_t end,
                     int64_t stride, lm_scalar *to)
{
    if (e->plain && sign == 1) {
        for (int64_t i = first; i < end; i++)
            to[i * stride] = from[e->at[i]];
        return;
    }
    for (int64_t i = first; i < end; i++) {
        const int s = sign * e->sign[i];
        to[i * stride] = s ? (lm_scalar)s * from[e->at[i]] : 0;
    }
}

/* Loads a tile. Of the halo it loads only what the stencil reaches, because another thread may be
 * storing sites in the corners. */
static void load_tile(const lm_field_map *m, const void *field, const int64_t *begin,
                      const lm_field_box *box, int node)
{
    edge e[LATMC_MAX_DIMS];
    int64_t wide[LATMC_MAX_DIMS], place[LATMC_MAX_DIMS], rows = 1;
    for (int a = 0; a < m->dims; a++) {
        edge_of(m, a, begin[a], box->extents[a], box->reach, &e[a]);
        wide[a] = box->extents[a] + 2 * box->reach;
        rows *= a > 0 ? wide[a] : 1;
    }
    for (int64_t row = 0; row < rows; row++) {
        int64_t from = 0, to = -box->reach * box->stride[0];
        int64_t left = box->reach; /* steps that the row may still go beyond the tile */
        int sign = 1;
        lm_coordinates(row, 1, m->dims, wide, place);
        for (int a = 1; a < m->dims; a++) {
            const int64_t i = place[a];
            from += e[a].at[i];
            sign *= e[a].sign[i];
            to += (i - box->reach) * box->stride[a];
            left -= outside(i, box->extents[a], box->reach);
        }
        const int64_t first = box->reach - left;
        for (int c = 0; left >= 0 && c < m->planes; c++)
            load_row((const lm_scalar *)field + c * LM_REALS + from, &e[0], sign, first,
                     wide[0] - first, m->planes * box->stride[0],
                     (lm_scalar *)box->field + m->planes * to + c * LM_REALS + node);
    }
    lm_leave();
}

static void store_tile(const lm_field_map *m, void *field, const int64_t *begin,
                       const lm_field_box *box, int node)
{
    for (int64_t row = 0; row < box->rows; row++) {
        int64_t x[LATMC_MAX_DIMS], number, to = 0;
        const int64_t from = row_at(box, row, x, &number);
        for (int a = 1; a < m->dims; a++)
            to += m->at[a][begin[a] + x[a]];
        for (int c = 0; c < m->planes; c++) {
            const lm_scalar *f =
                (const lm_scalar *)box->field + m->planes * from + c * LM_REALS + node;
            lm_scalar *t = (lm_scalar *)field + c * LM_REALS + to;
            for (int64_t i = 0; i < box->extents[0]; i++)
                t[m->at[0][begin[0] + i]] = f[i * m->planes * box->stride[0]];
        }
    }
    lm_leave();
}

#endif
