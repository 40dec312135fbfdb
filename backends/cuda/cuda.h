/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares the CUDA backend and its row for each model. */
#ifndef LM_CUDA_H
#define LM_CUDA_H

#include "backends/backend.h"
#include "backends/cuda/kernels.h"

extern const lm_backend lm_cuda_backend;

extern const lm_backend_model lm_cuda_automaton, lm_cuda_blume_capel;
extern const lm_backend_model lm_cuda_ising, lm_cuda_ising_field, lm_cuda_onvector[2],
    lm_cuda_phi4[2], lm_cuda_potts_field, lm_cuda_potts_words;

/* Kernels of each (kernels.h). */
extern const lm_cuda_kernels lm_cuda_automaton_kernels;
extern const lm_cuda_kernels lm_cuda_ising_kernels, lm_cuda_ising_field_kernels,
    lm_cuda_onvector_kernels, lm_cuda_phi4_kernels, lm_cuda_potts_field_kernels,
    lm_cuda_potts_words_kernels, lm_cuda_blume_capel_kernels;

#endif
