/* SPDX-License-Identifier: BSD-3-Clause */
/* What the pieces of loading share. */
#ifndef LM_LOAD_H
#define LM_LOAD_H

#include "lib/save/parts.h"

latmc_status lm_damaged(const lm_source *source, const char *what);

/* A setter's refusal of a value is damage here; other failures stay what they are. */
latmc_status lm_as_damage(const lm_source *source, latmc_status status);

/* Refuses a section that has not the bytes that it must have. */
latmc_status lm_need_length(const lm_source *source, const lm_section *section, uint64_t bytes);

/* All of a section that is not made of leaves, its sum compared; free() it, also after a failure.
 * Sections of more than `most` bytes are refused. */
latmc_status lm_read_section(lm_source *source, const lm_section *section, uint64_t most,
                             uint8_t **bytes);

/* lib/save/load_named.c: the refusal of what this library does not have; what has names, into a
 * lattice that has its shape. */
latmc_status lm_unknown(const lm_source *source, const char *kind, const char *name);

/* Things of a kind that are there by their names, in any order. */
typedef struct lm_names {
    const lm_source *source;
    const lm_list *list;
    latmc_kind kind;
    int distribution; /* whose arguments they are, otherwise 0 */
    int once;         /* 1: each at most once */
    uint64_t seen;
} lm_names;
latmc_status lm_load_name(lm_names *names, const uint8_t **from, const lm_entry **entry);
/* A section of `fixed` bytes and so many times `each`; free() the bytes, also after a failure. */
latmc_status lm_read_named(lm_source *source, const lm_section *section, uint64_t fixed,
                           uint64_t each, uint8_t **bytes);
latmc_status lm_load_options(lm_source *source, const lm_header *header, latmc_lattice *lat);
latmc_status lm_load_drawn(lm_source *source, const lm_header *header, lm_owner owner,
                           latmc_lattice *lat);
latmc_status lm_load_params(lm_source *source, const lm_header *header, latmc_lattice *lat);

/* lib/save/load_schedule.c: the schedule, the ramps, slots, exchanges and their counts, if there
 * are any, into a lattice that has its parameters and its count of sweeps. */
latmc_status lm_load_schedule(lm_source *source, const lm_header *header, latmc_lattice *lat);
latmc_status lm_load_ramps(lm_source *source, const lm_header *header, latmc_lattice *lat);
latmc_status lm_load_ladders(lm_source *source, const lm_header *header, latmc_lattice *lat);
latmc_status lm_load_slots(lm_source *source, const lm_header *header, latmc_lattice *lat);
latmc_status lm_load_exchange(lm_source *source, const lm_header *header, latmc_lattice *lat);
latmc_status lm_load_walks(lm_source *source, const lm_header *header, latmc_lattice *lat);

/* lib/save/load_leaves.c: couplings and fields that are given, and the sites. */
latmc_status lm_load_leaves(lm_source *source, const lm_header *header, latmc_lattice *lat);

#endif
