/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A plan with the functions that work on it: plan.ops->run(plan.self, ..). Those that a backend
 * may leave out are called here, where the reason why it may is also.
 */
#ifndef LM_PLAN_H
#define LM_PLAN_H

#include "backends/backend.h"

typedef struct lm_plan {
    const lm_plan_ops *ops; /* NULL: there is no plan */
    void *self;
} lm_plan;

/* What a backend has a row for. */
typedef struct lm_backend_key {
    latmc_model model;
    lm_kept kept;
} lm_backend_key;

/* Or NULL. */
const lm_backend_model *lm_backend_row(const lm_backend *backend, lm_backend_key key);

/* By the row of the backend's list. Refuses what has none, and a slab of a model whose lattices
 * stay whole. */
latmc_status lm_plan_open(const lm_backend *backend, const lm_spec *spec, int device,
                          lm_plan *plan);
/* Leaves no plan; there need not have been one. */
void lm_plan_close(lm_plan *plan);

/* The sites as they are now, changes as the last sweep left them: sums[replica][k] of the groups.
 */
latmc_status lm_plan_measure(lm_plan plan, unsigned groups, double *sums);

/* Where the host's threads do not work there are none to set. */
void lm_plan_set_threads(lm_plan plan, int threads);
/* By default the parameters are put again. */
latmc_status lm_plan_put_slots(lm_plan plan, const lm_parameters *parameters);
/* Of bonds without couplings the spec says all: their boundaries. */
latmc_status lm_plan_put_bonds(lm_plan plan, int64_t sample, int axis, int64_t first_row,
                               int64_t rows, const int8_t *bonds);
/* A device that takes none refuses lattices that have them. */
latmc_status lm_plan_put_values(lm_plan plan, int64_t sample, int k, int64_t first_row,
                                int64_t rows, const double *values);
/* Most plans make every update that the model has. */
latmc_status lm_plan_serves(lm_plan plan, int update);
/* Most need none. */
latmc_status lm_plan_prepare(lm_plan plan, const lm_schedule *schedule, int64_t budget,
                             const lm_out *out);
/* Most devices have finished when a call returns. */
latmc_status lm_plan_wait(lm_plan plan);

/* Whether the plan makes exchanges itself, as its parameters are. */
int lm_plan_exchanges(lm_plan plan);

/* For backends: the next sweeps of a run, of one update, at most `most` > 0 of them; moves the
 * cursor on. Those of a schedule with one step do not end with its round. */
lm_job lm_schedule_next(const lm_schedule *schedule, lm_cursor *cursor, int64_t most);
void lm_cursor_move(const lm_schedule *schedule, lm_cursor *cursor, int64_t sweeps);
/* Likewise: how often a run measures. */
int64_t lm_out_count(const lm_out *out, int64_t budget);

#endif
