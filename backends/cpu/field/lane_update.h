/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sweeps the sites of one colour in some rows of a box. It is a part of lane.c, which includes it.
 *
 * The compiler knows dimensions, reach and the kind of lattice. If each update has code of its own,
 * it also knows the update. Together these are a variant.
 */
#ifndef LM_FIELD_LANE_UPDATE_H
#define LM_FIELD_LANE_UPDATE_H

#include "backends/cpu/field/lane_later.h"

/* Updates that can read across the nodes' ends. One site a vector is the text that others are
 * compared with, and has halos alone. */
enum {
    ACROSS = LM_REALS > 1 ? LM_HOOK_ACROSS(0) | LM_HOOK_ACROSS(1) << 1 | LM_HOOK_ACROSS(2) << 2 : 0
};

typedef struct variant {
    int dims, reach, kind, update;
    int unequal;  /* nodes differ in their extents: box->masked */
    int together; /* sites wait for others */
    int wide;     /* numbers of sites go beyond 2^32 */
} variant;

/* Equal nodes, of sites that do not wait. */
#define VARIANT(d, r, k, u) ((variant){.dims = (d), .reach = (r), .kind = (k), .update = (u)})

/* A vector of sites: its first component and first static value; the routes to its neighbours, NULL
 * if they are all a stride away. If `some`, only valid ones are stored. */
typedef struct lm_site_vector {
    lm_element *p;
    const lm_scalar *fixed;
    const lm_routes *routes;
    lm_mask valid;
    int some;
} lm_site_vector;

/* Returns a reader of the sites whose first component is at p and whose static values are at
 * `fixed`. */
LM_INLINE lm_reader reader_at(const lm_field_box *box, lm_element *p, const lm_scalar *fixed,
                              variant k)
{
    lm_reader read = {.stride = box->stride,
                      .components = LM_HOOK_COMPONENTS,
                      .values = LM_HOOK_FIXED(k.dims, k.kind)};
    LM_UNROLL
    for (int c = 0; c < LM_HOOK_COMPONENTS; c++)
        read.field[c] = p + c * LM_REALS;
    LM_UNROLL
    for (int i = 0; i < LM_FIELD_MAX_FIXED; i++)
        if (i < LM_HOOK_FIXED(k.dims, k.kind))
            read.fixed[i] = fixed + i * LM_REALS;
    return read;
}

/* Returns the first component of the place `at`. */
LM_INLINE lm_element *field_at(const lm_field_box *box, int64_t at)
{
    return (lm_element *)box->field + LM_HOOK_COMPONENTS * at;
}

/* Returns the first static value of the place, or NULL if there are none. */
LM_INLINE const lm_scalar *fixed_at(const lm_field_box *box, int64_t at, variant k)
{
    const int values = LM_HOOK_FIXED(k.dims, k.kind);
    return values ? (const lm_scalar *)box->fixed + values * at : NULL;
}

/* There are two functions, so sites without routes do not pay for them. */
LM_INLINE lm_hook_site load_site(const lm_hook_common *common, lm_reader *read,
                                 const lm_routes *routes, variant k)
{
    if (!routes)
        return lm_hook_load(common, read, k.dims, k.reach, k.kind);
    read->routes = routes;
    return lm_hook_load(common, read, k.dims, k.reach, k.kind);
}

/* The update of a box's vectors: `waiting` has sites that wait for others, or is NULL. `before` is
 * the vector whose second step is still to be made. */
typedef struct box_update {
    const lm_field_box *box;
    const lm_hook_common *common;
    lm_draws *draws;
    lm_waiting *waiting;
    lm_begun_vector *before;
    lm_tally *accepted;
} box_update;

/* Updates one vector of sites. If sites wait, `draws` are those of the next site that waits. */
LM_INLINE void update_vector(const box_update *u, const lm_draws *draws, const lm_site_vector *at,
                             variant k)
{
    lm_reader read = reader_at(u->box, at->p, at->fixed, k);
    const lm_hook_site site = load_site(u->common, &read, at->routes, k);
#if LM_HOOK_TOGETHER
    if (u->waiting) {
        update_later(u->waiting, u->common, &site, at->p, at->valid, at->some, u->accepted);
        return;
    }
#endif
#ifdef LM_HOOK_STEPS
    if (LM_HOOK_STEPS(k.update)) {
        update_in_steps(&site, &read, at->valid, at->some, u->before, u->accepted);
        return;
    }
#endif
    lm_real s[LM_HOOK_COMPONENTS];
    LM_UNROLL
    for (int c = 0; c < LM_HOOK_COMPONENTS; c++)
        s[c] = lm_element_load(read.field[c]);
    lm_hook_update(u->common, &site, s, draws, at->valid, u->accepted);
    LM_UNROLL
    for (int c = 0; c < LM_HOOK_COMPONENTS; c++)
        store(read.field[c], s[c], at->valid, at->some);
}

/* How many places ahead along the row to prefetch: some 300 ns. With two colours these are 8 places
 * of each. */
enum { AHEAD = 16 };

/* The address may be beyond the lattice's end, where nothing happens. */
LM_INLINE void ask_for(const void *p, int64_t bytes)
{
    __builtin_prefetch((const void *)((uintptr_t)p + (uintptr_t)bytes));
}

/* What a vector further on will want and no vector of its colour has read by then: its sites and
 * those of the farthest layer, and what its bonds have for values, in both directions. A Zen 5 core
 * that is left to find these streams by itself gets two thirds of what its memory can give. */
LM_INLINE void ask_ahead(const lm_field_box *box, const lm_site_vector *at, variant k)
{
    const int values = LM_HOOK_FIXED(k.dims, k.kind);
    const int64_t layer = k.reach * box->stride[k.dims - 1];
    LM_UNROLL
    for (int c = 0; c < LM_HOOK_COMPONENTS; c++) {
        const int64_t own = (LM_HOOK_COMPONENTS * AHEAD + c) * LM_REALS;
        ask_for(at->p, own * (int64_t)sizeof(lm_element));
        ask_for(at->p, (own + LM_HOOK_COMPONENTS * layer) * (int64_t)sizeof(lm_element));
    }
    LM_UNROLL
    for (int i = 0; i < LM_FIELD_MAX_FIXED; i++) {
        const int64_t own = (values * AHEAD + i) * LM_REALS;
        if (i < values)
            ask_for(at->fixed, own * (int64_t)sizeof(lm_scalar));
        if (i < values && i < LATMC_MAX_DIMS && i < k.dims && values >= k.dims)
            ask_for(at->fixed, (own - values * box->stride[i]) * (int64_t)sizeof(lm_scalar));
    }
}

/* Finds the coordinates x[1 ..] of row number `row`, and where the row begins. It does not use
 * lm_coordinates(), because a second loop for every row costs sweeps of one hit 3 %. */
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

/* Returns lm_index.high of sites whose numbers are larger than these by `by`. */
static __attribute__((noinline)) lm_bits high_of(const int64_t *numbers, int64_t by)
{
    uint32_t high[LM_REALS];
    for (int i = 0; i < LM_REALS; i++)
        high[i] = lm_high_of(numbers[i] + by);
    return lm_bits_load(high);
}

/* Sets the numbers of the sites of one place. */
LM_INLINE void number_sites(const lm_field_box *box, int64_t site, int64_t in_run, lm_draws *draws)
{
    const lm_bits origin = lm_bits_load(box->origin);
    draws->site.low = lm_bits_add(origin, (uint32_t)site);
    draws->index.low = lm_bits_add(origin, (uint32_t)(site - in_run));
    if (draws->wide) {
        draws->site.high = high_of(box->wide, site);
        draws->index.high = high_of(box->wide, site - in_run);
    }
}

/* Where a row begins, the number of this place's site in node 0, and which lanes are nodes. */
typedef struct row_begin {
    int64_t at, number;
    lm_mask nodes;
} row_begin;

/* The sites of a colour in a row: box->masked or box->xs from `first` to before `end`. */
typedef struct row_sites {
    int64_t first, end;
} row_sites;

/* Finds the routes from coordinate x of an axis. Returns whether one is across the nodes' end. */
LM_INLINE int find_routes(const lm_field_box *box, int a, int64_t x, lm_routes *routes)
{
    const int64_t last = box->extents[a] - 1, stride = box->stride[a];
    const int begins = x == 0, ends = x == last;
    routes->steps[a][0] = begins ? last * stride : -stride;
    routes->steps[a][1] = ends ? -last * stride : stride;
    routes->from[a][0] = begins ? box->across->from[a][0] : NULL;
    routes->from[a][1] = ends ? box->across->from[a][1] : NULL;
    return begins || ends;
}

/* Place x of a row. `in_run` is the distance back to the first site that shares random numbers. */
typedef struct row_place {
    int64_t x, in_run;
    const lm_field_masked_place *masked; /* NULL: all nodes have the place */
    const lm_routes *routes;
} row_place;

/* Updates the sites of a place. It updates all nodes of the vector. With `masked` it updates only
 * nodes that have the place, since another thread may be writing the others' values. */
LM_INLINE void update_place(const box_update *u, const row_begin *row, const row_place *place,
                            variant k)
{
    const lm_field_box *box = u->box;
    lm_draws *own = u->waiting ? &u->waiting->draws[u->waiting->count] : u->draws;
    number_sites(box, row->number + place->x, place->in_run, own);
    const int64_t at = row->at + place->x * LM_REALS;
    const lm_field_masked_place *masked = place->masked;
    const lm_site_vector vector = {.p = field_at(box, at),
                                   .fixed = fixed_at(box, at, k),
                                   .routes = place->routes,
                                   .valid = masked ? lm_mask_of(masked->nodes) : row->nodes,
                                   .some = masked != NULL};
    if (__builtin_expect(box->far, 0)) /* apart: lattices in a cache pay 1 to 3 %, not 3 to 7 */
        ask_ahead(box, &vector, k);
    update_vector(u, own, &vector, k);
}

/* Updates the places [r.first, r.end) of a row. `across`: rows at the nodes' ends read across
 * them. */
LM_INLINE void update_row(const box_update *u, const lm_field_pass *pass, const row_begin *begin,
                          row_sites r, const int64_t *x, int across, variant k)
{
    const lm_field_box *box = u->box;
    lm_routes routes;
    int outer = 0; /* 1: the row is the nodes' first or last along another axis */
    for (int a = 1; across && a < k.dims; a++)
        outer |= find_routes(box, a, x[a], &routes);
    for (int64_t i = r.first; i < r.end; i++) {
        const lm_field_masked_place *masked = k.unequal ? box->masked + i : NULL;
        const int64_t x0 = k.unequal ? masked->x : box->xs[i];
        const int end = across && (outer || x0 == 0 || x0 == box->extents[0] - 1);
        if (end)
            find_routes(box, 0, x0, &routes);
        const row_place place = {
            .x = x0,
            .in_run = LM_HOOK_TILES && pass->tiled ? x0 % box->colouring->modulus : 0,
            .masked = masked,
            .routes = end ? &routes : NULL};
        update_place(u, begin, &place, k);
    }
}

/* Advances to the row after row x[1 ..]. Divisions for every row would cost over-relaxation 3 %. */
LM_INLINE void next_row(const lm_field_box *box, int dims, int64_t *x, int64_t *at, int64_t *number)
{
    LM_UNROLL
    for (int a = 1; a < dims; a++) {
        *at += box->stride[a];
        *number += box->number[a];
        if (++x[a] < box->extents[a])
            return;
        x[a] = 0;
        *at -= box->extents[a] * box->stride[a];
        *number -= box->extents[a] * box->number[a];
    }
}

/* Finds the sites of a colour in row number `row`, which has coordinates x[1 ..]. */
LM_INLINE row_sites row_of(const lm_field_box *box, int colour, int64_t row, const int64_t *x,
                           variant k)
{
    if (k.unequal) {
        const int64_t *begin = box->masked_begin + colour * box->rows + row;
        return (row_sites){begin[0], begin[1]};
    }
    const lm_colouring *c = box->colouring;
    const int class =
        lm_class_in_row(k.dims, c->modulus, c->far_numbers, (const uint8_t *const *)c->sum,
                        (const uint8_t *const *)c->far, colour, x); /* inline: no registers lost */
    if (class < 0)
        return (row_sites){0, 0};
    return (row_sites){box->class_begin[class], box->class_begin[class + 1]};
}

/* The variant is known to the compiler, but for `unequal` if it is wide. */
LM_INLINE int64_t update_rows(const lm_field_box *given, const lm_field_pass *pass, variant k)
{
    lm_field_box here = *given; /* a copy that no store changes */
    here.stride[0] = LM_REALS;
    const lm_field_box *box = &here;
    const int across = !k.unequal && ACROSS >> k.update & 1 && pass->across;
    const lm_hook_common c = lm_hook_prepare(pass->rule, pass->table, k.update, k.dims);
    lm_draws draws = {.stream =
                          lm_stream_of(pass->keys, LM_DOMAIN_UPDATE, pass->step, pass->group, 0),
                      .wide = k.wide};
    lm_tally accepted = lm_tally_zero();
    if (!k.wide)
        draws.stream.c1 |= box->high;
#if LM_HOOK_TILES
    if (pass->tiled)
        lm_hook_tile_draws(&draws, &c, pass->colour, pass->local_sweep);
#endif
    lm_begun_vector before = {.p = NULL};
    lm_waiting several, *waiting = k.together ? &several : NULL;
    if (k.together) {
        several.count = 0;
        for (int i = 0; i < LM_WAITING; i++)
            several.draws[i] = draws;
    }
    const box_update u = {box, &c, &draws, waiting, &before, &accepted};
    int64_t x[LATMC_MAX_DIMS], number, at = row_at(given, pass->first_row, x, &number);
    for (int64_t row = pass->first_row; row < pass->last_row;
         row++, next_row(box, k.dims, x, &at, &number)) {
        const row_sites r = row_of(given, pass->colour, row, x, k);
        const row_begin begin = {at, number, lm_mask_first(box->nodes)};
        update_row(&u, pass, &begin, r, x, across, k);
    }
#if LM_HOOK_TOGETHER
    if (k.together)
        update_last(waiting, &c, k.unequal, &accepted);
#endif
#ifdef LM_HOOK_STEPS
    finish_vector(&before, k.unequal, &accepted);
#endif
    return lm_tally_sum(accepted);
}

/* Makes what all updates of a box by a pass have, but for `together` and `wide`. */
LM_INLINE variant variant_of(const lm_field_box *box, const lm_field_pass *pass)
{
    variant k = VARIANT(box->dims, box->reach, box->kind, pass->update);
    k.unequal = box->masked != NULL;
    return k;
}

#if defined(LM_ONE_TEXT) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
/* There is one function for all variants, if compilers would take minutes for dozens of them:
 * sanitizers enlarge each. */
static int64_t update_any(const lm_field_box *box, const lm_field_pass *pass)
{
    variant k = variant_of(box, pass);
    k.wide = box->wide != NULL && LM_HOOK_DRAWS(pass->update);
#if LM_HOOK_TOGETHER
    k.together = !k.wide && lm_hook_together(pass->rule, pass->update);
#endif
    const int64_t accepted = update_rows(box, pass, k);
    lm_leave();
    return accepted;
}
#else

/* For numbers beyond 2^32, in the scalar lane. There is one function for all, because one for
 * each would be a fifth of the compilers' work. Vectors have theirs beside the others. Without them
 * gcc 12 makes one hit of phi^4 an eighth slower (AVX-512). */
static __attribute__((noinline)) int64_t update_wide(const lm_field_box *box,
                                                     const lm_field_pass *pass)
{
    variant k = variant_of(box, pass);
    k.wide = 1;
    return update_rows(box, pass, k);
}

/* Two texts for the compiler, since equal nodes would pay for the masks of others. A vector of one
 * site has one node, which no other differs from. */
LM_INLINE int64_t update_equal_or_not(const lm_field_box *box, const lm_field_pass *pass, variant k)
{
    if (LM_REALS > 1 && box->masked) {
        k.unequal = 1;
        return update_rows(box, pass, k);
    }
    return update_rows(box, pass, k);
}

/* Several texts for the compiler, since one hit would pay for sites that wait. */
LM_INLINE int64_t update(const lm_field_box *box, const lm_field_pass *pass, variant k)
{
    if (box->wide && LM_HOOK_DRAWS(k.update)) {
        if (LM_REALS == 1)
            return update_wide(box, pass);
        k.unequal = box->masked != NULL;
        k.wide = 1;
        return update_rows(box, pass, k);
    }
#if LM_HOOK_TOGETHER
    if (lm_hook_together(pass->rule, k.update)) {
        k.together = 1;
        return update_equal_or_not(box, pass, k);
    }
#endif
    return update_equal_or_not(box, pass, k);
}

#define UPDATE(d, r, k, u)                                                                         \
    static int64_t update_##d##r##k##u(const lm_field_box *b, const lm_field_pass *p)              \
    {                                                                                              \
        return update(b, p, VARIANT(d, r, k, LM_HOOK_TEXTS > 1 ? u : p->update));                  \
    }
#define UPDATES(d, u)                                                                              \
    UPDATE(d, 1, 0, u)                                                                             \
    UPDATE(d, 1, 1, u)                                                                             \
    UPDATE(d, 1, 2, u)                                                                             \
    UPDATE(d, 2, 0, u)                                                                             \
    UPDATE(d, 2, 1, u)                                                                             \
    UPDATE(d, 2, 2, u)
/* There is no code for variants that the model lacks. */
#define NAME(d, r, k, u) (LM_HOOK_HAS(r, k) ? update_##d##r##k##u : NULL)
#define NAMES(d, u)                                                                                \
    NAME(d, 1, 0, u), NAME(d, 1, 1, u), NAME(d, 1, 2, u), NAME(d, 2, 0, u), NAME(d, 2, 1, u),      \
        NAME(d, 2, 2, u)
#define TEXT(u)                                                                                    \
    UPDATES(1, u)                                                                                  \
    UPDATES(2, u)                                                                                  \
    UPDATES(3, u)                                                                                  \
    UPDATES(4, u)                                                                                  \
    static const updates text_##u = {NAMES(1, u), NAMES(2, u), NAMES(3, u), NAMES(4, u)};
typedef int64_t (*const updates[4 * 2 * LM_FIELD_KINDS])(const lm_field_box *,
                                                         const lm_field_pass *);
TEXT(0)
#if LM_HOOK_TEXTS == 1
static const updates *const texts[] = {&text_0};
#else
TEXT(1)
TEXT(2)
static const updates *const texts[] = {&text_0, &text_1, &text_2};
#endif

static int64_t update_any(const lm_field_box *box, const lm_field_pass *pass)
{
    const updates *all = texts[LM_HOOK_TEXTS > 1 ? pass->update : 0];
    const int64_t accepted =
        (*all)[LM_FIELD_KINDS * (2 * (box->dims - 1) + box->reach - 1) + box->kind](box, pass);
    lm_leave();
    return accepted;
}

#endif
#endif
