/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/bonds.h"

#include "lib/physics/geometry.h"

static int64_t row_above(const lm_spec *spec, int64_t row, int axis)
{
    const int64_t stride = lm_row_stride(spec->extents, axis);
    const int64_t x = row / stride % spec->extents[axis];
    return x + 1 < spec->extents[axis] ? row + stride : row - x * stride;
}

/* One end of a bond along an axis: at site x of a row, the lower (up: 1) or the upper one. */
static void put_end(const lm_bond_bits *to, int axis, int up, int64_t row, int64_t x, int value)
{
    const lm_site_place p = lm_site_place_of(to->words, lm_row_parity(to->spec, row), x);
    /* even sites of a folded row meet x + 1 at their own k, odd ones x - 1 */
    const int slot = axis == 0 && to->words->folded ? (x & 1) == up : 2 * axis + up;
    const int64_t first = (p.sublattice * 2 * to->spec->dims + slot) * to->rows - to->first_row;
    const int64_t at = (first + row) * to->words->width + p.k / 32;
    const uint32_t bits = lm_replicate(to->words, 1u << p.k % 32);
    if (row < to->first_row || row >= to->first_row + to->rows)
        return;
    to->sign[at] = value < 0 ? to->sign[at] | bits : to->sign[at] & ~bits;
    if (to->gone)
        to->gone[at] = value == 0 ? to->gone[at] | bits : to->gone[at] & ~bits;
}

void lm_bonds_put(const lm_bond_bits *to, int axis, int64_t first_row, int64_t rows,
                  const int8_t *bonds)
{
    const int64_t extent = to->spec->extents[0];
    for (int64_t row = first_row; to->sign && row < first_row + rows; row++) {
        const int64_t above = axis == 0 ? row : row_above(to->spec, row, axis);
        for (int64_t x = 0; x < extent; x++) {
            const int value = *bonds++;
            put_end(to, axis, 1, row, x, value);
            put_end(to, axis, 0, above, axis == 0 ? (x + 1) % extent : x, value);
        }
    }
}
