/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/geometry/colouring.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/physics/geometry.h"

typedef struct axis {
    int64_t extent;
    int closed; /* its last and first sites are neighbours */
} axis;

static axis axis_of(const lm_spec *spec, int a)
{
    return (axis){spec->extents[a], spec->boundaries[a] != LATMC_OPEN};
}

/* ---- nearest neighbours: 0, 1, 0, 1, .. along every axis, and 2 at the end of an odd ring */

static int is_odd_ring(const axis *a)
{
    return a->closed && a->extent % 2 != 0;
}

static int near_number(const axis *a, int64_t x)
{
    return is_odd_ring(a) && x == a->extent - 1 ? 2 : (int)(x % 2);
}

static int near_colours(const axis *axes, int dims)
{
    int odd = 0;
    for (int a = 0; a < dims; a++)
        odd |= is_odd_ring(&axes[a]);
    return odd ? 3 : 2;
}

int lm_near_colour(const lm_spec *spec, int a, int64_t x)
{
    const axis axis = axis_of(spec, a);
    return near_number(&axis, x);
}

int lm_near_colours(const lm_spec *spec)
{
    axis axes[LATMC_MAX_DIMS];
    for (int a = 0; a < spec->dims; a++)
        axes[a] = axis_of(spec, a);
    return near_colours(axes, spec->dims);
}

/* ---- one axis by itself: no two sites within two steps have the same number */

/* Numbers the sites of an axis for reach 2. A closed axis has blocks of 3 and, at its end, extent
 * mod 3 blocks of 4. Extent 5 needs 5 numbers, because all its sites are within two steps of each
 * other. */
static int far_number(int64_t extent, int64_t x, int closed)
{
    const int64_t fours = closed ? extent % 3 : 0, threes = extent - 4 * fours;
    if (closed && extent == 5)
        return (int)x;
    return (int)(x < threes || !closed ? x % 3 : (x - threes) % 4);
}

static int far_numbers(const axis *a)
{
    return !a->closed || a->extent % 3 == 0 ? 3 : a->extent == 5 ? 5 : 4;
}

/* ---- the sum */

static int axes_in(unsigned set)
{
    int n = 0;
    for (; set; set &= set - 1)
        n++;
    return n;
}

/* Returns a modulus m >= 2 n + 1 for the coefficients 1, 2, 3, 4. Neighbours within two steps then
 * differ. */
static int plain_modulus(const axis *axes, int dims, unsigned chosen)
{
    for (int m = 2 * axes_in(chosen) + 1; m <= 255; m++) {
        int fits = 1;
        for (int a = 0; a < dims; a++)
            fits &= !(chosen >> a & 1) || !axes[a].closed || axes[a].extent % m == 0;
        if (fits)
            return m;
    }
    return 0;
}

/*
 * For extents that no small modulus divides. The axis counts as a longer one with some coordinates
 * left out, but never two consecutive ones. Its neighbours are then 1 or 2 apart, and sites two
 * steps away are 2, 3 or 4 apart. With coefficients c and this modulus, none of c, 2 c, 3 c, 4 c is
 * 0. The c and 2 c of all axes differ, with either sign.
 */
static const struct {
    int modulus, coefficient[LATMC_MAX_DIMS];
} stretched[LATMC_MAX_DIMS + 1] = {
    {1, {0}}, {5, {1}}, {10, {1, 3}}, {13, {1, 3, 4}}, {17, {1, 3, 4, 5}}};

/* Returns the fewest sites of a ring of m coordinates. */
static int64_t least_extent(int m)
{
    return (m + 1) / 2;
}

static int can_stretch(const axis *axes, int dims, unsigned chosen)
{
    const int64_t least = least_extent(stretched[axes_in(chosen)].modulus);
    for (int a = 0; a < dims; a++)
        if (chosen >> a & 1 && axes[a].closed && axes[a].extent < least)
            return 0;
    return 1;
}

int lm_colouring_blocks(int64_t extent, int modulus)
{
    const int64_t least = least_extent(modulus);
    return extent >= 4 * least ? 4 : extent >= 2 * least ? 2 : 1;
}

int64_t lm_colouring_block(int64_t extent, int blocks, int k)
{
    const int64_t quarter = (extent + 1) / 4, half = extent / 2;
    const int64_t begin[] = {0, quarter, half, half + quarter, extent};
    return begin[k * (4 / blocks)];
}

/* Returns the stretched coordinate of x. Blocks begin at multiples of m. A block lacks at most the
 * last site of another block. So blocks fill the lanes of a vector together. */
static int64_t stretch(int64_t extent, int64_t x, int m)
{
    const int blocks = lm_colouring_blocks(extent, m);
    const int64_t shorter = extent / blocks, length = (shorter + m) / m * m;
    int k = 0;
    if (extent < least_extent(m))
        return x; /* an open axis */
    while (x >= lm_colouring_block(extent, blocks, k + 1))
        k++;
    x -= lm_colouring_block(extent, blocks, k);
    return x < shorter ? x * (length - 2) / (shorter - 1) : length - 1;
}

/* Returns the number of colours of a sum over the axes of a set, or 0 if there is no such sum. */
static int sum_colours(const axis *axes, int dims, unsigned chosen, int *stretches)
{
    const int plain = plain_modulus(axes, dims, chosen);
    const int other = stretched[axes_in(chosen)].modulus;
    *stretches = can_stretch(axes, dims, chosen) && (plain == 0 || other < plain);
    return *stretches ? other : plain;
}

/* Returns the number of colours if the axes of `chosen` take part in the sum and the other axes
 * stand apart. */
static int colours_with(const axis *axes, int dims, unsigned chosen)
{
    int stretches, colours = chosen ? sum_colours(axes, dims, chosen, &stretches) : 1;
    for (int a = 0; a < dims; a++)
        if (!(chosen >> a & 1))
            colours *= far_numbers(&axes[a]);
    return colours;
}

static unsigned best_set(const axis *axes, int dims)
{
    unsigned best = 0;
    for (unsigned set = 0; set < 1u << dims; set++) {
        const int n = colours_with(axes, dims, set);
        if (n > 0 && n <= colours_with(axes, dims, best))
            best = set;
    }
    return best;
}

/* Fills an axis's table of the sum. Tables begin as zeros, and far numbers as ones. */
static void fill_sum(lm_colouring *c, int a, int64_t extent, int coefficient)
{
    for (int64_t x = 0; x < extent; x++) {
        const int64_t at = c->stretched ? stretch(extent, x, c->modulus) : x;
        c->sum[a][x] = (uint8_t)(coefficient * (at % c->modulus) % c->modulus);
    }
}

static void fill_apart(lm_colouring *c, int a, const axis *axis)
{
    c->far_numbers[a] = far_numbers(axis);
    for (int64_t x = 0; x < axis->extent; x++)
        c->far[a][x] = (uint8_t)far_number(axis->extent, x, axis->closed);
}

static void fill_far(lm_colouring *c, const axis *axes)
{
    const unsigned best = best_set(axes, c->dims);
    int n = 0;
    c->modulus = best ? sum_colours(axes, c->dims, best, &c->stretched) : 1;
    for (int a = 0; a < c->dims; a++) {
        if (best >> a & 1) {
            const int plain = n + 1, other = stretched[axes_in(best)].coefficient[n];
            fill_sum(c, a, axes[a].extent, c->stretched ? other : plain);
            n++;
        } else {
            fill_apart(c, a, &axes[a]);
        }
    }
}

static void fill_near(lm_colouring *c, const axis *axes)
{
    c->modulus = near_colours(axes, c->dims);
    for (int a = 0; a < c->dims; a++)
        for (int64_t x = 0; x < axes[a].extent; x++)
            c->sum[a][x] = (uint8_t)near_number(&axes[a], x);
}

static latmc_status make(int dims, const axis *axes, int reach, lm_colouring *colouring)
{
    lm_colouring c = {.dims = dims};
    int64_t entries = 0;
    uint8_t *next;

    for (int a = 0; a < LATMC_MAX_DIMS; a++)
        entries += a < dims ? axes[a].extent : 1;
    next = c.memory = lm_zeroed(NULL, "the colours of a lattice", entries, 2);
    if (!c.memory)
        return LATMC_ERROR_MEMORY;
    for (int a = 0; a < LATMC_MAX_DIMS; a++) {
        c.far_numbers[a] = 1;
        c.extents[a] = a < dims ? axes[a].extent : 1;
        c.sum[a] = next;
        c.far[a] = next + c.extents[a];
        next += 2 * c.extents[a];
    }
    if (reach == 1)
        fill_near(&c, axes);
    else
        fill_far(&c, axes);
    c.colours = c.modulus;
    for (int a = 0; a < dims; a++)
        c.colours *= c.far_numbers[a];
    *colouring = c;
    return LATMC_OK;
}

latmc_status lm_colouring_make(const lm_spec *spec, int reach, lm_colouring *colouring)
{
    axis axes[LATMC_MAX_DIMS] = {{0, 0}};
    for (int a = 0; a < spec->dims; a++)
        axes[a] = axis_of(spec, a);
    return make(spec->dims, axes, reach, colouring);
}

latmc_status lm_colouring_tile(int dims, const int64_t *extents, int reach, lm_colouring *colouring)
{
    const int modulus = LM_TILE_COLOURS(dims, reach);
    axis axes[LATMC_MAX_DIMS] = {{0, 0}};
    latmc_status status;
    for (int a = 0; a < dims; a++)
        axes[a] = (axis){extents[a], 0};
    status = make(dims, axes, reach, colouring);
    if (status || reach == 1)
        return status;
    colouring->modulus = colouring->colours = modulus;
    for (int a = 0; a < dims; a++)
        for (int64_t x = 0; x < extents[a]; x++)
            colouring->sum[a][x] = (uint8_t)(LM_TILE_COEFFICIENT(a, reach) * x % modulus);
    return LATMC_OK;
}

void lm_colouring_free(lm_colouring *colouring)
{
    free(colouring->memory);
    memset(colouring, 0, sizeof *colouring);
}

int lm_colour_class_in_row(const lm_colouring *c, int colour, const int64_t *x)
{
    return lm_class_in_row(c->dims, c->modulus, c->far_numbers, (const uint8_t *const *)c->sum,
                           (const uint8_t *const *)c->far, colour, x);
}

int lm_colour_of(const lm_colouring *c, const int64_t *x)
{
    int sum = 0, far = 0;
    for (int a = c->dims - 1; a >= 0; a--) {
        sum += c->sum[a][x[a]];
        far = far * c->far_numbers[a] + c->far[a][x[a]];
    }
    return sum % c->modulus + c->modulus * far;
}
