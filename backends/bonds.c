/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/bonds.h"

static int64_t row_above(const lm_spec *spec, int64_t row, int axis)
{
    int64_t stride = 1;
    for (int a = 1; a < axis; a++)
        stride *= spec->extents[a];
    const int64_t x = row / stride % spec->extents[axis];
    return x + 1 < spec->extents[axis] ? row + stride : row - x * stride;
}

static void visit_end(const lm_spec *spec, const lm_words *words, int axis, int up, int64_t row,
                      int64_t x, int value, lm_bond_visit visit, void *user)
{
    const lm_site_place p = lm_site_place_of(words, lm_row_parity(spec, row), x);
    lm_bond_end end = {.sublattice = p.sublattice, .row = row, .k = p.k, .value = value};
    if (axis == 0 && words->folded)
        end.slot = (x & 1) == up; /* even sites meet x + 1 at their own k, odd ones x - 1 */
    else
        end.slot = 2 * axis + up;
    visit(user, &end);
}

void lm_bonds_visit(const lm_spec *spec, const lm_words *words, int axis, int64_t first_row,
                    int64_t rows, const int8_t *bonds, lm_bond_visit visit, void *user)
{
    const int64_t extent = spec->extents[0];
    for (int64_t row = first_row; row < first_row + rows; row++) {
        const int64_t above = axis == 0 ? row : row_above(spec, row, axis);
        for (int64_t x = 0; x < extent; x++) {
            const int value = *bonds++;
            const int64_t x_above = axis == 0 ? (x + 1) % extent : x;
            visit_end(spec, words, axis, 1, row, x, value, visit, user);
            visit_end(spec, words, axis, 0, above, x_above, value, visit, user);
        }
    }
}
