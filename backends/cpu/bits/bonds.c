/* SPDX-License-Identifier: BSD-3-Clause */
/* The bonds of a lattice of bits: their signs and gaps, at each end. */
#include "backends/bonds.h"

#include "backends/cpu/bits/plan.h"

static void put_bond(void *user, const lm_bond_end *end)
{
    lm_bits_plan *p = user;
    const int64_t row = lm_bits_own_row(p, end->row);
    if (row < 0)
        return;
    const int64_t slot = end->sublattice * 2 * p->spec.dims + end->slot;
    const int64_t at = (slot * p->planes * p->plane_rows + row) * p->words.width + end->k / 32;
    const uint32_t bits = lm_replicate(&p->words, 1u << end->k % 32);
    p->sign[at] = end->value < 0 ? p->sign[at] | bits : p->sign[at] & ~bits;
    if (p->gone)
        p->gone[at] = end->value == 0 ? p->gone[at] | bits : p->gone[at] & ~bits;
}

latmc_status lm_bits_put_bonds(void *plan, int axis, int64_t first_row, int64_t rows,
                               const int8_t *bonds)
{
    lm_bits_plan *p = plan;
    if (p->sign)
        lm_bonds_visit(&p->spec, &p->words, axis, first_row, rows, bonds, put_bond, p);
    return LATMC_OK;
}
