/* SPDX-License-Identifier: BSD-3-Clause */
/* The sections that this library writes and knows: doc/format.md has what is in each. */
#ifndef LM_PARTS_H
#define LM_PARTS_H

#include "lib/save/header.h"
#include "lib/lattice/lattice.h"

typedef enum lm_saved_part {
    LM_PART_LATTICE,
    LM_PART_OPTIONS,
    LM_PART_PARAMS,
    LM_PART_CHANGED,
    LM_PART_SCHEDULE,
    LM_PART_RAMPS,
    LM_PART_LADDERS,
    LM_PART_SLOTS,
    LM_PART_EXCHANGE,
    LM_PART_WALKS,
    LM_PART_DRAWN, /* of bonds; that of sites is LM_OWNERS - 1 further on */
    LM_PART_GIVEN = LM_PART_DRAWN + LM_OWNERS,
    LM_PART_BEST = LM_PART_GIVEN + LM_OWNERS,
    LM_PART_BEST_SITES,
    LM_PART_SITES,
    LM_PARTS
} lm_saved_part;

typedef struct lm_part_row {
    const char *name;  /* of the section */
    const char *words; /* for messages */
    int required;
} lm_part_row;

extern const lm_part_row lm_parts[LM_PARTS];
enum { LM_PART_VERSION = 1 }; /* of each, so far */

/* Bytes of a name of a model, option, parameter, distribution or argument, filled up with zeros. */
enum { LM_NAME_BYTES = 32, LM_LATTICE_BYTES = 136 + LM_NAME_BYTES };

/* What the section "lattice" says. Numbers are those that were written, not yet known to be
 * possible. */
typedef struct lm_lattice_part {
    char model[LM_NAME_BYTES + 1];
    int32_t dims;
    int64_t extents[LATMC_MAX_DIMS];
    latmc_boundary boundaries[LATMC_MAX_DIMS]; /* 0 for what means none */
    int64_t replicas, first_replica;
    uint64_t seed;
    int64_t sweeps;
    double axis_couplings[LATMC_MAX_DIMS];
    int64_t samples, first_sample;
} lm_lattice_part;

void lm_lattice_write(const latmc_lattice *lattice, uint8_t bytes[LM_LATTICE_BYTES]);
lm_lattice_part lm_lattice_read(const uint8_t bytes[LM_LATTICE_BYTES]);

/* Names as they are saved. Reading takes LM_NAME_BYTES and ends them. */
void lm_put_name(uint8_t **to, const char *name);
void lm_get_name(const uint8_t **from, char name[LM_NAME_BYTES + 1]);

/* Of a schedule: what stands before its steps, a step, an argument that a step has of its own; of a
 * ramp: what stands before its ends; of exchanges: what stands before those of the steps; of best
 * sites: what a replica has. */
enum {
    LM_ROUND_BYTES = 16,
    LM_STEP_BYTES = LM_NAME_BYTES + 8,
    LM_OWN_BYTES = 8 + LM_NAME_BYTES + 8,
    LM_RAMP_BYTES = LM_NAME_BYTES + 16,
    LM_EXCHANGE_BYTES = 16,
    LM_BEST_BYTES = 16
};

/* Which part a section is, or -1. */
int lm_part_of(const lm_section *section);
/* The section of a part, or NULL. */
const lm_section *lm_part_find(const lm_header *header, lm_saved_part part);

/* The header of the lattice as it is saved, without sums. */
lm_header lm_header_of(const latmc_lattice *lattice);

#endif
