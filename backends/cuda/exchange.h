/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges of slots, made on a GPU: doc/trajectory.md, "Slots and exchanges". */
#ifndef LM_CUDA_EXCHANGE_H
#define LM_CUDA_EXCHANGE_H

#include <cuda_runtime_api.h>

#include "backends/backend.h"
#include "lib/physics/philox_keys.h"

/* An exchange as its kernel sees it, a block for each ladder. */
typedef struct lm_cuda_exchange {
    int64_t *state;       /* lib/physics/exchange.h */
    const double *params; /* [parameter][slot] */
    const void *sums;     /* [replica][sum] of the measured groups, of the first replica on */
    int64_t slots, each;  /* of all ladders, of one */
    int64_t ladders;      /* of a sample */
    int64_t sites;
    int odd;            /* 1: the first pair is that of slots 1 and 2 */
    int sums_each;      /* of a replica */
    uint64_t number;    /* of the exchange */
    uint32_t sample;    /* the first one's number */
    uint32_t replica;   /* likewise */
    lm_keys keys;       /* of the seed */
    double coupling[4]; /* [axis] */
    int dims, components;
    const uint32_t *rules;     /* [slot][word]: what goes to the replica that now has the slot, */
    uint32_t *to;              /* [replica][word] */
    int64_t words;             /* 0: nothing does */
    unsigned long long *clear; /* counts for sweeps to come, which it sets to 0, */
    int64_t clears;            /* so many */
} lm_cuda_exchange;

/* Queues an exchange by the action of a model. overlaps: as lm_launch_overlapping() has it
 * (launch.cuh). A field model's is among its kernels; those of words are in exchange.cu. */
typedef cudaError_t lm_cuda_exchange_by(const lm_cuda_exchange *exchange, int overlaps,
                                        cudaStream_t stream);

#ifdef __cplusplus
extern "C" {
#endif
lm_cuda_exchange_by lm_exchange_ising_words, lm_exchange_potts_words, lm_exchange_blume_capel;
#ifdef __cplusplus
}
#endif

/* What a family adds to it. */
typedef struct lm_cuda_exchanger {
    lm_cuda_exchange_by *exchange;
    size_t sums_bytes; /* that a measurement takes, */
    /* which this queues, of some groups, if none is there. */
    cudaError_t (*measure)(void *plan, unsigned groups, void *device);
    /* Slots are about to move: where in the measurement the sums are, how many, and the rules. */
    cudaError_t (*ready)(void *plan, unsigned groups, const void *device,
                         lm_cuda_exchange *exchange);
} lm_cuda_exchanger;

/* Room for a measurement that stays, in slots.sums of the plan's head. */
cudaError_t lm_cuda_exchange_room(void *plan, size_t bytes);

/* Device memory that exchanges need, of a plan with so many parameters, in pieces of
 * lm_cuda_begin(); a plan begins with an lm_cuda_head (plan.h). */
#define LM_CUDA_STATE_PIECES(head, spec, count)                                                    \
    {(void **)&(head)->slots.state, LM_STATE_ROWS * (size_t)(spec)->replicas * sizeof(int64_t)},   \
    {                                                                                              \
        (void **)&(head)->slots.params, (count) * (size_t)(spec)->replicas * sizeof(double)        \
    }

/* Whatever comes of it, lm_cuda_end() gives back what there is. */
latmc_status lm_cuda_exchange_begin(void *plan, const lm_spec *spec, int params);

/* Takes the parameters for exchanges to come; the device has the slots for what is queued from here
 * on. */
void lm_cuda_put_params(void *plan, const lm_spec *spec, const lm_parameters *parameters);
cudaError_t lm_cuda_put_slots(void *plan, const lm_spec *spec, const lm_parameters *parameters);

/* Of lm_plan_ops. */
latmc_status lm_cuda_exchange_slots(void *plan, const lm_spec *spec,
                                    const lm_cuda_exchanger *family,
                                    const lm_exchange_order *order);
latmc_status lm_cuda_exchanged(void *plan, int64_t *state);

#endif
