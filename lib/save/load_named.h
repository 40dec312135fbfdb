/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads sections whose entries have names. */
#ifndef LM_LOAD_NAMED_H
#define LM_LOAD_NAMED_H

#include "lib/save/section.h"

/* The refusal of what this library does not have. */
latmc_status lm_load_unknown(const lm_source *source, const char *kind, const char *name);

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

/* Into a lattice that has its shape: what has names, the numbers of changed sites, and
 * momenta. */
lm_section_take lm_take_options, lm_take_params, lm_take_changed, lm_take_momenta, lm_take_drawn;

#endif
