/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchanges slots, with a block for each ladder (doc/trajectory.md, "Slots and exchanges").
 * lib/physics/ says what is decided, and by which numbers.
 *
 * A file of a model's kernels includes this file and offers lm_exchange_by<MODEL> to the host.
 * MODEL has PARAMS, the number of parameters that actions are made of, and action(exchange, params,
 * replica).
 */
#ifndef LM_CUDA_EXCHANGE_CUH
#define LM_CUDA_EXCHANGE_CUH

#include "backends/cuda/launch.cuh"

#include "backends/cuda/exchange.h"
#include "lib/physics/exchange_rule.h"
#include "lib/physics/philox.h"

enum { BLOCK = 256 };

/* Returns what is gained or lost if a slot and the next one change replicas. */
template <class MODEL> LM_INLINE double lm_exchange_cost_of(const lm_cuda_exchange &x, int64_t slot)
{
    const int64_t *holders = x.state + LM_STATE_HOLDERS * x.slots;
    double actions[2][2]; /* with the parameters of the slot, of the next slot; of their replicas */
    LM_UNROLL
    for (int s = 0; s < 2; s++) {
        double params[MODEL::PARAMS];
        LM_UNROLL
        for (int p = 0; p < MODEL::PARAMS; p++)
            params[p] = x.params[p * x.slots + slot + s];
        LM_UNROLL
        for (int r = 0; r < 2; r++)
            actions[s][r] = MODEL::action(x, params, holders[slot + r]);
    }
    const double own[2] = {actions[0][0], actions[1][1]};
    const double other[2] = {actions[1][0], actions[0][1]};
    return lm_exchange_cost(own, other);
}

/* Hands out a slot's rule to the replica that has the slot now. Each slot has a warp. */
LM_INLINE void lm_exchange_hand_out(const lm_cuda_exchange &x, int64_t first)
{
    const int64_t *holders = x.state + LM_STATE_HOLDERS * x.slots;
    for (int64_t s = first + threadIdx.x / 32; x.words && s < first + x.each; s += BLOCK / 32)
        for (int64_t w = threadIdx.x % 32; w < x.words; w += 32)
            x.to[holders[s] * x.words + w] = x.rules[s * x.words + w];
}

/* Makes an exchange. Pairs have no slot in common, and ladders have none in common. So only the
 * counts and the handing out wait for slots that move. */
template <class MODEL>
static __global__ void __launch_bounds__(BLOCK)
    exchange_kernel(const __grid_constant__ lm_cuda_exchange x)
{
    lm_await_previous();
    for (int64_t i = (int64_t)blockIdx.x * BLOCK + threadIdx.x; i < x.clears;
         i += (int64_t)gridDim.x * BLOCK)
        x.clear[i] = 0;
    const int64_t first = blockIdx.x * x.each;
    const uint32_t ladder = (uint32_t)x.first_ladder + blockIdx.x;
    const uint32_t sample = x.sample + ladder / (uint32_t)x.ladders;
    const lm_stream stream =
        lm_stream_of(&x.keys, LM_DOMAIN_EXCHANGE, x.number, lm_group_low(sample), 0);
    for (int64_t i = threadIdx.x; i < (x.each - x.odd) / 2; i += BLOCK) {
        const int64_t slot = first + x.odd + 2 * i;
        lm_word words[4];
        lm_random_words(&stream, (uint64_t)(x.replica + slot), 0, words);
        lm_exchange_pair(x.state, x.slots, slot,
                         lm_exchange_accepts(lm_exchange_cost_of<MODEL>(x, slot), words));
    }
    __syncthreads();
    lm_exchange_hand_out(x, first);
    if (x.each == 1)
        return;
    if (threadIdx.x == 0)
        lm_walks_turn(x.state, x.slots, first, x.each);
    __syncthreads();
    for (int64_t s = threadIdx.x; s < x.each; s += BLOCK)
        lm_walks_count(x.state, x.slots, first + s);
}

template <class MODEL>
static cudaError_t lm_exchange_by(const lm_cuda_exchange *x, int overlaps, cudaStream_t stream)
{
    lm_cuda_exchange own = *x;
    void *arguments[] = {&own};
    return lm_launch_overlapping((const void *)exchange_kernel<MODEL>,
                                 dim3((unsigned)(x->slots / x->each)), BLOCK, arguments, overlaps,
                                 stream);
}

/* Returns the sums of words, which are counts, [replica]. */
LM_INLINE const int64_t *lm_exchange_counts(const lm_cuda_exchange &x, int64_t replica)
{
    return (const int64_t *)x.sums + replica * x.sums_each;
}

/* Converts the first counts. The sums after these are 0. */
template <int MOST>
LM_INLINE void lm_exchange_convert(const int64_t *counts, int count, double (&sums)[MOST])
{
    LM_UNROLL
    for (int k = 0; k < MOST; k++)
        sums[k] = k < count ? (double)counts[k] : 0.0;
}

/* Returns a field's sums, [replica]. */
LM_INLINE const double *lm_exchange_sums(const lm_cuda_exchange &x, int64_t replica)
{
    return (const double *)x.sums + replica * x.sums_each;
}

#endif
