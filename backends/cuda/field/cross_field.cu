/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves sites between planes and arrays. A thread moves one number, or eight sites that are saved
 * as digits. */
#include "backends/cuda/field/cross.h"
#include "backends/cuda/field/place.cuh"
#include "backends/cuda/launch.cuh"

enum { BLOCK = 256, EIGHT = 8 };

/* Returns the place in a plane of site number `site` of the crossing. */
LM_INLINE uint32_t place_at(const lm_field_view &v, const lm_field_array &a, uint64_t site)
{
    const uint32_t number = (uint32_t)((uint64_t)a.first + site), width = v.last[0] + 1u;
    if (!v.by_class)
        return lm_place_of(v, number);
    const uint32_t x = number % width;
    return number - x + lm_place_in_row(v, x);
}

/* Returns a component's plane of a replica of the crossing. */
template <class Own>
LM_INLINE Own *plane_of(const lm_field_view &v, const lm_field_array &a, int64_t replica, int c)
{
    return (Own *)v.sites + ((a.replica + replica) * a.components + c) * v.count;
}

template <class Own, class There>
static __global__ void __launch_bounds__(BLOCK)
    cross_numbers(const __grid_constant__ lm_field_view v, const __grid_constant__ lm_field_array a)
{
    const uint64_t i = (uint64_t)blockIdx.x * BLOCK + threadIdx.x;
    const uint64_t site = lm_quotient<uint64_t>(i, (uint64_t)a.components);
    const int c = (int)(i - site * (uint64_t)a.components);
    if (site >= (uint64_t)a.sites)
        return;
    const uint32_t place = place_at(v, a, site);
    for (int64_t r = blockIdx.y; r < a.replicas; r += gridDim.y) {
        Own *const own = plane_of<Own>(v, a, r, c) + place;
        There *const there = (There *)(a.bytes + r * a.pitch) + i;
        if (a.in)
            *own = (Own)*there;
        else
            *there = (There)*own;
    }
}

/* Moves eight sites of a span, or those that it has left. */
static __global__ void __launch_bounds__(BLOCK)
    cross_digits(const __grid_constant__ lm_field_view v, const __grid_constant__ lm_field_array a,
                 uint64_t eights, uint64_t spans)
{
    const uint64_t i = (uint64_t)blockIdx.x * BLOCK + threadIdx.x;
    const uint64_t span = lm_quotient<uint64_t>(i, eights), e = i - span * eights;
    if (span >= spans)
        return;
    const uint64_t left = (uint64_t)a.span_sites - EIGHT * e;
    const uint32_t count = left < EIGHT ? (uint32_t)left : EIGHT;
    const uint64_t first = span * (uint64_t)a.span_sites + EIGHT * e;
    for (int64_t r = blockIdx.y; r < a.replicas; r += gridDim.y) {
        int8_t *const plane = plane_of<int8_t>(v, a, r, 0);
        uint8_t *const there =
            (uint8_t *)a.bytes + r * a.pitch + (int64_t)span * a.span_bytes + (int64_t)e * a.digits;
        for (int k = 0; !a.in && k < a.digits; k++)
            there[k] = 0;
        for (uint32_t j = 0; j < count; j++) {
            int8_t *const own = plane + place_at(v, a, first + j);
            uint32_t state = a.in ? 0u : a.spins ? *own > 0 : (uint32_t)(uint8_t)*own;
            for (int k = 0; k < a.digits; k++)
                if (a.in)
                    state |= (there[k] >> j & 1u) << k;
                else
                    there[k] |= (uint8_t)((state >> k & 1u) << j);
            if (a.in)
                *own = (int8_t)(a.spins ? 2 * (int)state - 1 : (int)state);
        }
    }
}

typedef void numbers_kernel(lm_field_view, lm_field_array);

/* Bytes are states or spins, which cross as they are. */
static numbers_kernel *kernel_of(const lm_field_array *a)
{
    if (a->own == 1)
        return cross_numbers<int8_t, int8_t>;
    if (a->own == sizeof(float))
        return a->there == sizeof(float) ? cross_numbers<float, float>
                                         : cross_numbers<float, double>;
    return a->there == sizeof(float) ? cross_numbers<double, float> : cross_numbers<double, double>;
}

static dim3 grid_of(uint64_t threads, int64_t replicas)
{
    const int64_t most = LM_FIELD_REPLICAS;
    return dim3((unsigned)((threads + BLOCK - 1) / BLOCK),
                (unsigned)(replicas < most ? replicas : most));
}

extern "C" cudaError_t lm_launch_field_cross(const lm_field_view *v, const lm_field_array *a,
                                             cudaStream_t stream)
{
    if (a->digits) {
        const uint64_t eights = (uint64_t)(a->span_sites + EIGHT - 1) / EIGHT;
        const uint64_t spans = (uint64_t)(a->sites / a->span_sites);
        cross_digits<<<grid_of(eights * spans, a->replicas), BLOCK, 0, stream>>>(*v, *a, eights,
                                                                                 spans);
    } else {
        const uint64_t numbers = (uint64_t)(a->sites * a->components);
        kernel_of(a)<<<grid_of(numbers, a->replicas), BLOCK, 0, stream>>>(*v, *a);
    }
    return cudaGetLastError();
}
