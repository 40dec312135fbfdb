/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads sections whose entries have names. */
#ifndef LM_LOAD_NAMED_H
#define LM_LOAD_NAMED_H

#include "lib/save/parts.h"

/* The refusal of what this library does not have; what has names, into a
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

#endif
