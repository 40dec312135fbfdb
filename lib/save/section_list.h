/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the sections that this library writes and knows: doc/format.md has what is in each. */
#ifndef LM_SECTION_LIST_H
#define LM_SECTION_LIST_H

#include "lib/save/header.h"
#include "lib/save/section.h"
#include "lib/save/write_sections.h"

/* A section is saved if it is required or has bytes. One without leaves is read, and taken, in the
 * order of the table; load_leaves.c takes those of leaves. */
typedef struct lm_section_row {
    const char *name;  /* of the section */
    const char *words; /* for messages */
    int required;
    lm_section_put *put;
    /* Without leaves: what the section says goes into a lattice that has what the sections before
     * say; NULL of the first one, which makes the lattice. */
    lm_section_take *take;
    lm_lengths lengths;
    /* With leaves: their bytes, or 0. */
    uint64_t (*leaves)(const latmc_lattice *lattice, int id);
    uint32_t flags; /* of the section */
} lm_section_row;

extern const lm_section_row lm_section_list[LM_SECTIONS];
enum { LM_SECTION_VERSION = 1 }; /* of each, so far */

/* Returns a section's number in the list, or -1 if it is not known. */
int lm_section_id_of(const lm_section *section);

/* The header of the lattice as it is saved, without sums. */
lm_header lm_header_of(const latmc_lattice *lattice);

#endif
