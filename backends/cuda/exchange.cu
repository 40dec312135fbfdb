/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges slots for models in words, whose sums are counts. */
#include "backends/cuda/exchange.cuh"
#include "lib/physics/blume_capel_observe.h"
#include "lib/physics/ising_observe.h"
#include "lib/physics/potts_observe.h"

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

cudaError_t lm_exchange_ising_words(const lm_cuda_exchange *x, int overlaps, cudaStream_t stream)
{
    return lm_exchange_by<ising_words>(x, overlaps, stream);
}

cudaError_t lm_exchange_potts_words(const lm_cuda_exchange *x, int overlaps, cudaStream_t stream)
{
    return lm_exchange_by<potts_words>(x, overlaps, stream);
}

cudaError_t lm_exchange_blume_capel(const lm_cuda_exchange *x, int overlaps, cudaStream_t stream)
{
    return lm_exchange_by<blume_capel>(x, overlaps, stream);
}
