/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of fields with momenta, as their kernels see them. */
#ifndef LM_CUDA_FIELD_MOMENTA_H
#define LM_CUDA_FIELD_MOMENTA_H

#include "backends/cuda/field/view.h"
#include "backends/cuda/momenta.h"

/* What a site adds: its numbers, 1 for its state, or the cosine and the sine of its angle. */
enum { LM_TERMS_NUMBERS, LM_TERMS_STATES, LM_TERMS_ANGLES };

typedef struct lm_field_terms {
    int kind, bytes;     /* bytes of a number of a site */
    uint32_t components; /* planes of a replica */
    uint32_t below;      /* layers in memory below the plan's own */
} lm_field_terms;

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t lm_launch_field_momenta(const lm_field_view *view, const lm_field_terms *terms,
                                    const lm_cuda_momenta *momenta, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
