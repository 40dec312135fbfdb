/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the sections of a saved lattice, as doc/format.md describes them. */
#ifndef LM_WRITE_SECTIONS_H
#define LM_WRITE_SECTIONS_H

#include "lib/base/checksum.h"
#include "lib/save/section.h"

/* A section on its way out. */
typedef struct lm_outgoing {
    lm_sink *sink;       /* NULL: what has no leaves is counted and summed, and goes nowhere */
    int id;              /* lm_section_id */
    uint64_t offset;     /* behind the beginning of the whole */
    latmc_status status; /* the first failure; what is put after it goes nowhere */
    uint64_t bytes;      /* of what has no leaves, and its sum */
    lm_checksum sum;
    uint64_t leaves_sum;
} lm_outgoing;

/* A section that has nothing to say puts nothing. */
typedef void lm_section_put(lm_outgoing *section, const latmc_lattice *lattice);
lm_section_put lm_put_lattice, lm_put_options, lm_put_params, lm_put_changed, lm_put_schedule,
    lm_put_ramps, lm_put_ladders, lm_put_slots, lm_put_exchange, lm_put_walks, lm_put_drawn,
    lm_put_momenta, lm_put_weights, lm_put_best;
/* The next ones have leaves. */
lm_section_put lm_put_given, lm_put_given_weights, lm_put_best_sites, lm_put_all_sites;

#endif
