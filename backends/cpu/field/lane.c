/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Holds the inner loops of fields, which are compiled once for each lane, each type of site and
 * each model. LM_REAL_HEADER is the vocabulary. LM_REAL_BITS gives the type of arithmetic.
 * LM_ELEMENT_BITS gives the type of components in memory if it is another (element.h). LM_MODEL is
 * the model's name, and LM_MODEL_HEADER has its hooks (lib/physics/field.h).
 */
#include LM_REAL_HEADER

#include <string.h>

#include "backends/cpu/field/nodes.h"
#include "lib/physics/element.h"
#include "lib/physics/field.h"
#include "lib/physics/geometry.h"
#include "lib/physics/sums.h"

/* The routes to neighbours by axis and side. A way has the distance in numbers of a component. It
 * also has the lane of each lane's neighbour, or NULL if the lane is the same. */
typedef struct lm_routes {
    int64_t steps[LATMC_MAX_DIMS][2];
    const int32_t *from[LATMC_MAX_DIMS][2];
} lm_routes;

/* A vector of sites: its components, its static values, and how many of either a site has. `routes`
 * is NULL if all neighbours are a stride away. */
typedef struct lm_reader {
    lm_element *field[LM_FIELD_MAX_COMPONENTS];
    const lm_scalar *fixed[LM_FIELD_MAX_FIXED];
    const int64_t *stride;
    const lm_routes *routes;
    int components, values;
} lm_reader;

/* There is a condition for each component. It costs less than permuting all neighbours (0.90 and
 * 0.87 updates/ns of over-relaxation at 32^3). */
LM_INLINE lm_real lm_reader_across(const lm_reader *read, int c, int a, int side)
{
    const int64_t steps = read->routes->steps[a][side];
    const int32_t *from = read->routes->from[a][side];
    const lm_real there = lm_element_load(read->field[c] + read->components * steps);
    return from ? lm_real_permute(there, from) : there;
}

LM_INLINE lm_real lm_reader_one(const lm_reader *read, int c, int a, int s)
{
    if (read->routes)
        return lm_reader_across(read, c, a, s > 0);
    return lm_element_load(read->field[c] + s * read->components * read->stride[a]);
}

LM_INLINE lm_real lm_reader_two(const lm_reader *read, int c, int a, int s, int b, int t)
{
    const int64_t steps = s * read->stride[a] + t * read->stride[b];
    return lm_element_load(read->field[c] + read->components * steps);
}

LM_INLINE lm_real lm_reader_fixed(const lm_reader *read, int k, int a, int s)
{
    return lm_real_load(read->fixed[k] + s * read->values * read->stride[a]);
}

#include LM_MODEL_HEADER
#include "lib/physics/hooks.h"

#include "backends/cpu/field/lane_update.h"

/* ---- moving numbers */

/* The first returns where the row with coordinates x[1 ..] begins. The second finds the coordinates
 * of a row of the lattice. */
static int64_t row_of_map(const lm_field_map *m, const int64_t *x)
{
    int64_t at = 0;
    for (int a = 1; a < m->dims; a++)
        at += m->at[a][x[a]];
    return at;
}

static int64_t map_row(const lm_field_map *m, int64_t row, int64_t *x)
{
    lm_coordinates(row - m->first_row, 1, m->dims, m->extents, x);
    return row_of_map(m, x);
}

#define LM_MOVED            lm_element
#define LM_MOVED_LOAD       lm_element_load
#define LM_MOVED_STORE      lm_element_store
#define LM_MOVED_STORE_SOME lm_element_store_some
#define LM_MOVES(name)      name
#include "backends/cpu/field/lane_moves.h"

/* Static values have the type of arithmetic. */
#if LM_ELEMENT_BITS == LM_REAL_BITS
#define LM_VALUE_MOVES(name) name
#else
#define LM_MOVED             lm_scalar
#define LM_MOVED_LOAD        lm_real_load
#define LM_MOVED_STORE       lm_real_store
#define LM_MOVED_STORE_SOME  lm_real_store_some
#define LM_MOVES(name)       name##_values
#define LM_VALUE_MOVES(name) name##_values
#include "backends/cpu/field/lane_moves.h"
#endif

static void get(const lm_field_map *m, const void *field, int64_t first_row, int64_t rows,
                void *sites)
{
    lm_element *to = sites;
    int64_t x[LATMC_MAX_DIMS];
    for (int64_t row = first_row; row < first_row + rows; row++) {
        const lm_element *from = (const lm_element *)field + map_row(m, row, x);
        for (int c = 0; c < m->planes; c++, from += LM_REALS) {
            lm_element *one = to + c;
            for (int64_t i = 0; i < m->extents[0]; i++, one += m->planes)
                *one = from[m->at[0][i]];
        }
        to += m->extents[0] * m->planes;
    }
    lm_leave();
}

/* Starts a vector of sites of a row, from the row's site `first` on. Sites beyond the row's end are
 * drawn and dropped. */
LM_INLINE void start_vector(const lm_field_map *m, const lm_stream *stream, int hot, int64_t row,
                            int64_t first, lm_element *to)
{
    const int64_t number = row * m->extents[0] + first;
    uint32_t low[LM_REALS], high[LM_REALS];
    lm_scalar value[LM_REALS];
    lm_bits r[4];
    lm_real s[LM_HOOK_COMPONENTS];
    for (int i = 0; i < LM_REALS; i++) {
        low[i] = (uint32_t)(number + i);
        high[i] = lm_high_of(number + i);
    }
    lm_random_wide(stream, lm_bits_load(low), lm_bits_load(high), 0, r);
    lm_hook_first(r, hot, s);
    for (int c = 0; c < LM_HOOK_COMPONENTS; c++) {
        lm_real_store(value, s[c]);
        for (int i = 0; i < LM_REALS && first + i < m->extents[0]; i++)
            to[c * LM_REALS + m->at[0][first + i]] = (lm_element)value[i];
    }
}

static void start(const lm_field_map *m, void *field, int hot, const lm_keys *keys, uint32_t group,
                  int64_t first_row, int64_t rows)
{
    const lm_stream stream = lm_stream_of(keys, LM_DOMAIN_START, 0, group, 0);
    int64_t x[LATMC_MAX_DIMS];
    for (int64_t row = first_row; row < first_row + rows; row++) {
        lm_element *to = (lm_element *)field + map_row(m, row, x);
        for (int64_t i = 0; i < m->extents[0]; i += LM_REALS)
            start_vector(m, &stream, hot, row, i, to);
    }
    lm_leave();
}

#if LM_HOOK_TILES
#include "backends/cpu/field/lane_tiles.h"
#endif
#ifdef LM_HOOK_BONDS
#include "backends/cpu/field/lane_bonds.h"
#endif
#include "backends/cpu/field/sums.h"

static int fixed(int dims, int kind)
{
    (void)dims;
    return LM_HOOK_FIXED(dims, kind);
}

/* names such as lm_phi4_loops_avx2_32, by the bits of an element */
#define LOOPS_OF(model)    LOOPS_NAMED(model)
#define LOOPS_NAMED(model) LM_LANE_NAME(lm_##model##_loops_, LM_LANE_JOIN(_, LM_ELEMENT_BITS, ))

const lm_field_loops LOOPS_OF(LM_MODEL) = {
    .reals = LM_REALS,
    .fixed = fixed,
    .update = update_any,
    .across = ACROSS,
    .moves = {refresh, put},
    .get = get,
    .values = {LM_VALUE_MOVES(refresh), LM_VALUE_MOVES(put)},
    .start = start,
#if LM_HOOK_TILES
    .load_tile = load_tile,
    .store_tile = store_tile,
#endif
#ifdef LM_HOOK_BONDS
    .bonds = bonds,
#endif
    .layer_sums = layer_sums,
};
