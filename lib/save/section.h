/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads sections of a saved lattice. */
#ifndef LM_SECTION_H
#define LM_SECTION_H

#include "lib/save/header.h"
#include "lib/save/lattice_section.h"

typedef enum lm_section_id {
    LM_SECTION_LATTICE,
    LM_SECTION_OPTIONS,
    LM_SECTION_PARAMS,
    LM_SECTION_CHANGED,
    LM_SECTION_SCHEDULE,
    LM_SECTION_RAMPS,
    LM_SECTION_LADDERS,
    LM_SECTION_SLOTS,
    LM_SECTION_EXCHANGE,
    LM_SECTION_WALKS,
    LM_SECTION_BONDS_DRAWN,
    LM_SECTION_BONDS_GIVEN,
    LM_SECTION_FIELDS_DRAWN,
    LM_SECTION_FIELDS_GIVEN,
    LM_SECTION_MOMENTA,
    LM_SECTION_WEIGHTS,
    LM_SECTION_WEIGHTS_GIVEN,
    LM_SECTION_BEST,
    LM_SECTION_BEST_SITES,
    LM_SECTION_SITES,
    LM_SECTIONS
} lm_section_id;

static inline int lm_section_drawn(int owner)
{
    return owner == LM_OF_BONDS ? LM_SECTION_BONDS_DRAWN : LM_SECTION_FIELDS_DRAWN;
}
static inline int lm_section_given(int owner)
{
    return owner == LM_OF_BONDS ? LM_SECTION_BONDS_GIVEN : LM_SECTION_FIELDS_GIVEN;
}
/* Returns what the numbers of such a section belong to. */
static inline lm_owner lm_owner_of(int id)
{
    return id <= LM_SECTION_BONDS_GIVEN ? LM_OF_BONDS : LM_OF_SITES;
}

/* The sections of a saved lattice, or NULL. */
typedef struct lm_found {
    const lm_section *section[LM_SECTIONS];
} lm_found;

/* The lengths that a section may have: `fixed` bytes and at most `most` times `each`, both with so
 * many more for each replica. */
typedef struct lm_lengths {
    uint64_t fixed, fixed_of_replica, each, each_of_replica, most;
} lm_lengths;

/* Bytes of what sections have: a number; a name and a number; what stands before the steps of a
 * schedule, a step, an argument that a step has of its own; what stands before the ends of a ramp,
 * which are two numbers of each replica; the numbers of exchanges; what is said of a set of
 * weights. */
enum {
    LM_NUMBER = 8,
    LM_NAMED = LM_NAME_BYTES + LM_NUMBER,
    LM_ROUND = 2 * LM_NUMBER,
    LM_STEP = LM_NAMED + 2 * LM_NUMBER,
    LM_OWN = LM_NUMBER + LM_NAMED,
    LM_RAMP = LM_NAME_BYTES + 2 * LM_NUMBER,
    LM_ENDS_OF_RAMP = 2 * LM_NUMBER,
    LM_EXCHANGE = 2 * LM_NUMBER,
    LM_WEIGHT_SET = 3 * LM_NUMBER
};

/* How a set of weights says what its weights belong to. */
enum { LM_WEIGHTS_OF_SITES = 1, LM_WEIGHTS_OF_BONDS = 2 };

/* What a section says becomes the lattice's. The section has one of its lengths. */
typedef latmc_status lm_section_take(const lm_source *source, const lm_section *section,
                                     const uint8_t *bytes, latmc_lattice *lattice);

latmc_status lm_damaged(const lm_source *source, const char *what);

/* A setter's refusal of a value is damage here; other failures stay what they are. */
latmc_status lm_damaged_if_refused(const lm_source *source, latmc_status status);

/* Refuses a section that has not the bytes that it must have. */
latmc_status lm_need_length(const lm_source *source, const lm_section *section, uint64_t bytes);

/* All of a section that is not made of leaves, its sum compared; free() it, also after a failure.
 * Other lengths are refused. */
latmc_status lm_read_section(lm_source *source, const lm_section *section,
                             const lm_lengths *lengths, int64_t replicas, uint8_t **bytes);
/* The same of a section that is not known: it is read and summed, and forgotten. */
latmc_status lm_skip_section(lm_source *source, const lm_section *section);

#endif
