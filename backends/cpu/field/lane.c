/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The inner loops of a model with some numbers a site, compiled once for each lane, each type of
 * site and each model: LM_REAL_HEADER is the vocabulary, LM_REAL_BITS the type of arithmetic,
 * LM_ELEMENT_BITS that of components in memory if it is another (element.h), LM_MODEL the model's
 * name and LM_MODEL_HEADER its hooks (lib/physics/field.h).
 */
#include LM_REAL_HEADER

#include <string.h>

#include "backends/cpu/field/nodes.h"
#include "lib/physics/element.h"
#include "lib/physics/field.h"
#include "lib/physics/geometry.h"
#define LM_SUMS_INLINE static inline
#include "lib/physics/sums.h"

/* A vector of sites: its first component and its first static value. */
typedef struct lm_reader {
    const lm_element *field;
    const lm_scalar *fixed;
    const int64_t *stride;
    int64_t plane;
} lm_reader;

LM_INLINE lm_real lm_reader_one(const lm_reader *read, int c, int a, int s)
{
    return lm_element_load(read->field + c * read->plane + s * read->stride[a]);
}

LM_INLINE lm_real lm_reader_two(const lm_reader *read, int c, int a, int s, int b, int t)
{
    return lm_element_load(read->field + c * read->plane + s * read->stride[a] +
                           t * read->stride[b]);
}

LM_INLINE lm_real lm_reader_fixed(const lm_reader *read, int k, int a, int s)
{
    return lm_real_load(read->fixed + k * read->plane + s * read->stride[a]);
}

#include LM_MODEL_HEADER

/* ---- updates
 *
 * Dimensions, reach and the kind of lattice are known to the compiler: variant. */

typedef struct variant {
    int dims, reach, kind;
} variant;

/* Sites that wait for others of their colour, to be updated together. */
typedef struct lm_waiting {
    int count;
    lm_element *at[2];
    lm_hook_site site[2];
    lm_real s[2];
    lm_draws draws[2];
    lm_mask valid[2];
} lm_waiting;

LM_INLINE void store(lm_element *p, lm_real s, lm_mask valid, int some)
{
    if (some)
        lm_element_store_some(p, s, valid);
    else
        lm_element_store(p, s);
}

#if LM_HOOK_TOGETHER
static inline void update_waiting(lm_waiting *w, const lm_hook_common *common, int some,
                                  lm_tally *accepted)
{
    lm_hook_update_two(common, w->site, w->s, w->draws, w->valid, accepted);
    for (int i = 0; i < w->count; i++)
        store(w->at[i], w->s[i], w->valid[i], some);
    w->count = 0;
}

/* Functions, so that what is updated at once keeps its registers. */
static __attribute__((noinline)) void update_later(lm_waiting *w, const lm_hook_common *common,
                                                   const lm_hook_site *site, lm_real s,
                                                   lm_element *p, lm_mask valid, int some,
                                                   lm_tally *accepted)
{
    const int i = w->count++;
    w->at[i] = p;
    w->site[i] = *site;
    w->s[i] = s;
    w->valid[i] = valid;
    if (w->count == 2)
        update_waiting(w, common, some, accepted);
}

/* One that is left goes with one that does not count, and is not stored. */
static __attribute__((noinline)) void update_last(lm_waiting *w, const lm_hook_common *common,
                                                  int some, lm_tally *accepted)
{
    if (w->count == 0)
        return;
    w->site[1] = w->site[0];
    w->s[1] = w->s[0];
    w->draws[1] = w->draws[0];
    w->valid[1] = lm_mask_first(0);
    update_waiting(w, common, some, accepted);
}
#endif

/* One vector of sites: components from p on, static values from `fixed` on. If `some`, only valid
 * ones are stored. `draws` are those of the next one that waits, if sites do. */
LM_INLINE void update_vector(const lm_field_box *box, const lm_hook_common *common,
                             const lm_draws *draws, lm_element *p, const lm_scalar *fixed,
                             lm_mask valid, int some, variant k, lm_waiting *waiting,
                             lm_tally *accepted)
{
    const lm_reader read = {p, fixed, box->stride, box->plane};
    const lm_hook_site site = lm_hook_load(common, &read, k.dims, k.reach, k.kind);
    lm_real s[LM_HOOK_COMPONENTS];
    LM_UNROLL
    for (int c = 0; c < LM_HOOK_COMPONENTS; c++)
        s[c] = lm_element_load(p + c * box->plane);
#if LM_HOOK_TOGETHER
    if (waiting) {
        update_later(waiting, common, &site, s[0], p, valid, some, accepted);
        return;
    }
#endif
    (void)waiting;
    lm_hook_update(common, &site, s, draws, valid, accepted);
    LM_UNROLL
    for (int c = 0; c < LM_HOOK_COMPONENTS; c++)
        store(p + c * box->plane, s[c], valid, some);
}

/* The coordinates x[1 ..] of row number `row`, and where it begins. Not by lm_coordinates(): a
 * second loop for every row costs sweeps of one hit 3 %. */
static int64_t row_at(const lm_field_box *box, int64_t row, int64_t *x, int64_t *number)
{
    int64_t at = 0;
    *number = 0;
    x[0] = 0;
    for (int a = 1; a < box->dims; a++) {
        x[a] = row % box->extents[a];
        row /= box->extents[a];
        at += x[a] * box->stride[a];
        *number += x[a] * box->number[a];
    }
    return at;
}

/* What lm_index.high is of sites with so much higher numbers than these. */
static __attribute__((noinline)) lm_bits high_of(const int64_t *numbers, int64_t by)
{
    uint32_t high[LM_REALS];
    for (int i = 0; i < LM_REALS; i++)
        high[i] = lm_high_of(numbers[i] + by);
    return lm_bits_load(high);
}

/* The numbers of the sites of one place in the nodes from v on. */
LM_INLINE void number_sites(const lm_field_box *box, int v, int64_t site, int64_t group,
                            lm_draws *draws)
{
    const lm_bits origin = lm_bits_load(box->origin + v);
    draws->site.low = lm_bits_add(origin, (uint32_t)site);
    draws->index.low = lm_bits_add(origin, (uint32_t)(site - group));
    if (draws->wide) {
        draws->site.high = high_of(box->wide + v, site);
        draws->index.high = high_of(box->wide + v, site - group);
    }
}

/* The sites of one place of the box; `site`: their number in node 0, less `group` that of the first
 * of those that share random numbers. In all nodes; or in those of the mask, whose other values
 * another thread may be writing. */
LM_INLINE void update_place(const lm_field_box *box, const lm_hook_common *c, lm_draws *draws,
                            int64_t place, int64_t site, int64_t group,
                            const lm_field_masked_place *masked, variant k, lm_waiting *waiting,
                            lm_tally *accepted)
{
    for (int v = 0; v < box->padded; v += LM_REALS) {
        lm_draws *own = waiting ? &waiting->draws[waiting->count] : draws;
        number_sites(box, v, site, group, own);
        update_vector(box, c, own, (lm_element *)box->field + place + v,
                      LM_HOOK_FIXED(k.dims, k.kind) ? (const lm_scalar *)box->fixed + place + v
                                                    : NULL,
                      masked ? lm_mask_of(masked->nodes) : lm_mask_first(box->nodes - v),
                      masked != NULL, k, waiting, accepted);
    }
}

/* The sites of a colour in a row: box->masked or box->xs from `first` to before `end`; the row's
 * place and number. */
typedef struct row_sites {
    int64_t first, end, at, number;
} row_sites;

LM_INLINE row_sites row_of(const lm_field_box *box, int colour, int64_t row, int unequal)
{
    row_sites r = {0, 0, 0, 0};
    int64_t x[LATMC_MAX_DIMS];
    if (unequal) {
        const int64_t *begin = box->masked_begin + colour * box->rows + row;
        r.first = begin[0];
        r.end = begin[1];
        if (r.first < r.end)
            r.at = row_at(box, row, x, &r.number);
        return r;
    }
    r.at = row_at(box, row, x, &r.number);
    const int class = lm_colour_class_in_row(box->colouring, colour, x);
    if (class >= 0) {
        r.first = box->class_begin[class];
        r.end = box->class_begin[class + 1];
    }
    return r;
}

/* `together`, `wide` and, unless it is wide, `unequal`: known to the compiler. */
LM_INLINE int64_t update_rows(const lm_field_box *box, const lm_field_pass *pass, int unequal,
                              int together, int wide, variant k)
{
    const lm_hook_common c = lm_hook_prepare(pass->rule, pass->update, k.dims);
    lm_draws draws = {.stream =
                          lm_stream_of(pass->keys, LM_DOMAIN_UPDATE, pass->step, pass->group, 0),
                      .wide = wide};
    lm_tally accepted = lm_tally_zero();
    if (!wide)
        draws.stream.c1 |= box->high;
#if LM_HOOK_TILES
    if (pass->tiled)
        lm_hook_tile_draws(&draws, &c, pass->colour, pass->local_sweep);
#endif
    lm_waiting two, *waiting = together ? &two : NULL;
    if (together) {
        two.count = 0;
        two.draws[0] = two.draws[1] = draws;
    }
    for (int64_t row = pass->first_row; row < pass->last_row; row++) {
        const row_sites r = row_of(box, pass->colour, row, unequal);
        for (int64_t i = r.first; i < r.end; i++) {
            const lm_field_masked_place *masked = unequal ? box->masked + i : NULL;
            const int64_t x = unequal ? masked->x : box->xs[i];
            update_place(box, &c, &draws, r.at + x * box->stride[0], r.number + x,
                         LM_HOOK_TILES && pass->tiled ? x % box->colouring->modulus : 0, masked, k,
                         waiting, &accepted);
        }
    }
#if LM_HOOK_TOGETHER
    if (together)
        update_last(waiting, &c, unequal, &accepted);
#endif
    return lm_tally_sum(accepted);
}

static inline int update_together(const lm_field_pass *pass)
{
#if LM_HOOK_TOGETHER
    return lm_hook_together(pass->rule, pass->update);
#else
    (void)pass;
    return 0;
#endif
}

/* Five texts for the compiler: equal nodes would pay for the others' masks, one hit for sites that
 * wait, and all for numbers beyond 2^32, for which one text must do. */
LM_INLINE int64_t update(const lm_field_box *box, const lm_field_pass *pass, variant k)
{
    if (box->wide)
        return update_rows(box, pass, box->masked != NULL, 0, 1, k);
#if LM_HOOK_TOGETHER
    if (update_together(pass))
        return box->masked ? update_rows(box, pass, 1, 1, 0, k)
                           : update_rows(box, pass, 0, 1, 0, k);
#endif
    return box->masked ? update_rows(box, pass, 1, 0, 0, k) : update_rows(box, pass, 0, 0, 0, k);
}

#ifdef __SANITIZE_ADDRESS__
/* Sanitizers make so much of every text that dozens of them would take minutes: one for all. */
static int64_t update_any(const lm_field_box *box, const lm_field_pass *pass)
{
    const variant k = {box->dims, box->reach, box->kind};
    const int together = LM_HOOK_TOGETHER && !box->wide && update_together(pass);
    const int64_t accepted =
        update_rows(box, pass, box->masked != NULL, together, box->wide != NULL, k);
    lm_leave();
    return accepted;
}
#else

#define UPDATE(d, r, k)                                                                            \
    static int64_t update_##d##r##k(const lm_field_box *b, const lm_field_pass *p)                 \
    {                                                                                              \
        return update(b, p, (variant){d, r, k});                                                   \
    }
#define UPDATES(d)                                                                                 \
    UPDATE(d, 1, 0)                                                                                \
    UPDATE(d, 1, 1)                                                                                \
    UPDATE(d, 1, 2)                                                                                \
    UPDATE(d, 2, 0)                                                                                \
    UPDATE(d, 2, 1)                                                                                \
    UPDATE(d, 2, 2)
/* Of those that the model has not there is no text. */
#define NAME(d, r, k) (LM_HOOK_HAS(r, k) ? update_##d##r##k : NULL)
#define NAMES(d)                                                                                   \
    NAME(d, 1, 0), NAME(d, 1, 1), NAME(d, 1, 2), NAME(d, 2, 0), NAME(d, 2, 1), NAME(d, 2, 2)
UPDATES(1)
UPDATES(2)
UPDATES(3)
UPDATES(4)

static int64_t update_any(const lm_field_box *box, const lm_field_pass *pass)
{
    static int64_t (*const all[])(const lm_field_box *,
                                  const lm_field_pass *) = {NAMES(1), NAMES(2), NAMES(3), NAMES(4)};
    const int64_t accepted =
        all[LM_FIELD_KINDS * (2 * (box->dims - 1) + box->reach - 1) + box->kind](box, pass);
    lm_leave();
    return accepted;
}
#endif

/* ---- moving numbers */

static int bit_of(const uint32_t *bits, int v)
{
    return bits[v / 32] >> v % 32 & 1;
}

/* Where a row of the lattice begins; its coordinates are x[1 ..]. */
static int64_t map_row(const lm_field_map *m, int64_t row, int64_t *x)
{
    int64_t at = 0;
    lm_coordinates(row - m->first_row, 1, m->dims, m->extents, x);
    for (int a = 1; a < m->dims; a++)
        at += m->at[a][x[a]];
    return at;
}

#define LM_MOVED       lm_element
#define LM_MOVED_LOAD  lm_element_load
#define LM_MOVED_STORE lm_element_store
#define LM_MOVES(name) name
#include "backends/cpu/field/lane_moves.h"

/* Static values are of the type of arithmetic. */
#if LM_ELEMENT_BITS == LM_REAL_BITS
#define LM_VALUE_MOVES(name) name
#else
#define LM_MOVED             lm_scalar
#define LM_MOVED_LOAD        lm_real_load
#define LM_MOVED_STORE       lm_real_store
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
        for (int c = 0; c < m->planes; c++, from += m->plane) {
            lm_element *one = to + c;
            for (int64_t i = 0; i < m->extents[0]; i++, one += m->planes)
                *one = from[m->at[0][i]];
        }
        to += m->extents[0] * m->planes;
    }
    lm_leave();
}

/* A vector of sites of a row, the first being the site number `first` there; those beyond its end
 * are drawn and dropped. */
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
            to[c * m->plane + m->at[0][first + i]] = (lm_element)value[i];
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
#include "backends/cpu/field/sums.h"

static int fixed(int dims, int kind)
{
    (void)dims;
    return LM_HOOK_FIXED(dims, kind);
}

/* lm_phi4_loops_avx2_32 and so on: by the bits of an element */
#define LOOPS_OF(model)    LOOPS_NAMED(model)
#define LOOPS_NAMED(model) LM_LANE_NAME(lm_##model##_loops_, LM_LANE_JOIN(_, LM_ELEMENT_BITS, ))

const lm_field_loops LOOPS_OF(LM_MODEL) = {
    .reals = LM_REALS,
    .fixed = fixed,
    .update = update_any,
    .refresh = refresh,
    .copy = copy,
    .put = put,
    .get = get,
    .values = {LM_VALUE_MOVES(refresh), LM_VALUE_MOVES(copy), LM_VALUE_MOVES(put)},
    .start = start,
#if LM_HOOK_TILES
    .load_tile = load_tile,
    .store_tile = store_tile,
#endif
    .layer_sums = layer_sums,
};
