/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes sums of words with momenta. */
#include "backends/cuda/bits/plan.h"
#include "backends/cuda/bits/site_sums.h"

static cudaError_t launch(const void *plan, const lm_cuda_momenta *m)
{
    const lm_cuda_bits_plan *p = plan;
    const lm_bits_home home = lm_cuda_bits_home(p);
    return lm_launch_words_momenta(&home, m, p->head.stream);
}

latmc_status lm_cuda_bits_momenta(void *plan, const lm_momentum_order *order, double *sums,
                                  int *made)
{
    const lm_cuda_bits_plan *p = plan;
    const int three = p->model->common->numbers == LM_THREE_SPINS;
    return lm_cuda_sum_momenta(plan, &p->spec, order, three ? order->within : order->bits,
                               three ? LM_MOMENTUM_BAR : LM_MOMENTUM_KINDS * 2 * LM_MOMENTUM_HALF,
                               launch, sums, made);
}
