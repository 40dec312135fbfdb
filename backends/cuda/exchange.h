/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges slots on a GPU (doc/trajectory.md, "Slots and exchanges"). */
#ifndef LM_CUDA_EXCHANGE_H
#define LM_CUDA_EXCHANGE_H

#include <cuda_runtime_api.h>

#include "backends/backend.h"
#include "lib/physics/exchange_state.h"
#include "lib/physics/philox_keys.h"

/* An exchange as its kernel sees it. Each ladder has a block. */
typedef struct lm_cuda_exchange {
    int64_t *state;       /* lib/physics/exchange_state.h */
    const double *params; /* [parameter][slot] */
    const void *sums;     /* [replica][sum] of the measured bundles, from the first replica on */
    int64_t slots, each;  /* slots of all ladders, of one ladder */
    int64_t ladders;      /* ladders of a sample */
    int64_t first_ladder; /* number of the first ladder in the first sample */
    int64_t sites;
    int odd;            /* 1: the first pair is that of slots 1 and 2 */
    int sums_each;      /* sums of a replica */
    uint64_t number;    /* number of the exchange */
    uint32_t sample;    /* number of the first sample */
    uint32_t replica;   /* number of the first replica */
    lm_keys keys;       /* keys of the seed */
    double coupling[4]; /* [axis] */
    int dims, components;
    const uint32_t
        *rules;    /* [slot][word]: the data that goes to the replica that now has the slot */
    uint32_t *to;  /* [replica][word] */
    int64_t words; /* words of a slot; 0: nothing is handed out */
    unsigned long long *clear; /* counts for later sweeps, which the kernel sets to 0 */
    int64_t clears;            /* number of these counts */
} lm_cuda_exchange;

/* Queues an exchange by the action of a model. overlaps: see lm_launch_overlapping()
 * (launch.cuh). Each model has its own among its kernels. */
typedef cudaError_t lm_cuda_exchange_by(const lm_cuda_exchange *exchange, int overlaps,
                                        cudaStream_t stream);

/* What a family adds to an exchange. */
typedef struct lm_cuda_exchanger {
    lm_cuda_exchange_by *exchange;
    size_t sums_bytes; /* bytes of a measurement */
    /* Queues a measurement of some bundles, if there is none. */
    cudaError_t (*measure)(void *plan, unsigned bundles, void *device);
    /* Says that slots are about to move. Sets where the sums are in the measurement, how many
     * they are, and the rules. */
    cudaError_t (*ready)(void *plan, unsigned bundles, const void *device,
                         lm_cuda_exchange *exchange);
} lm_cuda_exchanger;

/* Takes room for a measurement that stays, in slots.sums of the plan's head. */
cudaError_t lm_cuda_exchange_room(void *plan, size_t bytes);

/* Device memory that exchanges need, as allocations of lm_cuda_begin(). `count` is the number of
 * the plan's parameters. A plan begins with an lm_cuda_head (plan.h). */
#define LM_CUDA_STATE_ALLOCATIONS(head, spec, count)                                               \
    {(void **)&(head)->slots.state, LM_STATE_ROWS * (size_t)(spec)->replicas * sizeof(int64_t)},   \
    {                                                                                              \
        (void **)&(head)->slots.params, (count) * (size_t)(spec)->replicas * sizeof(double)        \
    }

/* Begins exchanges. After success and after failure, lm_cuda_end() frees what there is. */
latmc_status lm_cuda_exchange_begin(void *plan, const lm_spec *spec, int params);

/* Takes the parameters for later exchanges. The device has the slots for what is queued from
 * here on. */
void lm_cuda_put_params(void *plan, const lm_spec *spec, const lm_parameters *parameters);
cudaError_t lm_cuda_put_slots(void *plan, const lm_spec *spec, const lm_parameters *parameters);

/* Operations of lm_plan_ops. */
latmc_status lm_cuda_exchange_slots(void *plan, const lm_spec *spec,
                                    const lm_cuda_exchanger *family,
                                    const lm_exchange_order *order);
latmc_status lm_cuda_exchanged(void *plan, int64_t *state);

#endif
