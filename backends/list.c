/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the backends that are compiled in. */
#include "backends/cpu/cpu.h"
#ifdef LM_HAVE_CUDA
#include "backends/cuda/cuda.h"
#endif

#include <stddef.h>

const lm_backend *const lm_backends[] = {
#ifdef LM_HAVE_CUDA
    &lm_cuda_backend,
#endif
    &lm_cpu_backend,
    NULL,
};
