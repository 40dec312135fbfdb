/* SPDX-License-Identifier: BSD-3-Clause */
/* A site of the lattice in the device's memory, and its neighbours within two steps. */
#ifndef LM_CUDA_FIELD_NEIGHBOURS_CUH
#define LM_CUDA_FIELD_NEIGHBOURS_CUH

#include "backends/cuda/field/site.cuh"

/* Steps along an axis in this order: */
LM_INLINE constexpr int lm_field_step(int steps)
{
    return steps == -1 ? 0 : steps == 1 ? 1 : steps == -2 ? 2 : steps == 2 ? 3 : 4;
}

/* BY_COLOUR: the order of planes is known when this is compiled. */
template <int D, bool BY_COLOUR> struct lm_field_neighbours {
    const lm_field_view *view;
    const lm_element *sites; /* of the replica: [component][N] */
    const lm_scalar *fixed;  /* of its sample: [static value][N] */
    uint32_t index;          /* its number in memory; where rows go by class its place, */
    uint32_t in_row;         /* and that in the row */
    uint32_t x[D];
    uint32_t delta[D][5]; /* to add to the index, modulo 2^32 */
    int factor[D][5];     /* the boundary's: -1, 0 for no bond, 1 */

    /* The place of the site that is so many steps away; `by` more is its number. */
    __device__ __forceinline__ size_t place(uint32_t by = 0, int steps = 0) const
    {
        if constexpr (BY_COLOUR) {
            uint32_t colour = (uint32_t)steps;
            LM_UNROLL
            for (int a = 0; a < D; a++)
                colour += x[a];
            return lm_place_in_half(*view, index + by, colour & 1u);
        } else {
            return index + by;
        }
    }
    __device__ __forceinline__ lm_real at(int c, uint32_t by, int steps, int f) const
    {
        if (f == 0)
            return 0;
        const lm_real phi =
            lm_element_load(&sites[(size_t)c * (size_t)view->count + place(by, steps)]);
        return f < 0 ? -phi : phi;
    }
    __device__ __forceinline__ int bonds(int a, int s = 0) const
    {
        const uint32_t last = view->last[a];
        const uint32_t below = x[a] == 0 ? last : x[a] - 1, above = x[a] == last ? 0 : x[a] + 1;
        return lm_field_bonds(*view, a, s == 0 ? x[a] : s < 0 ? below : above);
    }
};

template <int D, bool BY_COLOUR>
LM_INLINE lm_real lm_reader_one(const lm_field_neighbours<D, BY_COLOUR> *read, int c, int a, int s)
{
    const int i = lm_field_step(s);
    return read->at(c, read->delta[a][i], s, read->factor[a][i]);
}

template <int D, bool BY_COLOUR>
LM_INLINE lm_real lm_reader_two(const lm_field_neighbours<D, BY_COLOUR> *read, int c, int a, int s,
                                int b, int t)
{
    const int i = lm_field_step(s), j = lm_field_step(t);
    return read->at(c, read->delta[a][i] + read->delta[b][j], s + t,
                    read->factor[a][i] * read->factor[b][j]);
}

template <int D, bool BY_COLOUR>
LM_INLINE lm_real lm_reader_degree(const lm_field_neighbours<D, BY_COLOUR> *read, int a, int s)
{
    int degree = read->bonds(a, s);
    LM_UNROLL
    for (int b = 0; b < D; b++)
        degree += b == a ? 0 : read->bonds(b);
    return (lm_real)degree;
}

/* Static value k in memory; a model whose values need none has a function of this name for both
 * readers itself. */
#if LM_HOOK_FIXED(1, 1)
template <int D, bool BY_COLOUR>
LM_INLINE lm_real lm_reader_fixed(const lm_field_neighbours<D, BY_COLOUR> *read, int k, int a,
                                  int s)
{
    const int i = lm_field_step(s);
    if (read->factor[a][i] == 0)
        return 0;
    return read->fixed[(size_t)k * (size_t)read->view->count + read->place(read->delta[a][i], s)];
}
#endif

/* Along axis 0 where rows go by class: of two colours the neighbours are reckoned, of more they are
 * looked up. */
template <int D, int REACH, bool BY_COLOUR>
LM_INLINE void lm_field_find_in_row(const lm_field_view &v, lm_field_neighbours<D, BY_COLOUR> *at)
{
    if (REACH == 1 && v.colours.parity) {
        const uint32_t x = at->x[0], last = v.last[0];
        const uint32_t below = x == 0 ? last : x - 1u, above = x == last ? 0u : x + 1u;
        at->delta[0][lm_field_step(-1)] = lm_place_by_parity(v, below) - at->in_row;
        at->delta[0][lm_field_step(1)] = lm_place_by_parity(v, above) - at->in_row;
        return;
    }
    const uint4 steps = ((const uint4 *)v.steps)[at->in_row];
    at->delta[0][lm_field_step(-2)] = steps.x - at->in_row;
    at->delta[0][lm_field_step(-1)] = steps.y - at->in_row;
    at->delta[0][lm_field_step(1)] = steps.z - at->in_row;
    at->delta[0][lm_field_step(2)] = steps.w - at->in_row;
}

/* Those along an axis in natural order, of a site with coordinate at->x[a], which is set. ENDS:
 * some axis is open or antiperiodic. */
template <bool ENDS, int D, bool BY_COLOUR>
LM_INLINE void lm_field_find_along(const lm_field_view &v, lm_field_neighbours<D, BY_COLOUR> *at,
                                   int a)
{
    const int outside = !ENDS ? 1 : v.open[a] ? 0 : v.negative[a] ? -1 : 1;
    at->delta[a][lm_field_step(0)] = 0;
    at->factor[a][lm_field_step(0)] = 1;
    const uint32_t x = at->x[a], last = v.last[a], turn = v.around[a] * v.stride[a];
    LM_UNROLL
    for (int s = 1; s <= 2; s++) {
        const uint32_t by = (uint32_t)s * v.stride[a];
        const bool below = x < (uint32_t)s, above = last - x < (uint32_t)s;
        at->factor[a][lm_field_step(-s)] = below ? outside : 1;
        at->delta[a][lm_field_step(-s)] = (below ? turn : 0u) - by;
        at->factor[a][lm_field_step(s)] = above ? outside : 1;
        at->delta[a][lm_field_step(s)] = by - (above ? turn : 0u);
    }
}

/* Everything of a site with coordinates at->x and number at->index in memory, which are set. */
template <int D, bool BY_COLOUR>
LM_INLINE void lm_field_find_neighbours(const lm_field_view &v,
                                        lm_field_neighbours<D, BY_COLOUR> *at)
{
    at->view = &v;
    LM_UNROLL
    for (int a = 0; a < D; a++)
        lm_field_find_along<true>(v, at, a);
}

#endif
