/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moving numbers of one type, components or static values. A part of lane.c, which includes it for
 * each type that a site's numbers are kept as, and defines before it:
 *
 *   LM_MOVED                         the type
 *   LM_MOVED_LOAD, LM_MOVED_STORE    a vector of such numbers
 *   LM_MOVES(name)                   the names of these functions
 */

/* Where the nodes fill one vector a ghost is another order of its lanes. */
LM_INLINE lm_real LM_MOVES(permuted)(const LM_MOVED *from, const lm_field_shift *s, int signs)
{
    lm_real v = lm_real_permute(LM_MOVED_LOAD(from), s->node);
    if (signs && s->minus[0])
        v = lm_real_select(lm_mask_of(s->minus[0]), lm_real_neg(v), v);
    if (signs && s->none[0])
        v = lm_real_select(lm_mask_of(s->none[0]), lm_real_set(0.0), v);
    return v;
}

static void LM_MOVES(refresh_vector)(const lm_field_box *box, const lm_field_shift *s,
                                     const LM_MOVED *from, LM_MOVED *to)
{
    const int signs = (s->minus[0] | s->none[0]) != 0;
    for (int c = 0; c < box->planes; c++, from += box->plane, to += box->plane)
        LM_MOVED_STORE(to, LM_MOVES(permuted)(from, s, signs));
}

static void LM_MOVES(refresh_nodes)(const lm_field_box *box, const lm_field_shift *s,
                                    const LM_MOVED *from, LM_MOVED *to)
{
    for (int c = 0; c < box->planes; c++, from += box->plane, to += box->plane)
        for (int v = 0; v < box->nodes; v++) {
            const LM_MOVED value = from[s->node[v]];
            to[v] = (LM_MOVED)(bit_of(s->none, v) ? 0 : bit_of(s->minus, v) ? -value : value);
        }
}

static void LM_MOVES(refresh)(const lm_field_box *box, const lm_field_shift *shifts,
                              const lm_field_ghost *ghosts, int64_t count)
{
    const int permute = box->nodes == LM_REALS;
    for (int64_t g = 0; g < count; g++) {
        const lm_field_shift *s = &shifts[ghosts[g].shift];
        const LM_MOVED *from = (const LM_MOVED *)box->field + ghosts[g].from;
        LM_MOVED *to = (LM_MOVED *)box->field + ghosts[g].to;
        if (permute)
            LM_MOVES(refresh_vector)(box, s, from, to);
        else
            LM_MOVES(refresh_nodes)(box, s, from, to);
    }
    lm_leave();
}

static void LM_MOVES(copy)(const lm_field_box *box, const lm_field_copy *copies, int64_t count)
{
    for (int c = 0; c < box->planes; c++) {
        LM_MOVED *field = (LM_MOVED *)box->field + c * box->plane - box->place0;
        for (int64_t i = 0; i < count; i++) {
            const int32_t from = copies[i].from;
            field[copies[i].to] = (LM_MOVED)(from < 0 ? -field[~from] : field[from]);
        }
    }
    lm_leave();
}

static void LM_MOVES(put)(const lm_field_map *m, void *field, int64_t first_row, int64_t rows,
                          const void *sites)
{
    const LM_MOVED *from = sites;
    int64_t x[LATMC_MAX_DIMS];
    for (int64_t row = first_row; row < first_row + rows; row++) {
        LM_MOVED *to = (LM_MOVED *)field + map_row(m, row, x);
        for (int c = 0; c < m->planes; c++, to += m->plane) {
            const LM_MOVED *one = from + c;
            for (int64_t i = 0; i < m->extents[0]; i++, one += m->planes)
                to[m->at[0][i]] = *one;
        }
        from += m->extents[0] * m->planes;
    }
    lm_leave();
}

/* Sites of a row, from `first` on, as doubles. */
static void LM_MOVES(read_line)(const lm_field_map *m, const LM_MOVED *row, int64_t first,
                                int count, int sign, double *to)
{
    for (int i = 0; i < count; i++)
        to[i] = sign * (double)row[m->at[0][first + i]];
}

#undef LM_MOVED
#undef LM_MOVED_LOAD
#undef LM_MOVED_STORE
#undef LM_MOVES
