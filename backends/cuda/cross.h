/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moves sites between a plan and arrays anywhere: in memory of the plan's device, of another
 * device, or of the host. A plan's kernels know memory of the plan's device alone. Other arrays go
 * through two buffers there, which are used in turn. Memory of the host that is not locked goes
 * through two locked buffers, too, and threads of the host copy it.
 */
#ifndef LM_CUDA_CROSS_H
#define LM_CUDA_CROSS_H

#include "backends/crossing.h"
#include "backends/cuda/plan.h"

/* Queues kernels that move sites between the plan and the crossing's array, which is memory of the
 * plan's device. */
typedef cudaError_t lm_cuda_cross_kernels(void *plan, const lm_crossing *crossing);

/* Makes the crossing, and waits. The plan begins with its head. */
latmc_status lm_cuda_cross(void *plan, const lm_crossing *crossing, lm_cuda_cross_kernels *kernels);

/* lm_backend.owns and .copy */
int lm_cuda_owns(int device, const void *memory);
latmc_status lm_cuda_copy_user(int device, void *to, const void *from, size_t bytes);

#endif
