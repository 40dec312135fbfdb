/* SPDX-License-Identifier: BSD-3-Clause */
/* Bonds as a device wants them: a few rows at a time, boundaries included. */
#include "lib/lattice.h"

#include <stdlib.h>
#include <string.h>

#include "lib/physics/geometry.h"

enum { FEW_SITES = 64 }; /* lattices with fewer are loose: doc/trajectory-ising.md */

static void draw(const lm_draw *how, int64_t number, int axis, int64_t first, int64_t count,
                 int8_t *bonds)
{
    double some[512];

    for (lm_chunk c = {0}; lm_next_chunk(&c, count, (int64_t)(sizeof some / sizeof some[0]));) {
        lm_draw_numbers(how, LM_DRAWN_FOR_BONDS, axis, number, first + c.first, c.count, some);
        for (int64_t i = 0; i < c.count; i++)
            bonds[c.first + i] = (int8_t)some[i];
    }
}

void lm_bonds_own(const latmc_lattice *lattice, int64_t sample, int axis, int64_t first,
                  int64_t count, int8_t *bonds)
{
    const lm_bonds *own = &lattice->bonds;

    if (own->kind == LM_BONDS_DRAWN)
        draw(&own->draw, lattice->first_sample + sample, axis, first, count, bonds);
    else if (own->kind == LM_BONDS_GIVEN)
        memcpy(bonds, own->values + (sample * lattice->dims + axis) * lattice->sites + first,
               (size_t)count);
    else
        memset(bonds, 1, (size_t)count);
}

static void scale(int8_t *bonds, int64_t count, int factor)
{
    for (int64_t i = 0; i < count; i++)
        bonds[i] = (int8_t)(bonds[i] * factor);
}

void lm_bonds_effective(const latmc_lattice *lattice, int64_t sample, int axis, int64_t first_row,
                        int64_t rows, int8_t *bonds)
{
    const int factor = lm_end_factor(lattice->boundaries[axis]);
    const int64_t width = lattice->extents[0];
    const int64_t last = lattice->extents[axis] - 1;
    const int64_t stride = lm_row_stride(lattice->extents, axis);

    lm_bonds_own(lattice, sample, axis, first_row * width, rows * width, bonds);
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

latmc_status lm_bonds_room(const latmc_lattice *lattice, const char *caller, lm_bonds *bonds)
{
    const int64_t count = lattice->samples * lattice->dims * lattice->sites;

    bonds->values = lm_zeroed(caller, "the couplings of the bonds", count, 1);
    if (bonds->values)
        bonds->gaps = lm_zeroed(caller, "the samples of the bonds", lattice->samples, 1);
    if (bonds->gaps)
        return LATMC_OK;
    free(bonds->values);
    bonds->values = NULL;
    return LATMC_ERROR_MEMORY;
}

void lm_bonds_free(lm_bonds *bonds)
{
    free(bonds->values);
    free(bonds->gaps);
    *bonds = (lm_bonds){.kind = LM_BONDS_UNIFORM};
}

/* Whether some of a sample's own couplings may be 0. What a lattice has besides the sample does not
 * matter, nor what was drawn. */
static int has_gaps(const latmc_lattice *lattice, int64_t sample)
{
    const lm_bonds *own = &lattice->bonds;

    return own->kind == LM_BONDS_DRAWN   ? own->draw.values[LM_ARGUMENT(LATMC_MISSING)] > 0.0
           : own->kind == LM_BONDS_GIVEN ? own->gaps[sample]
                                         : 0;
}

void lm_bonds_flags(const latmc_lattice *lattice, lm_spec *spec)
{
    spec->missing = 0;
    for (int64_t j = 0; j < lattice->samples; j++)
        spec->missing |= has_gaps(lattice, j);
    spec->signs = lattice->bonds.kind != LM_BONDS_UNIFORM;
    spec->samples = spec->signs ? lattice->samples : 1; /* uniform ones are the same in all */
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
