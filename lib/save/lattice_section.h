/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes and reads names, and the section that has the settings of a lattice. */
#ifndef LM_LATTICE_SECTION_H
#define LM_LATTICE_SECTION_H

#include "lib/lattice/lattice.h"

/* Bytes of a name of a model, option, parameter, distribution or argument, filled up with zeros. */
enum { LM_NAME_BYTES = 32 };

/* Bytes of the section before the couplings of the bond types, and the most that it may have. */
enum { LM_LATTICE_FIXED = 232, LM_LATTICE_MAX = LM_LATTICE_FIXED + 8 * LATMC_ROOM_DIMS };

#define LM_LATTICE_NAME "hypercubic"

/* What the section "lattice" says. Numbers are those that were written, not yet known to be
 * possible. */
typedef struct lm_lattice_section {
    char model[LM_NAME_BYTES + 1], lattice[LM_NAME_BYTES + 1];
    int64_t dims;
    int64_t extents[LATMC_ROOM_DIMS];
    latmc_boundary boundaries[LATMC_ROOM_DIMS]; /* 0 for what means none */
    int64_t cell_sites, bond_types;
    int64_t replicas, first_replica;
    int64_t samples, first_sample;
    uint64_t seed;
    int64_t sweeps;
    double couplings[LATMC_ROOM_DIMS]; /* of bond types; 0 beyond the section's end */
} lm_lattice_section;

/* Returns the number of bytes. */
size_t lm_lattice_write(const latmc_lattice *lattice, uint8_t bytes[LM_LATTICE_MAX]);
/* Reads a section of LM_LATTICE_FIXED to LM_LATTICE_MAX bytes. */
lm_lattice_section lm_lattice_read(const uint8_t *bytes, uint64_t length);

/* Names as they are saved. Reading takes LM_NAME_BYTES and ends them. */
void lm_put_name(uint8_t **to, const char *name);
void lm_get_name(const uint8_t **from, char name[LM_NAME_BYTES + 1]);

#endif
