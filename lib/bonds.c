/* SPDX-License-Identifier: BSD-3-Clause */
/* Bonds as a device wants them: a few rows at a time, boundaries included. */
#include "lib/lattice.h"

#include <string.h>

#include "lib/physics/lane_one.h"

#include "lib/physics/geometry.h"
#include "lib/physics/philox.h"

enum {
    BLOCK = 128,   /* bonds that one output of Philox draws */
    FEW_SITES = 64 /* lattices with fewer are loose: doc/trajectory-ising.md */
};

/*
 * doc/trajectory-ising.md, "Drawn couplings": the bond of site i along an axis is +1 where bit
 * i mod 128 of the block with index i / 128 is 1, otherwise -1.
 */
static void draw_block(uint64_t seed, int axis, int64_t index, uint32_t out[4])
{
    const lm_keys keys = lm_keys_of(seed);
    const lm_stream s = lm_stream_of(&keys, LM_DOMAIN_COUPLINGS, 0, 0, (uint32_t)axis);

    lm_random_words(&s, (uint64_t)index, 0, out);
}

static void draw(uint64_t seed, int axis, int64_t first, int64_t count, int8_t *bonds)
{
    uint32_t block[4] = {0};
    int64_t have = -1;

    for (int64_t i = first; i < first + count; i++) {
        const int bit = (int)(i % BLOCK);

        if (i / BLOCK != have) {
            have = i / BLOCK;
            draw_block(seed, axis, have, block);
        }
        bonds[i - first] = block[bit / 32] >> bit % 32 & 1 ? 1 : -1;
    }
}

void lm_bonds_own(const latmc_lattice *lattice, int axis, int64_t first, int64_t count,
                  int8_t *bonds)
{
    const lm_bonds *own = &lattice->bonds;

    if (own->kind == LM_BONDS_DRAWN)
        draw(own->seed, axis, first, count, bonds);
    else if (own->kind == LM_BONDS_GIVEN)
        memcpy(bonds, own->values + axis * lattice->sites + first, (size_t)count);
    else
        memset(bonds, 1, (size_t)count);
}

static void scale(int8_t *bonds, int64_t count, int factor)
{
    for (int64_t i = 0; i < count; i++)
        bonds[i] = (int8_t)(bonds[i] * factor);
}

void lm_bonds_effective(const latmc_lattice *lattice, int axis, int64_t first_row, int64_t rows,
                        int8_t *bonds)
{
    const int factor = lm_end_factor(lattice->boundaries[axis]);
    const int64_t width = lattice->extents[0];
    const int64_t last = lattice->extents[axis] - 1;
    const int64_t stride = lm_row_stride(lattice->extents, axis);

    lm_bonds_own(lattice, axis, first_row * width, rows * width, bonds);
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

void lm_bonds_flags(const latmc_lattice *lattice, lm_spec *spec)
{
    spec->missing = lattice->bonds.missing;
    spec->loose = lattice->bonds.missing || lattice->sites < FEW_SITES;
    spec->signs = lattice->bonds.kind != LM_BONDS_UNIFORM;
    for (int a = 0; a < lattice->dims; a++) {
        spec->missing |= lattice->boundaries[a] == LATMC_OPEN;
        spec->loose |= lattice->boundaries[a] == LATMC_ANTIPERIODIC && lattice->extents[a] == 2;
        spec->signs |= lattice->boundaries[a] != LATMC_PERIODIC;
    }
}
