/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the sections that this library writes and knows: doc/format.md has what is in each. */
#ifndef LM_PARTS_H
#define LM_PARTS_H

#include "lib/save/header.h"
#include "lib/save/put.h"
#include "lib/save/section.h"

/* A section is saved if it is required or has bytes. One without leaves is read, and taken, in the
 * order of the table; load_leaves.c takes those of leaves. */
typedef struct lm_part_row {
    const char *name;  /* of the section */
    const char *words; /* for messages */
    int required;
    lm_put *put;
    /* Without leaves: what the section says goes into a lattice that has what the sections before
     * say; NULL of the first one, which makes the lattice. */
    lm_take *take;
    lm_lengths lengths;
    /* With leaves: their bytes, or 0. */
    uint64_t (*leaves)(const latmc_lattice *lattice, int part);
} lm_part_row;

extern const lm_part_row lm_parts[LM_PARTS];
enum { LM_PART_VERSION = 1 }; /* of each, so far */

/* Which part a section is, or -1. */
int lm_part_of(const lm_section *section);

/* The header of the lattice as it is saved, without sums. */
lm_header lm_header_of(const latmc_lattice *lattice);

#endif
