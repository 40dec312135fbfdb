/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums fields with momenta. Eight threads read the same bar, each for a momentum. */
#include "backends/cuda/field/momenta.h"
#include "backends/cuda/momenta.cuh"

enum { WARPS = 8, BLOCKS = 4, BAR = LM_MOMENTUM_BAR, EIGHT = BAR / 2 };

/* A table of directions has a half for each component. */
enum { HALF_TABLE = LM_MAX_TABLE / 2 };

template <class T, int KIND, bool MANY_ROWS> struct field_way {
    const lm_wave_number *near; /* shared: the factors of a bar's sites */
    lm_momentum_row in;
    const lm_field_view &v;
    const lm_field_terms &of;
    const T *plane;
    int64_t layer, row; /* row: of the layer */
    int64_t entered;    /* the row to which `in`, `first` and `parity` belong */
    uint32_t bar, term;
    uint32_t first, parity; /* the number in memory of the row's first site; x1 + x2 + x3 */

    __device__ __forceinline__ void enter(const lm_cuda_momenta &m)
    {
        in.enter<MANY_ROWS>(m, layer, row);
        first = (uint32_t)((layer + of.below) * m.layer_rows + row) * (v.last[0] + 1u);
        parity = (uint32_t)in.sum & 1u;
        entered = row;
    }

    __device__ __forceinline__ void begin(const lm_cuda_momenta &m, const lm_bar_block &b)
    {
        const uint32_t component = KIND == LM_TERMS_NUMBERS ? term : 0u;
        plane = (const T *)v.sites + (b.replica * of.components + component) * v.count;
        layer = b.layer;
        entered = -1;
        if (!MANY_ROWS)
            enter(m);
    }

    /* Returns the place of a site of the row: place.cuh. */
    __device__ __forceinline__ uint32_t place(uint32_t x) const
    {
        if (v.by_colour)
            return (first + x) / 2u + ((x ^ parity) & 1u ? v.half : 0u);
        return first + (v.by_class ? v.rank[x] : x);
    }

    /* Returns what a site adds; 0 beyond the row's end. */
    __device__ __forceinline__ double term_of(uint32_t x) const
    {
        if (x > v.last[0])
            return 0.0;
        const T value = plane[place(x)];
        if (KIND == LM_TERMS_STATES)
            return value == (T)term ? 1.0 : 0.0;
        if (KIND == LM_TERMS_ANGLES)
            return v.table[HALF_TABLE * term + (uint32_t)value];
        return (double)value;
    }

    /* Returns the sum of every second site of the bar. */
    __device__ __forceinline__ lm_wave_number half(uint32_t odd) const
    {
        double re[EIGHT], im[EIGHT];
        LM_UNROLL
        for (uint32_t i = 0; i < EIGHT; i++) {
            const lm_wave_number factor = near[(2u * i + odd) * LM_OCTET];
            const double t = term_of(BAR * bar + 2u * i + odd);
            re[i] = t * factor.re;
            im[i] = t * factor.im;
        }
        return {lm_momentum_eight(re), lm_momentum_eight(im)};
    }

    __device__ __forceinline__ lm_wave_number element(const lm_cuda_momenta &m)
    {
        if (MANY_ROWS && row != entered)
            enter(m);
        return lm_momentum_element(half(0), half(1),
                                   in.table[m.axis_at[0] + (int64_t)bar * LM_OCTET], in.outer);
    }
};

template <class T, int KIND, bool MANY_ROWS>
__global__ void __launch_bounds__(32 * WARPS)
    momenta(const __grid_constant__ lm_cuda_momenta m, const __grid_constant__ lm_field_view v,
            const __grid_constant__ lm_field_terms of)
{
    extern __shared__ lm_wave_number numbers[]; /* LM_OCTET_SITES, then the columns */
    lm_shared_columns sum = {numbers + LM_OCTET_SITES};
    field_way<T, KIND, MANY_ROWS> w = {nullptr, {}, v, of};
    w.term = blockIdx.z;
    lm_sum_momenta<MANY_ROWS>(m, w, sum, numbers, 0, LM_OCTET_SITES);
}

template <class T, int KIND> static const void *kernel_of(const lm_cuda_momenta *m)
{
    return m->dims > 2 ? (const void *)momenta<T, KIND, true>
                       : (const void *)momenta<T, KIND, false>;
}

static const void *choose(const lm_field_terms *of, const lm_cuda_momenta *m)
{
    if (of->kind == LM_TERMS_STATES)
        return kernel_of<uint8_t, LM_TERMS_STATES>(m);
    if (of->kind == LM_TERMS_ANGLES)
        return kernel_of<uint8_t, LM_TERMS_ANGLES>(m);
    return of->bytes == 1               ? kernel_of<int8_t, LM_TERMS_NUMBERS>(m)
           : of->bytes == sizeof(float) ? kernel_of<float, LM_TERMS_NUMBERS>(m)
                                        : kernel_of<double, LM_TERMS_NUMBERS>(m);
}

extern "C" cudaError_t lm_launch_field_momenta(const lm_field_view *v, const lm_field_terms *of,
                                               const lm_cuda_momenta *m, cudaStream_t stream)
{
    void *arguments[] = {(void *)m, (void *)v, (void *)of};
    const int shared = LM_OCTET_SITES + LM_OCTET_COLUMNS * 32 * WARPS;
    return lm_launch_momenta(choose(of, m), m, WARPS, BLOCKS, shared * (int)sizeof(lm_wave_number),
                             arguments, stream);
}
