/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Declares the plan of a lattice in lots, which lot_plan.c makes. lot_run.c has its sweeps,
 * measurements and exchanges, lot_slots.c its parameters and slots.
 *
 * A stint is sweeps and exchanges that are under way. It begins with a run whose measurement stays
 * with the plan, or with an exchange. Each device then sweeps and exchanges at its own pace.
 * wait(), exchanged(), put_parameters(), put_slots(), and runs that measure for the caller end the
 * stint. lib/ calls one of them before any other operation. All ranks begin and end stints alike.
 */
#ifndef LM_LOTS_H
#define LM_LOTS_H

#include "lib/divide/pieces.h"
#include "lib/divide/runners.h"
#include "lib/models/model.h"

/* One of this rank's lots, with what its exchanges need. */
typedef struct lm_own_lot {
    int64_t first, count; /* replicas */
    double *values;       /* [parameter][slot of the lot] */
    int64_t *state;       /* the lot's state of exchanges (lib/physics/exchange_state.h) */
    double *sums;         /* [replica][k]: a measurement that stays */
    int makes;            /* 1: its plan makes exchanges with its present parameters */
    int64_t taken;        /* measurements of a portion that its plan has handed over */
    int ahead;            /* 1: its plan has not seen the state, because the host made exchanges */
} lm_own_lot;

/* The plan's self. */
typedef struct lm_deal {
    lm_pieces pieces;
    const lm_model *model;
    int each;         /* sums of a replica */
    int64_t *of_rank; /* [rank], and one more: the ranks' first replicas; and as many for others */
    lm_own_lot *lots; /* [piece of this rank] */
    int *of_device;   /* [device of this rank], and one more: its first piece */
    /* The memory of all lots' values, states, and sums that stay. `states` has places for the lots
     * of all ranks, one after another. */
    double *values;
    int64_t *states;
    double *stays;
    double type_coupling[LATMC_MAX_DIMS];
    uint8_t *loose; /* [replica of the lattice] */
    double *sums;   /* buffer for some measurements of all lots, one lot after another */
    int64_t capacity;
    int devices;         /* of this rank */
    int threads;         /* that the host may use; 0: the runtime's choice */
    lm_runners *runners; /* [device of this rank] */
    int closed;          /* 1: each lot has the slots of its replicas, and whole ladders */
    int64_t ladder;      /* slots of a ladder */
    int under_way;       /* 1: a stint is under way */
    int prepared;        /* the stint has memory for runs: 1, and for measurements that stay: 2 */
    int lost;            /* 1: devices have stopped at different sweeps */
} lm_deal;

/* Ends the stint that is under way, if any. Returns the failure of any rank's stint, and from then
 * on a failure. The call is collective. */
latmc_status lm_lots_finish(lm_deal *deal);
/* Returns a failure if devices have stopped at different sweeps. */
latmc_status lm_lots_have_sites(const lm_deal *deal);

/* Operations of lm_plan_ops. */
void lm_lots_set_threads(void *plan, int threads);
latmc_status lm_lots_put_parameters(void *plan, const lm_parameters *parameters);
latmc_status lm_lots_put_slots(void *plan, const lm_parameters *parameters);
int lm_lots_exchanges(const void *plan);
latmc_status lm_lots_exchange(void *plan, const lm_exchange_order *order);
latmc_status lm_lots_exchanged(void *plan, int64_t *state);
latmc_status lm_lots_run(void *plan, const lm_schedule *schedule, const lm_cursor *cursor,
                         int64_t budget, const lm_measure *out);
latmc_status lm_lots_queue_measurement(void *plan, const lm_measure *out, int64_t number,
                                       int64_t all);
latmc_status lm_lots_wait(void *plan);

/* Makes the exchange of one of this rank's lots. */
latmc_status lm_lot_exchange(const lm_deal *deal, int lot, const lm_exchange_order *order);
/* Makes the measurement of one of this rank's lots. It is number `number` of a portion of `count`,
 * for which `out` has room. */
latmc_status lm_lot_measure(const lm_deal *deal, int lot, const lm_measure *out, int64_t number,
                            int64_t count);
/* Adds such measurements of all lots to the stint. */
latmc_status lm_lots_queue_measuring(lm_deal *deal, const lm_measure *out, int64_t number,
                                     int64_t count);
/* Cuts the lattice's state of exchanges into the states of this rank's lots. */
void lm_lots_take_state(const lm_deal *deal, const int64_t *state);
/* Does a device's part of a task (lm_run_task). */
latmc_status lm_lots_do_task(void *deal, int device, const void *task);
extern const size_t lm_lots_task_bytes;

#endif
