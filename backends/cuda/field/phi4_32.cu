/* SPDX-License-Identifier: BSD-3-Clause */
/* The phi^4 model with sites of type float. */
#define LM_REAL_BITS 32
#include "backends/cuda/field/phi4.cuh"

#include "backends/cuda/field/colours.cuh"
#include "backends/cuda/field/sums.cuh"
#include "backends/cuda/field/tiles.cuh"

extern "C" const lm_field_kernels lm_phi4_kernels_32 = {fixed_values, launch_start, launch_colour,
                                                        launch_tiles, launch_sums};
