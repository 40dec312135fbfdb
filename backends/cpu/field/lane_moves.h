/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moves numbers of one type, components or static values. A part of lane.c, which includes it for
 * each type that a site's numbers are kept as, and defines before it:
 *
 *   LM_MOVED                         the type
 *   LM_MOVED_LOAD, LM_MOVED_STORE    a vector of such numbers
 *   LM_MOVED_STORE_SOME              some of its lanes
 *   LM_MOVES(name)                   the names of these functions
 */

/* For static values, only the nodes' lanes are written, because other lanes hold other values, and
 * no sign changes. */
LM_INLINE void LM_MOVES(move)(const LM_MOVED *from, LM_MOVED *to, const lm_field_order *o,
                              int values)
{
    lm_real v = lm_real_permute(LM_MOVED_LOAD(from), o->from);
    if (!values && o->minus)
        v = lm_real_select(lm_mask_of(o->minus), lm_real_neg(v), v);
    if (!values && o->whole)
        LM_MOVED_STORE(to, v);
    else
        LM_MOVED_STORE_SOME(to, v, lm_mask_of(o->lanes));
}

static void LM_MOVES(refresh)(const lm_field_box *box, const lm_field_order *orders,
                              const lm_field_move *moves, int64_t count, int values)
{
    for (int64_t i = 0; i < count; i++) {
        const lm_field_order *o = &orders[moves[i].order];
        const LM_MOVED *from = (const LM_MOVED *)box->field + box->planes * moves[i].from;
        LM_MOVED *to = (LM_MOVED *)box->field + box->planes * moves[i].to;
        for (int c = 0; c < box->planes; c++, from += LM_REALS, to += LM_REALS)
            LM_MOVES(move)(from, to, o, values);
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
        for (int c = 0; c < m->planes; c++, to += LM_REALS) {
            const LM_MOVED *one = from + c;
            for (int64_t i = 0; i < m->extents[0]; i++, one += m->planes)
                to[m->at[0][i]] = *one;
        }
        from += m->extents[0] * m->planes;
    }
    lm_leave();
}

/* Reads sites of a row, from `first` on, as doubles. */
static void LM_MOVES(read_line)(const lm_field_map *m, const LM_MOVED *row, int64_t first,
                                int count, int sign, double *to)
{
    for (int i = 0; i < count; i++)
        to[i] = sign * (double)row[m->at[0][first + i]];
}

#undef LM_MOVED
#undef LM_MOVED_LOAD
#undef LM_MOVED_STORE
#undef LM_MOVED_STORE_SOME
#undef LM_MOVES
