// SPDX-License-Identifier: BSD-3-Clause
// What the build compiles to see whether nvcc works here.
#include <cuda_runtime.h>

__global__ void probe()
{
}
