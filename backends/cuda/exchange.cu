/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges of slots, a block for each ladder: doc/trajectory.md, "Slots and exchanges". What is
 * decided, by which numbers, is in lib/physics/. */
#include "backends/cuda/launch.cuh"

#define LM_SUMS_INLINE static __host__ __device__ __forceinline__
#include "backends/cuda/exchange.h"
#include "lib/physics/blume_capel_observe.h"
#include "lib/physics/exchange.h"
#include "lib/physics/ising_observe.h"
#include "lib/physics/onvector_observe.h"
#include "lib/physics/philox.h"
#include "lib/physics/phi4_observe.h"
#include "lib/physics/potts_observe.h"

enum { BLOCK = 256, MOST_PARAMS = 8 };

/* The action of a replica's sites with these parameters. */
struct ising_words {
    enum { PARAMS = LM_ISING_FIELD + 1 };
    LM_INLINE double action(const lm_cuda_exchange &x, const double *params, int64_t replica)
    {
        const int64_t *counts = (const int64_t *)x.sums + replica * x.sums_each;
        double bonds[4];
        LM_UNROLL
        for (int a = 0; a < 4; a++)
            bonds[a] = a < x.dims ? (double)counts[a] : 0.0;
        return lm_ising_action(x.dims, x.coupling, params, bonds,
                               (double)(2 * counts[x.dims] - x.sites), NULL);
    }
};

struct ising_bytes {
    enum { PARAMS = LM_ISING_FIELD + 1 };
    LM_INLINE double action(const lm_cuda_exchange &x, const double *params, int64_t replica)
    {
        const double *sums = (const double *)x.sums + replica * x.sums_each;
        return lm_ising_action(x.dims, x.coupling, params, sums, sums[x.dims + 1], sums + x.dims);
    }
};

struct phi4 {
    enum { PARAMS = LM_PHI4_FIELD + 1 };
    LM_INLINE double action(const lm_cuda_exchange &x, const double *params, int64_t replica)
    {
        return lm_phi4_action(params, (const double *)x.sums + replica * x.sums_each);
    }
};

struct onvector {
    enum { PARAMS = LM_ONVECTOR_FIELD + 1 };
    LM_INLINE double action(const lm_cuda_exchange &x, const double *params, int64_t replica)
    {
        const double *sums = (const double *)x.sums + replica * x.sums_each;
        return lm_onvector_action(params, sums[0], x.sums_each > 1 ? sums + 1 : NULL);
    }
};

struct potts_bytes {
    enum { PARAMS = LM_POTTS_FIELD + 1 };
    LM_INLINE double action(const lm_cuda_exchange &x, const double *params, int64_t replica)
    {
        return lm_potts_action(x.dims, x.coupling, params,
                               (const double *)x.sums + replica * x.sums_each);
    }
};

struct potts_words {
    enum { PARAMS = LM_POTTS_FIELD + 1 };
    LM_INLINE double action(const lm_cuda_exchange &x, const double *params, int64_t replica)
    {
        const int64_t *counts = (const int64_t *)x.sums + replica * x.sums_each;
        double sums[6];
        LM_UNROLL
        for (int k = 0; k < 6; k++)
            sums[k] = k < x.dims + 2 ? (double)counts[k] : 0.0;
        return lm_potts_action(x.dims, x.coupling, params, sums);
    }
};

struct blume_capel {
    enum { PARAMS = LM_CAPEL_PARAMS };
    LM_INLINE double action(const lm_cuda_exchange &x, const double *params, int64_t replica)
    {
        const int64_t *counts = (const int64_t *)x.sums + replica * x.sums_each;
        double sums[6];
        LM_UNROLL
        for (int k = 0; k < 6; k++)
            sums[k] = k < x.dims + 2 ? (double)counts[k] : 0.0;
        return lm_capel_action(x.dims, x.coupling, params, sums);
    }
};

/* What is gained or lost if a slot and the next one change replicas. */
template <class MODEL> LM_INLINE double cost_of(const lm_cuda_exchange &x, int64_t slot)
{
    const int64_t *holders = x.state + LM_STATE_HOLDERS * x.slots;
    double actions[2][2]; /* with the parameters of the slot, of the next one; of their replicas */
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

/* A warp a slot: its rule goes to the replica that has it now. */
LM_INLINE void hand_out(const lm_cuda_exchange &x, int64_t first)
{
    const int64_t *holders = x.state + LM_STATE_HOLDERS * x.slots;
    for (int64_t s = first + threadIdx.x / 32; x.words && s < first + x.each; s += BLOCK / 32)
        for (int64_t w = threadIdx.x % 32; w < x.words; w += 32)
            x.to[holders[s] * x.words + w] = x.rules[s * x.words + w];
}

/* Pairs have no slot in common, and ladders none; so only what counts, and what is handed out,
 * waits for what moves. */
template <class MODEL>
static __global__ void __launch_bounds__(BLOCK)
    exchange_kernel(const __grid_constant__ lm_cuda_exchange x)
{
    lm_await_previous();
    for (int64_t i = (int64_t)blockIdx.x * BLOCK + threadIdx.x; i < x.clears;
         i += (int64_t)gridDim.x * BLOCK)
        x.clear[i] = 0;
    const int64_t first = blockIdx.x * x.each;
    const uint32_t sample = x.sample + blockIdx.x / (uint32_t)x.ladders;
    const lm_stream stream = lm_stream_of(&x.keys, LM_DOMAIN_EXCHANGE, x.number, sample, 0);
    for (int64_t i = threadIdx.x; i < (x.each - x.odd) / 2; i += BLOCK) {
        const int64_t slot = first + x.odd + 2 * i;
        lm_word words[4];
        lm_random_words(&stream, (uint64_t)(x.replica + slot), 0, words);
        lm_exchange_pair(x.state, x.slots, slot,
                         lm_exchange_accepts(cost_of<MODEL>(x, slot), words));
    }
    __syncthreads();
    hand_out(x, first);
    if (x.each == 1)
        return;
    if (threadIdx.x == 0)
        lm_walks_turn(x.state, x.slots, first, x.each);
    __syncthreads();
    for (int64_t s = threadIdx.x; s < x.each; s += BLOCK)
        lm_walks_count(x.state, x.slots, first + s);
}

extern "C" cudaError_t lm_launch_exchange(const lm_cuda_exchange *x, lm_cuda_action action,
                                          int overlaps, cudaStream_t stream)
{
    static void (*const kernels[LM_ACTIONS])(lm_cuda_exchange) = {
        exchange_kernel<ising_words>, exchange_kernel<ising_bytes>, exchange_kernel<phi4>,
        exchange_kernel<onvector>,    exchange_kernel<potts_bytes>, exchange_kernel<potts_words>,
        exchange_kernel<blume_capel>};
    lm_cuda_exchange own = *x;
    void *arguments[] = {&own};
    return lm_launch_overlapping((const void *)kernels[action],
                                 dim3((unsigned)(x->slots / x->each)), BLOCK, arguments, overlaps,
                                 stream);
}
