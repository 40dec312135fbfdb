/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/cuda/field/momenta.h"

#include "backends/cuda/field/plan.h"

static cudaError_t launch_field(const void *plan, const lm_cuda_momenta *m)
{
    const lm_cuda_field_plan *p = plan;
    const lm_field_terms terms = {
        .kind = p->model->terms,
        .bytes = (int)p->site_bytes,
        .components = (uint32_t)p->spec.components,
        .below = (uint32_t)(p->spec.first_layer - lm_field_first_layer(&p->spec))};
    return lm_launch_field_momenta(&p->view, &terms, m, p->head.stream);
}

latmc_status lm_cuda_field_momenta(void *plan, const lm_momentum_order *order, double *sums,
                                   int *made)
{
    const lm_cuda_field_plan *p = plan;
    return lm_cuda_sum_momenta(plan, &p->spec, order, order->within, LM_MOMENTUM_BAR, launch_field,
                               sums, made);
}
