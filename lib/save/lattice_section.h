/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes and reads names, and the section that has the settings of a lattice. */
#ifndef LM_LATTICE_SECTION_H
#define LM_LATTICE_SECTION_H

#include "lib/lattice/lattice.h"

/* Bytes of a name of a model, option, parameter, distribution or argument, filled up with zeros. */
enum { LM_NAME_BYTES = 32, LM_LATTICE_BYTES = 136 + LM_NAME_BYTES };

/* What the section "lattice" says. Numbers are those that were written, not yet known to be
 * possible. */
typedef struct lm_lattice_section {
    char model[LM_NAME_BYTES + 1];
    int32_t dims;
    int64_t extents[LATMC_MAX_DIMS];
    latmc_boundary boundaries[LATMC_MAX_DIMS]; /* 0 for what means none */
    int64_t replicas, first_replica;
    uint64_t seed;
    int64_t sweeps;
    double axis_couplings[LATMC_MAX_DIMS];
    int64_t samples, first_sample;
} lm_lattice_section;

void lm_lattice_write(const latmc_lattice *lattice, uint8_t bytes[LM_LATTICE_BYTES]);
lm_lattice_section lm_lattice_read(const uint8_t bytes[LM_LATTICE_BYTES]);

/* Names as they are saved. Reading takes LM_NAME_BYTES and ends them. */
void lm_put_name(uint8_t **to, const char *name);
void lm_get_name(const uint8_t **from, char name[LM_NAME_BYTES + 1]);

#endif
