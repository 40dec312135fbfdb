/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/bonds.h"

#include "lib/physics/geometry.h"

static int64_t row_above(const lm_spec *spec, int64_t row, int axis)
{
    const int64_t stride = lm_row_stride(spec->extents, axis);
    const int64_t x = row / stride % spec->extents[axis];
    return x + 1 < spec->extents[axis] ? row + stride : row - x * stride;
}

/* What is written of a sample's bonds: words from `first` on, in the replicas with these first
 * bits.
 */
typedef struct share {
    int64_t first;
    uint32_t lanes;
} share;

/* One end of a bond along an axis: at site x of a row, the lower (up: 1) or the upper one. */
static void put_end(const lm_bond_bits *to, const share *of, int axis, int up, int64_t row,
                    int64_t x, int value)
{
    const lm_site_place p = lm_site_place_of(to->words, lm_row_parity(to->spec, row), x);
    /* even sites of a folded row meet x + 1 at their own k, odd ones x - 1 */
    const int slot = axis == 0 && to->words->folded ? (x & 1) == up : 2 * axis + up;
    const int64_t first = (p.sublattice * 2 * to->spec->dims + slot) * to->rows - to->first_row;
    const int64_t at = of->first + (first + row) * to->words->width + p.k / 32;
    const uint32_t bits = of->lanes << p.k % 32;
    if (row < to->first_row || row >= to->first_row + to->rows)
        return;
    to->sign[at] = value < 0 ? to->sign[at] | bits : to->sign[at] & ~bits;
    if (to->gone)
        to->gone[at] = value == 0 ? to->gone[at] | bits : to->gone[at] & ~bits;
}

static void put_share(const lm_bond_bits *to, const share *of, int axis, int64_t first_row,
                      int64_t rows, const int8_t *bonds)
{
    const int64_t extent = to->spec->extents[0];
    for (int64_t row = first_row; row < first_row + rows; row++) {
        const int64_t above = axis == 0 ? row : row_above(to->spec, row, axis);
        for (int64_t x = 0; x < extent; x++) {
            const int value = *bonds++;
            put_end(to, of, axis, 1, row, x, value);
            put_end(to, of, axis, 0, above, axis == 0 ? (x + 1) % extent : x, value);
        }
    }
}

/* Bit 0 of the replicas [first, last), numbers of the ensemble, in the words of a group. */
static uint32_t lanes_of(const lm_words *w, int64_t group, int64_t first, int64_t last)
{
    uint32_t lanes = 0;
    for (int lane = 0; lane < w->pack; lane++) {
        const int64_t number = (w->first_group + group) * w->pack + lane;
        if (number >= first && number < last)
            lanes |= 1u << lane * w->segment;
    }
    return lanes;
}

void lm_bonds_put(const lm_bond_bits *to, int64_t sample, int axis, int64_t first_row, int64_t rows,
                  const int8_t *bonds)
{
    const lm_words *w = to->words;
    const int64_t stride = lm_bonds_stride(to->spec, w, to->rows);
    const int64_t each = stride ? to->spec->replicas / to->spec->samples : 0;
    const int64_t first = to->spec->first_replica + sample * each, last = first + each;
    if (!to->sign)
        return;
    if (!stride) {
        const share all = {.first = 0, .lanes = lm_replicate(w, 1u)};
        put_share(to, &all, axis, first_row, rows, bonds);
        return;
    }
    for (int64_t g = first / w->pack - w->first_group; g <= (last - 1) / w->pack - w->first_group;
         g++) {
        const share of = {.first = g * stride, .lanes = lanes_of(w, g, first, last)};
        put_share(to, &of, axis, first_row, rows, bonds);
    }
}
