/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares the CUDA backend and its row for each model. */
#ifndef LM_CUDA_H
#define LM_CUDA_H

#include "backends/cuda/kernels.h"
#include "backends/rows.h"

extern const lm_backend lm_cuda_backend;

/* The rows of models, and the kernels of each row (kernels.h). */
#define LM_DECLARE_ROW(name, count)                                                                \
    extern const lm_backend_model LM_ROW_##count(lm_cuda_##name);                                  \
    extern const lm_cuda_kernels lm_cuda_##name##_kernels;
LM_EVERY_ROW(LM_DECLARE_ROW)
#undef LM_DECLARE_ROW

#endif
