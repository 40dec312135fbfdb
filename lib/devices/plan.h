/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Joins a plan with the functions that work on it: plan.ops->run(plan.self, ..). The functions here
 * call those that a backend may leave out. Their comments say why a backend may do so.
 */
#ifndef LM_PLAN_H
#define LM_PLAN_H

#include "backends/backend.h"

typedef struct lm_plan {
    const lm_plan_ops *ops; /* NULL: there is no plan */
    void *self;
} lm_plan;

/* The key of a backend's row. */
typedef struct lm_backend_key {
    latmc_model model;
    lm_kept kept;
} lm_backend_key;

/* Returns the backend's row for the key, or NULL. */
const lm_backend_model *lm_backend_row(const lm_backend *backend, lm_backend_key key);

/* Opens a plan by the backend's row. It refuses models without a row, and slabs of models whose
 * lattices stay whole. */
latmc_status lm_plan_open(const lm_backend *backend, const lm_spec *spec, int device,
                          lm_plan *plan);
/* Closes the plan, if there is one. There is no plan afterwards. */
void lm_plan_close(lm_plan *plan);

/* Measures the present sites: sums[replica][k] of the bundles. The sum of changes belongs to the
 * last sweep. */
latmc_status lm_plan_measure(lm_plan plan, unsigned bundles, double *sums);

/* Backends without host threads leave it out. Nothing is set then. */
void lm_plan_set_threads(lm_plan plan, int threads);
/* Backends may leave it out. The parameters are then put again. */
latmc_status lm_plan_put_slots(lm_plan plan, const lm_parameters *parameters);
/* Backends may leave it out for models without couplings. The boundaries in the spec then define
 * all bonds. */
latmc_status lm_plan_put_bonds(lm_plan plan, int64_t sample, int axis, int64_t first_row,
                               int64_t rows, const int8_t *bonds);
/* Backends without such numbers leave it out. Lattices that have them are then refused. */
latmc_status lm_plan_put_values(lm_plan plan, int64_t sample, int k, int64_t first_row,
                                int64_t rows, const double *values);
/* Backends leave it out if their plans make every update of the model. */
latmc_status lm_plan_serves(lm_plan plan, int update);
/* Backends leave it out if run() allocates nothing. */
latmc_status lm_plan_prepare(lm_plan plan, const lm_schedule *schedule, int64_t budget,
                             const lm_measure *out);
/* Backends leave it out, or what the crossing needs. Its needs are then 0, and rows of one replica
 * after another cross. */
latmc_status lm_plan_cross(lm_plan plan, const lm_crossing *crossing);
/* Backends may leave it out. Replicas are then not copied. */
latmc_status lm_plan_copy(lm_plan plan, const int64_t *from);
/* Returns whether a plan has what a crossing needs. */
int lm_plan_crosses(lm_plan plan, unsigned needs);
/* Backends leave it out if their devices have finished when a call returns. */
latmc_status lm_plan_wait(lm_plan plan);

/* Returns whether the plan itself makes exchanges, with its present parameters. */
int lm_plan_exchanges(lm_plan plan);

/* Returns the step of the next sweep, and how many sweeps the step has left in its round. */
int lm_schedule_step_at(const lm_schedule *schedule, const lm_cursor *cursor, int64_t *left);
/* Backends call it. Returns a run's next sweeps of one update, at most `most` > 0, and advances the
 * cursor. Sweeps of a schedule with one step do not end with its round. */
lm_job lm_schedule_next(const lm_schedule *schedule, lm_cursor *cursor, int64_t most);
void lm_cursor_move(const lm_schedule *schedule, lm_cursor *cursor, int64_t sweeps);
/* Backends call it. Returns how often a run measures. */
int64_t lm_measure_count(const lm_measure *out, int64_t budget);

#endif
