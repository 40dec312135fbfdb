/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares how the CPU backend fills arrays in host memory with random numbers. */
#ifndef LM_CPU_RANDOM_H
#define LM_CPU_RANDOM_H

#include "backends/backend.h"

/* Implements the operation `random` of an lm_backend, in host memory. */
latmc_status lm_cpu_random(int device, int threads, const lm_numbers *order, void *to);

#endif
