/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/colouring.h"

#include <stdlib.h>
#include <string.h>

#include "lib/status.h"

typedef struct axis {
    int64_t extent;
    int closed; /* its last site and its first are neighbours */
} axis;

/* ---- one axis by itself: no two sites within `reach` steps have the same number */

/* Reach 2 on a closed axis: blocks of 3 and, at its end, extent mod 3 blocks of 4. Five sites are
 * all within two steps of each other. */
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

/* Coefficients 1, 2, 3, 4 modulo m >= 2 n + 1: neighbours within two steps differ. */
static int modulus_of(const axis *axes, int dims, unsigned chosen)
{
    int n = 0;
    for (int a = 0; a < dims; a++)
        n += chosen >> a & 1;
    for (int m = 2 * n + 1; m <= 255; m++) {
        int fits = 1;
        for (int a = 0; a < dims; a++)
            fits &= !(chosen >> a & 1) || !axes[a].closed || axes[a].extent % m == 0;
        if (fits)
            return m;
    }
    return 0;
}

/* Colours if the axes of the set `chosen` take part in the sum and the others stand apart. */
static int colours_with(const axis *axes, int dims, unsigned chosen)
{
    int colours = chosen ? modulus_of(axes, dims, chosen) : 1;
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

static void fill_far(lm_colouring *c, const axis *axes)
{
    const unsigned best = best_set(axes, c->dims);
    int coefficient = 0;
    c->modulus = best ? modulus_of(axes, c->dims, best) : 1;
    for (int a = 0; a < c->dims; a++) {
        const int in_sum = best >> a & 1;
        coefficient += in_sum;
        c->parts[a] = in_sum ? 1 : far_numbers(&axes[a]);
        for (int64_t x = 0; x < axes[a].extent; x++) {
            c->sum[a][x] = (uint8_t)(in_sum ? coefficient * (x % c->modulus) % c->modulus : 0);
            c->part[a][x] =
                (uint8_t)(in_sum ? 0 : far_number(axes[a].extent, x, axes[a].closed));
        }
    }
}

/* Nearest neighbours: 0, 1, 0, 1, .. along every axis, and 2 at the end of odd closed ones. Where
 * there are such, a sum without exceptions is better if there is one, though it has more
 * colours: its colours repeat along an axis, which vectors need. */
static void fill_near(lm_colouring *c, const axis *axes)
{
    c->modulus = 2;
    for (int a = 0; a < c->dims; a++)
        if (axes[a].closed && axes[a].extent % 2)
            c->modulus = 3;
    if (c->modulus == 3 && best_set(axes, c->dims) == (1u << c->dims) - 1) {
        fill_far(c, axes);
        return;
    }
    for (int a = 0; a < c->dims; a++) {
        c->parts[a] = 1;
        for (int64_t x = 0; x < axes[a].extent; x++)
            c->sum[a][x] = (uint8_t)(x % 2);
        if (axes[a].closed && axes[a].extent % 2)
            c->sum[a][axes[a].extent - 1] = 2;
    }
}

static latmc_status make(int dims, const axis *axes, int reach, lm_colouring *colouring)
{
    lm_colouring c = {.dims = dims};
    int64_t entries = 0;
    uint8_t *next;

    for (int a = 0; a < LATMC_MAX_DIMS; a++)
        entries += a < dims ? axes[a].extent : 1;
    next = c.memory = calloc((size_t)entries, 2);
    if (!c.memory)
        return lm_fail(LATMC_ERROR_MEMORY, "no memory for the colours of a lattice");
    for (int a = 0; a < LATMC_MAX_DIMS; a++) {
        c.parts[a] = 1;
        c.extents[a] = a < dims ? axes[a].extent : 1;
        c.sum[a] = next;
        c.part[a] = next + c.extents[a];
        next += 2 * c.extents[a];
    }
    if (reach == 1)
        fill_near(&c, axes);
    else
        fill_far(&c, axes);
    c.colours = c.modulus;
    for (int a = 0; a < dims; a++)
        c.colours *= c.parts[a];
    *colouring = c;
    return LATMC_OK;
}

latmc_status lm_colouring_make(const lm_spec *spec, int reach, lm_colouring *colouring)
{
    axis axes[LATMC_MAX_DIMS] = {{0, 0}};
    for (int a = 0; a < spec->dims; a++)
        axes[a] = (axis){spec->extents[a], spec->boundaries[a] != LATMC_OPEN};
    return make(spec->dims, axes, reach, colouring);
}

latmc_status lm_colouring_tile(int dims, const int64_t *extents, int reach,
                               lm_colouring *colouring)
{
    static const int modulus[LATMC_MAX_DIMS + 1] = {0, 4, 8, 8, 9};
    axis axes[LATMC_MAX_DIMS] = {{0, 0}};
    latmc_status status;
    for (int a = 0; a < dims; a++)
        axes[a] = (axis){extents[a], 0};
    status = make(dims, axes, reach, colouring);
    if (status || reach == 1)
        return status;
    /* A power of two divides a tile evenly, which is worth more than a colour less. */
    colouring->modulus = colouring->colours = modulus[dims];
    for (int a = 0; a < dims; a++)
        for (int64_t x = 0; x < extents[a]; x++)
            colouring->sum[a][x] = (uint8_t)((a + 1) * x % modulus[dims]);
    return LATMC_OK;
}

void lm_colouring_free(lm_colouring *colouring)
{
    free(colouring->memory);
    memset(colouring, 0, sizeof *colouring);
}

int lm_colour_class_in_row(const lm_colouring *c, int colour, const int64_t *x)
{
    const int part = colour / c->modulus;
    int sum = 0, rest = part / c->parts[0];
    for (int a = 1; a < c->dims; a++) {
        if (rest % c->parts[a] != c->part[a][x[a]])
            return -1;
        rest /= c->parts[a];
        sum += c->sum[a][x[a]];
    }
    return (colour % c->modulus + c->modulus - sum % c->modulus) % c->modulus +
           c->modulus * (part % c->parts[0]);
}

int lm_colour_of(const lm_colouring *c, const int64_t *x)
{
    int sum = 0, part = 0;
    for (int a = c->dims - 1; a >= 0; a--) {
        sum += c->sum[a][x[a]];
        part = part * c->parts[a] + c->part[a][x[a]];
    }
    return sum % c->modulus + c->modulus * part;
}
