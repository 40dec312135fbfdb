/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds a site of the lattice in the device's memory, and its neighbours within two steps. */
#ifndef LM_CUDA_FIELD_NEIGHBOURS_CUH
#define LM_CUDA_FIELD_NEIGHBOURS_CUH

#include "backends/cuda/field/site.cuh"

/* Returns the index of a step along an axis, in this order: */
LM_INLINE constexpr int lm_field_step(int steps)
{
    return steps == -1 ? 0 : steps == 1 ? 1 : steps == -2 ? 2 : steps == 2 ? 3 : 4;
}

/* BY_COLOUR: the order of planes, known to the compiler. */
template <int D, bool BY_COLOUR> struct lm_field_neighbours {
    const lm_field_view *view;
    const lm_element *sites; /* sites of the replica, [component][N] */
    const lm_scalar *fixed;  /* static values of its sample, [static value][N] */
    uint32_t index;          /* number of the site in memory; its place where rows go by class */
    uint32_t in_row;         /* its place in the row */
    uint32_t x[D];
    uint32_t delta[D][5]; /* to add to the index, modulo 2^32 */
    int factor[D][5];     /* factor of the boundary: -1, 0 for no bond, 1 */

    /* Returns the place of the site that is `steps` away; `by` is added to its number. */
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

/* Returns static value k from memory. A model whose values need no memory has a function of this
 * name for both readers itself. */
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

/* Finds the neighbours along axis 0 where rows go by class. Two colours compute the neighbours,
 * more colours look them up. */
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

/* Finds the neighbours along an axis in natural order, of a site whose coordinate at->x[a] is
 * set. ENDS: some axis is open or antiperiodic. */
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

/* Finds all neighbours of a site whose coordinates at->x and number at->index in memory are set. */
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
