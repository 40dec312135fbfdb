/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes bonds whose couplings are signs, as a device wants them: a few rows at a time, with
 * boundaries. */
#include "lib/lattice/bonds.h"

#include <string.h>

#include "lib/base/chunk.h"
#include "lib/lattice/disorder.h"

#include "lib/physics/geometry.h"

enum { FEW_SITES = 64 }; /* lattices with fewer sites are loose: doc/trajectory-ising.md */

static void drawn(const latmc_lattice *lattice, int64_t sample, int axis, int64_t first,
                  int64_t count, int8_t *bonds)
{
    double some[512];

    for (lm_chunk c = {0}; lm_next_chunk(&c, count, (int64_t)(sizeof some / sizeof some[0]));) {
        lm_disorder_own(lattice, LM_OF_BONDS, sample, axis, first + c.first, c.count, some);
        for (int64_t i = 0; i < c.count; i++)
            bonds[c.first + i] = (int8_t)some[i];
    }
}

void lm_bonds_own(const latmc_lattice *lattice, int64_t sample, int axis, int64_t first,
                  int64_t count, int8_t *bonds)
{
    const lm_disorder *own = &lattice->disorder[LM_OF_BONDS];

    if (own->kind == LM_DRAWN)
        drawn(lattice, sample, axis, first, count, bonds);
    else if (own->kind == LM_GIVEN)
        memcpy(bonds,
               own->signs + (sample * lm_bond_types(lattice) + axis) * lm_cells(lattice) + first,
               (size_t)count);
    else
        memset(bonds, 1, (size_t)count);
}

static void scale(int8_t *bonds, int64_t count, int factor)
{
    for (int64_t i = 0; i < count; i++)
        bonds[i] = (int8_t)(bonds[i] * factor);
}

/* Multiplies the bonds across the ends of the axis by `factor`. */
static void scale_ends(const latmc_lattice *lattice, int axis, int64_t first_row, int64_t rows,
                       int factor, int8_t *bonds)
{
    const int64_t width = lattice->extents[0];
    const int64_t last = lattice->extents[axis] - 1;
    const int64_t stride = lm_row_stride(lattice->extents, axis);

    if (factor == 1)
        return;
    for (int64_t r = 0; r < rows; r++) {
        int8_t *row = bonds + r * width;

        if (axis == 0)
            row[last] = (int8_t)(row[last] * factor);
        else if ((first_row + r) / stride % lattice->extents[axis] == last)
            scale(row, width, factor);
    }
}

void lm_bonds_effective(const latmc_lattice *lattice, int64_t sample, int axis, int64_t first_row,
                        int64_t rows, int8_t *bonds)
{
    const int64_t width = lattice->extents[0];

    lm_bonds_own(lattice, sample, axis, first_row * width, rows * width, bonds);
    scale_ends(lattice, axis, first_row, rows, lm_end_factor(lattice->boundaries[axis]), bonds);
}

/* Couplings are rounded to the sites' type. In floats, some that are not 0 become 0. */
void lm_bonds_there(const latmc_lattice *lattice, int64_t sample, int axis, int64_t first_row,
                    int64_t rows, int8_t *there)
{
    const int64_t width = lattice->extents[0];
    const int doubles = lattice->type->entry.id == LATMC_FLOAT64;
    double some[512];

    for (lm_chunk c = {0};
         lm_next_chunk(&c, rows * width, (int64_t)(sizeof some / sizeof some[0]));) {
        lm_disorder_own(lattice, LM_OF_BONDS, sample, axis, first_row * width + c.first, c.count,
                        some);
        for (int64_t i = 0; i < c.count; i++)
            there[c.first + i] = doubles ? some[i] != 0.0 : (float)some[i] != 0.0f;
    }
    scale_ends(lattice, axis, first_row, rows, lm_end_factor(lattice->boundaries[axis]) != 0,
               there);
}

/* Returns whether some of a sample's own couplings may be 0. Other samples do not matter, nor do
 * the numbers that were drawn. */
static int has_gaps(const latmc_lattice *lattice, int64_t sample)
{
    const lm_disorder *own = &lattice->disorder[LM_OF_BONDS];

    return own->kind == LM_DRAWN   ? own->draw.values[LM_ARGUMENT(LATMC_DRAW_MISSING)] > 0.0
           : own->kind == LM_GIVEN ? own->missing[sample]
                                   : 0;
}

void lm_bonds_flags(const latmc_lattice *lattice, lm_spec *spec)
{
    spec->missing = 0;
    for (int64_t j = 0; j < lattice->samples; j++)
        spec->missing |= has_gaps(lattice, j);
    spec->signs = lattice->disorder[LM_OF_BONDS].kind != LM_UNIFORM;
    for (int a = 0; a < lattice->dims; a++) {
        spec->missing |= lattice->boundaries[a] == LATMC_OPEN;
        spec->signs |= lattice->boundaries[a] != LATMC_PERIODIC;
    }
}

void lm_bonds_find_loose(const latmc_lattice *lattice, uint8_t *loose)
{
    const int64_t each = lattice->replicas / lattice->samples;
    int all = lattice->sites < FEW_SITES;

    for (int a = 0; a < lattice->dims; a++)
        all |= lattice->boundaries[a] == LATMC_ANTIPERIODIC && lattice->extents[a] == 2;
    for (int64_t r = 0; r < lattice->replicas; r++)
        loose[r] = (uint8_t)(all || has_gaps(lattice, r / each));
}
