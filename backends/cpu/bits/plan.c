/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/cpu/bits/plan.h"

#include <stdlib.h>
#include <string.h>

#include "backends/bonds.h"
#include "lib/geometry/colouring.h"
#include "lib/base/memory.h"

/* ---- patterns: word t of two rows, one after the other, and so on */

typedef uint32_t pattern(const lm_bits_plan *p, int64_t t, int colour);

static uint32_t first_word(const lm_bits_plan *p, int64_t t, int colour)
{
    (void)colour;
    return t % p->shape.width == 0 ? ~0u : 0u;
}

static uint32_t last_word(const lm_bits_plan *p, int64_t t, int colour)
{
    return first_word(p, t + 1, colour);
}

static uint32_t upward_row(const lm_bits_plan *p, int64_t t, int colour)
{
    (void)colour;
    return t / p->shape.width % 2 ? ~0u : 0u;
}

static uint32_t valid_bits(const lm_bits_plan *p, int64_t t, int colour)
{
    const lm_row_patterns *s = &p->shape;
    const uint32_t used = ~0u >> (32 - s->bits);
    if (!last_word(p, t, colour))
        return ~0u;
    return s->width == 1 ? lm_replicate(&p->words, used) : used;
}

/* Returns the bits whose sites have axis colours that sum to `colour`. The very last site of an odd
 * ring has axis colour 2. */
static uint32_t colour_bits(const lm_bits_plan *p, int64_t t, int colour)
{
    const lm_words *w = &p->words;
    const int64_t width = p->shape.width, row = t / width % 2;
    uint32_t bits = 0;
    if (w->folded)
        return valid_bits(p, t, colour);
    for (int b = 0; b < 32; b++) {
        const int64_t x = t % width * 32 + b;
        if (x < p->spec.extents[0] && (lm_near_colour(&p->spec, 0, x) + row) % w->colours == colour)
            bits |= 1u << b;
    }
    return width == 1 ? lm_replicate(w, bits) : bits;
}

/* Fills the next `length` words at *next with a pattern. */
static const uint32_t *fill(const lm_bits_plan *p, pattern *word, int colour, int64_t length,
                            uint32_t **next)
{
    uint32_t *begin = *next;
    for (int64_t t = 0; t < length; t++)
        begin[t] = word(p, t, colour);
    *next += length;
    return begin;
}

static latmc_status make_shape(lm_bits_plan *p)
{
    const lm_words *w = &p->words;
    lm_row_patterns *s = &p->shape;
    *s = (lm_row_patterns){.dims = p->spec.dims,
                           .folded = w->folded,
                           .per_word = w->per_word,
                           .segment = w->segment,
                           .width = w->width};
    s->bits = (int)((w->bits - 1) % 32) + 1;
    s->segment_first = lm_replicate(w, 1u);
    s->period = 2 * s->width;
    while (s->period < LM_MAX_LANES)
        s->period *= 2;
    const int64_t length = s->period + LM_MAX_LANES;
    uint32_t *next = p->patterns =
        lm_zeroed(NULL, "the patterns of rows", length, (4 + w->colours) * sizeof *next);
    if (!next)
        return LATMC_ERROR_MEMORY;
    s->first = fill(p, first_word, 0, length, &next);
    s->last = fill(p, last_word, 0, length, &next);
    s->upward = fill(p, upward_row, 0, length, &next);
    s->valid = fill(p, valid_bits, 0, length, &next);
    for (int c = 0; c < w->colours; c++)
        s->active[c] = fill(p, colour_bits, c, length, &next);
    return LATMC_OK;
}

static void make_planes(lm_bits_plan *p)
{
    const int64_t *e = p->spec.extents;
    const int d = p->spec.dims;
    p->whole = p->spec.layers == e[d - 1];
    p->layer_rows = d <= 2 ? 1 : d == 3 ? e[1] : e[1] * e[2];
    p->plane_rows = d == 1 ? 1 : d == 2 ? p->spec.layers : e[1];
    p->layer_planes = d <= 2 ? 0 : d == 3 ? 1 : e[2];
    p->planes = d <= 2 ? 1 : p->layer_planes * p->spec.layers;
    p->plane_words = p->plane_rows * p->words.width;
    p->plane_stride = p->plane_words + 2 * p->words.width;
    p->digit_stride = (p->planes + 2 * p->layer_planes) * p->plane_stride;
}

/* Allocates `words` words at the begin of a cache line, and the words that a vector may read beyond
 * them. */
static uint32_t *zeros(const char *what, size_t words)
{
    void *memory = NULL;
    const size_t bytes = (words + 2 * LM_MAX_LANES) * sizeof(uint32_t);
    if (words > SIZE_MAX / 8 || posix_memalign(&memory, 64, bytes) != 0) {
        lm_no_memory(NULL, what, (double)words * sizeof(uint32_t));
        return NULL;
    }
    return memset(memory, 0, bytes);
}

static size_t site_words(const lm_bits_plan *p)
{
    const lm_words *w = &p->words;
    return (size_t)(w->groups * w->sublattices * p->digits) * (size_t)p->digit_stride;
}

static size_t bond_words_of(const lm_bits_plan *p)
{
    return (size_t)lm_bonds_all_words(&p->spec, &p->words, p->planes * p->plane_rows);
}

int64_t lm_bits_bytes(const lm_bits_plan *p)
{
    const size_t bonds = (size_t)(p->spec.signs + p->spec.missing) * bond_words_of(p);
    const int64_t counts = p->words.groups * p->words.per_word * p->sums;
    return (int64_t)(sizeof *p + (site_words(p) + bonds) * sizeof *p->sites) +
           counts * (int64_t)sizeof *p->counts;
}

static latmc_status make_memory(lm_bits_plan *p)
{
    const lm_words *w = &p->words;
    const size_t bond_words = bond_words_of(p);
    p->bond_stride = lm_bonds_stride(&p->spec, w, p->planes * p->plane_rows);
    p->counts = lm_zeroed(NULL, "the sums of all replicas", w->groups * w->per_word * p->sums,
                          sizeof *p->counts);
    if (p->counts)
        p->sites = zeros("the sites of the lattice", site_words(p));
    if (p->sites && p->spec.signs)
        p->sign = zeros("the signs of the bonds", bond_words);
    if (p->sign && p->spec.missing)
        p->gone = zeros("the missing bonds", bond_words);
    return p->sites && (!p->spec.signs || p->sign) && (!p->spec.missing || p->gone)
               ? LATMC_OK
               : LATMC_ERROR_MEMORY;
}

latmc_status lm_bits_open(const lm_spec *spec, const void *engine, int device, void **plan)
{
    const lm_bits_model *const model = engine;
    lm_bits_plan *p = lm_zeroed(NULL, "a plan", 1, sizeof *p);
    if (!p)
        return LATMC_ERROR_MEMORY;
    p->spec = *spec;
    p->words = lm_words_of(spec);
    p->model = model;
    p->digits = lm_digits_of(model->common, spec);
    p->sums = lm_spec_sums(spec);
    p->bundles = lm_bundles_of_sites(spec);
    p->lane = model->lanes[device];
    p->cross = lm_cross_loops_of(device);
    p->keys = lm_keys_of(spec->seed, (uint64_t)p->words.first_group);
    make_planes(p);
    latmc_status status = make_shape(p);
    if (status == LATMC_OK && !spec->sketch)
        status = make_memory(p);
    if (status != LATMC_OK) {
        lm_bits_close(p);
        return status;
    }
    *plan = p;
    return LATMC_OK;
}

void lm_bits_close(void *plan)
{
    lm_bits_plan *p = plan;
    lm_rules_free(&p->rules);
    free(p->patterns);
    free(p->sites);
    free(p->sign);
    free(p->gone);
    free(p->counts);
    free(p->room.words);
    free(p);
}

uint32_t *lm_bits_plane(const lm_bits_plan *p, int64_t group, int sublattice, int64_t plane)
{
    const int64_t number = (group * p->words.sublattices + sublattice) * p->digits;
    return p->sites + number * p->digit_stride + (plane + p->layer_planes) * p->plane_stride +
           p->words.width;
}

uint32_t *lm_bits_row(const lm_bits_plan *p, int64_t group, int sublattice, int64_t row)
{
    return lm_bits_plane(p, group, sublattice, row / p->plane_rows) +
           row % p->plane_rows * p->words.width;
}

int64_t lm_bits_first_row(const lm_bits_plan *p)
{
    return p->spec.dims == 1 ? 0 : p->spec.first_layer * p->layer_rows;
}

static void find_planes(const lm_bits_plan *p, lm_bits_band *b, int64_t group, int other,
                        int64_t plane)
{
    const int64_t slowest = p->layer_planes;
    if (p->spec.dims == 3) {
        b->down[0] = lm_bits_plane(p, group, other, plane - 1);
        b->up[0] = lm_bits_plane(p, group, other, plane + 1);
    } else if (p->spec.dims == 4) {
        const int64_t x2 = plane % slowest, base = plane - x2;
        b->down[0] = lm_bits_plane(p, group, other, base + (x2 + slowest - 1) % slowest);
        b->up[0] = lm_bits_plane(p, group, other, base + (x2 + 1) % slowest);
        b->down[1] = lm_bits_plane(p, group, other, plane - slowest);
        b->up[1] = lm_bits_plane(p, group, other, plane + slowest);
    }
}

static void find_bonds(const lm_bits_plan *p, lm_bits_band *b, int64_t group, int sublattice,
                       int64_t plane)
{
    const int bonds = 2 * p->spec.dims;
    for (int i = 0; p->sign && i < bonds; i++) {
        const int64_t at = group * p->bond_stride +
                           ((int64_t)(sublattice * bonds + i) * p->planes + plane) * p->plane_words;
        b->sign[i] = p->sign + at;
        b->gone[i] = p->gone ? p->gone + at : NULL;
    }
}

/* Returns which way the sites of a row lean: by all coordinates but x0 if folded, otherwise by x1.
 * It avoids a division where possible, because small planes are a handful of vectors. */
static int lean_of(const lm_bits_plan *p, int sublattice, int64_t plane, int64_t row)
{
    const int d = p->spec.dims;
    int64_t sum = row + (d == 2 ? p->spec.first_layer : 0);
    if (p->words.folded && d == 3)
        sum += p->spec.first_layer + plane;
    if (p->words.folded && d == 4)
        sum += p->spec.first_layer + plane % p->layer_planes + plane / p->layer_planes;
    return (int)(sum + sublattice) & 1;
}

void lm_bits_put_band(const lm_bits_plan *p, int64_t group, int sublattice, int64_t plane,
                      int64_t row, int64_t end, lm_bits_band *b)
{
    const int64_t width = p->words.width;
    const int other = p->words.folded ? 1 - sublattice : 0;
    const int64_t first_row = lm_bits_first_row(p) + plane * p->plane_rows;
    *b = (lm_bits_band){.shape = &p->shape,
                        .begin = row * width,
                        .end = end * width,
                        .in_pattern = lean_of(p, sublattice, plane, row) * width,
                        .digit_stride = p->digit_stride,
                        .own = lm_bits_plane(p, group, sublattice, plane),
                        .other = lm_bits_plane(p, group, other, plane),
                        .active = p->shape.valid,
                        .replicas_mask = lm_replicas_mask(&p->words, &p->spec, group),
                        .index = (uint64_t)(first_row * width),
                        .keys = &p->keys,
                        .group = (uint32_t)(p->words.first_group + group),
                        .colour = (uint32_t)sublattice,
                        .states = p->spec.states};
    find_planes(p, b, group, other, plane);
    find_bonds(p, b, group, sublattice, plane);
}

lm_bits_band lm_bits_band_of(const lm_bits_plan *p, int64_t group, int sublattice, int64_t plane,
                             int64_t row, int64_t end)
{
    lm_bits_band b;
    lm_bits_put_band(p, group, sublattice, plane, row, end, &b);
    return b;
}

/* Copies words. If words have sites of several colours, other threads may be reading the old
 * words. */
static void copy_words(const lm_bits_plan *p, uint32_t *to, const uint32_t *from, int64_t words)
{
    if (p->words.folded)
        memcpy(to, from, (size_t)words * sizeof *to);
    else
        for (int64_t i = 0; i < words; i++)
            __atomic_store_n(to + i, from[i], __ATOMIC_RELAXED);
}

/* Refreshes the ghosts of a digit, which begins `on` words further on. */
static void refresh_digit(const lm_bits_plan *p, int64_t group, int sublattice, int64_t plane,
                          int64_t row, int64_t end, int64_t on)
{
    const int64_t w = p->words.width, words = (end - row) * w;
    uint32_t *own = lm_bits_plane(p, group, sublattice, plane) + on;
    if (p->spec.dims >= 2 && (p->whole || p->spec.dims > 2)) {
        if (row == 0)
            copy_words(p, own + p->plane_words, own, w);
        if (end == p->plane_rows)
            copy_words(p, own - w, own + p->plane_words - w, w);
    }
    if (!p->whole || p->spec.dims <= 2)
        return;
    own += row * w;
    on += row * w;
    if (plane < p->layer_planes)
        copy_words(p, lm_bits_plane(p, group, sublattice, plane + p->planes) + on, own, words);
    if (plane >= p->planes - p->layer_planes)
        copy_words(p, lm_bits_plane(p, group, sublattice, plane - p->planes) + on, own, words);
}

void lm_bits_refresh(const lm_bits_plan *p, int64_t group, int sublattice, int64_t plane,
                     int64_t row, int64_t end)
{
    for (int k = 0; k < p->digits; k++)
        refresh_digit(p, group, sublattice, plane, row, end, k * p->digit_stride);
}

int64_t lm_bits_group_of(const lm_bits_plan *p, int64_t replica, int *nth)
{
    const int64_t number = p->spec.first_replica + replica;
    *nth = (int)(number % p->words.per_word);
    return number / p->words.per_word - p->words.first_group;
}

lm_bits_pair lm_bits_pair_of(const lm_bits_plan *p, const int64_t replicas[2])
{
    const int segment = p->words.segment;
    int lane_a, lane_b;
    lm_bits_pair of = {.group = {lm_bits_group_of(p, replicas[0], &lane_a),
                                 lm_bits_group_of(p, replicas[1], &lane_b)}};
    of.twins = (lm_bits_twins){.plane_words = p->plane_words,
                               .plane_stride = p->plane_stride,
                               .shift_a = lane_a * segment,
                               .shift_b = lane_b * segment,
                               .bits = segment == 32 ? ~0u : (1u << segment) - 1u};
    return of;
}
