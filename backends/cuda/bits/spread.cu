/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes bit planes of the slots' thresholds, in the words of the replicas that have the slots.
 * On the host backends/rules.c does the same. */
#include <string.h>

#include "backends/cuda/launch.cuh"

#include "backends/cuda/bits/view.h"

enum { BLOCK = 128, PLANES = 32 };

typedef struct few_thresholds {
    uint64_t at[LM_FEW_THRESHOLDS];
} few_thresholds;

/* Makes the planes of a group. There is a warp for each threshold, and a thread for each bit of
 * its words and then for each plane. */
static __device__ void spread(const lm_bits_spread &s, const uint64_t *thresholds, uint64_t warps)
{
    const uint64_t warp = (uint64_t)blockIdx.x * (BLOCK / 32) + threadIdx.x / 32;
    for (int64_t i = blockIdx.x * BLOCK + threadIdx.x; s.clear && i < s.clears;
         i += gridDim.x * BLOCK)
        s.clear[i] = 0;
    if (warp >= warps)
        return;
    const int in_warp = threadIdx.x % 32, used = s.per_word * s.segment;
    const int64_t g = (int64_t)(warp / (uint64_t)s.each), i = (int64_t)(warp % (uint64_t)s.each);
    const int64_t r = (s.first_group + g) * s.per_word + in_warp / s.segment - s.first_replica;
    uint64_t t = 0;
    if (in_warp < used && r >= 0 && r < s.replicas)
        t = thresholds[((s.loose && s.loose[r]) * s.replicas + s.slots[r]) * s.each + i];
    uint32_t own = 0;
    for (int k = 0; k < PLANES; k++) {
        const uint32_t plane = __ballot_sync(~0u, (uint32_t)t >> (PLANES - 1 - k) & 1u);
        own = in_warp == k ? plane : own;
    }
    const uint32_t certain = __ballot_sync(~0u, t >> 32 != 0);
    if (s.flips && i == s.each - 1) { /* the last plane is 1 or 0 */
        if (in_warp == PLANES - 1)
            s.flips[g] = own;
        return;
    }
    uint32_t *const to = s.planes + g * s.group_words + i * s.step;
    to[in_warp * s.stride] = own;
    if (s.certain && in_warp == 0)
        to[PLANES * s.stride] = certain;
}

static __global__ void __launch_bounds__(BLOCK)
    spread_kernel(const __grid_constant__ lm_bits_spread s, uint64_t warps)
{
    lm_await_previous();
    spread(s, s.thresholds, warps);
}

static __global__ void __launch_bounds__(BLOCK)
    spread_few(const __grid_constant__ lm_bits_spread s, uint64_t warps,
               const __grid_constant__ few_thresholds few)
{
    lm_await_previous();
    spread(s, few.at, warps);
}

extern "C" cudaError_t lm_launch_spread(const lm_bits_spread *s, int overlaps, cudaStream_t stream)
{
    const uint64_t each = BLOCK / 32;
    uint64_t warps = (uint64_t)(s->groups * s->each);
    const unsigned blocks = (unsigned)((warps + each - 1) / each);
    lm_bits_spread own = *s;
    few_thresholds few;
    void *arguments[] = {&own, &warps, &few};
    if (s->few)
        memcpy(few.at, s->few, (size_t)(s->replicas * s->each) * sizeof *few.at);
    return lm_launch_overlapping(s->few ? (const void *)spread_few : (const void *)spread_kernel,
                                 dim3(blocks), BLOCK, arguments, overlaps, stream);
}
