/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A device has a table of functions for every model, and its public table passes calls on: every
 * plan begins with a pointer to the table of its own model.
 */
#ifndef LM_FORWARD_H
#define LM_FORWARD_H

#include "backends/backend.h"

/* What every plan begins with. */
typedef struct lm_plan_head {
    const lm_backend *table;
} lm_plan_head;

void lm_forward_close(void *plan);
void lm_forward_set_threads(void *plan, int threads);
latmc_status lm_forward_put_bonds(void *plan, int axis, int64_t first_row, int64_t rows,
                                  const int8_t *bonds);
latmc_status lm_forward_put_parameters(void *plan, const lm_parameters *parameters);
latmc_status lm_forward_start(void *plan, latmc_start_mode mode);
latmc_status lm_forward_put_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                                  const void *sites);
latmc_status lm_forward_get_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                                  void *sites);
latmc_status lm_forward_sweep(void *plan, const lm_job *job);
latmc_status lm_forward_measure(void *plan, double *sums);
latmc_status lm_forward_record(void *plan, const lm_job *job, int64_t records, int accepted,
                               double *sums);
latmc_status lm_forward_wait(void *plan);
int lm_forward_colours(const void *plan);
size_t lm_forward_halo_bytes(const void *plan);
latmc_status lm_forward_update(void *plan, latmc_update update, int64_t step, int colour,
                               lm_part part);
latmc_status lm_forward_pack(void *plan, lm_side side, void *halo);
latmc_status lm_forward_unpack(void *plan, lm_side side, const void *halo);

/* The functions of a public table after `describe` and `open`. */
#define LM_FORWARD                                                                                 \
    .close = lm_forward_close, .set_threads = lm_forward_set_threads,                              \
    .put_bonds = lm_forward_put_bonds, .put_parameters = lm_forward_put_parameters,                \
    .start = lm_forward_start, .put_sites = lm_forward_put_sites,                                  \
    .get_sites = lm_forward_get_sites, .sweep = lm_forward_sweep, .measure = lm_forward_measure,   \
    .record = lm_forward_record, .wait = lm_forward_wait, .colours = lm_forward_colours,           \
    .halo_bytes = lm_forward_halo_bytes, .update = lm_forward_update, .pack = lm_forward_pack,     \
    .unpack = lm_forward_unpack

#endif
