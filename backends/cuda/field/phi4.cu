/* SPDX-License-Identifier: BSD-3-Clause */
/* The phi^4 model's kernels, for sites of LM_REAL_BITS. */
#include "backends/cuda/field/phi4.cuh"

#include "backends/cuda/field/colours.cuh"
#include "backends/cuda/field/sums.cuh"
#include "backends/cuda/field/tiles.cuh"

LM_FIELD_KERNELS(phi4) = {LM_HOOK_BY_COLOUR, LM_HOOK_BY_CLASS, fixed_values, launch_start,
                          launch_colour,     launch_tiles,     launch_sums,  NULL};
