/* SPDX-License-Identifier: BSD-3-Clause */
/* lm_phi4_rule as the kernels have it, and the kernels. */
#ifndef LM_CUDA_PHI4_RULE_H
#define LM_CUDA_PHI4_RULE_H

#include "backends/cuda/field/view.h"

/* lm_phi4_rule, rounded to the type of the sites. */
#define LM_PHI4_RULE_OF(T, name)                                                                   \
    typedef struct name {                                                                          \
        T epsilon, kappa, field, g4;                                                               \
        T a2[9], s1[9], s1_open[9], centre[9]; /* by degree */                                     \
        int hits, local_sweeps;                                                                    \
    } name
LM_PHI4_RULE_OF(float, lm_phi4_rule_32);
LM_PHI4_RULE_OF(double, lm_phi4_rule_64);

#ifdef __cplusplus
extern "C" {
#endif
extern const lm_field_kernels lm_phi4_kernels_32, lm_phi4_kernels_64;
#ifdef __cplusplus
}
#endif

#endif
