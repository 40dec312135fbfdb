/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Says where a site lies in a plane. A plane has natural order, or one of two other orders.
 *
 * With view.by_colour the sites of colour 0 come first, then those of colour 1. This order is for
 * lattices of two or more dimensions with two colours whose rows have an even number of sites.
 * There sites 2 k and 2 k + 1 have different colours, and a site's number in its half is number /
 * 2.
 *
 * With view.by_class the order is natural except within rows (lines along axis 0). There sites lie
 * class by class (lib/geometry/colouring.h), and sites of a colour lie side by side. So do their
 * neighbours, for each step that a stencil takes, since these are of one class, too.
 */
#ifndef LM_CUDA_FIELD_PLACE_CUH
#define LM_CUDA_FIELD_PLACE_CUH

#include "backends/cuda/field/view.h"
#include "lib/physics/lane_one.h"

/* Returns the place of coordinate x in its row. The first function is for two colours with
 * view.by_class, the second for any number of colours and either order. */
LM_INLINE uint32_t lm_place_by_parity(const lm_field_view &v, uint32_t x)
{
    return x / 2u + (x & 1u ? v.last[0] / 2u + 1u : 0u);
}
LM_INLINE uint32_t lm_place_in_row(const lm_field_view &v, uint32_t x)
{
    return v.by_class ? v.rank[x] : x;
}

/* Returns the place of a site of a colour, with view.by_colour. */
LM_INLINE uint32_t lm_place_in_half(const lm_field_view &v, uint32_t number, uint32_t colour)
{
    return colour * v.half + number / 2u;
}

/* Returns x1 + x2 + x3 of a row of the memory, modulo 2. */
LM_INLINE uint32_t lm_row_parity(const lm_field_view &v, uint32_t row)
{
    uint32_t sum = 0;
    for (int a = 1; a < v.dims; a++) {
        const uint32_t extent = v.last[a] + 1u, above = a < v.dims - 1 ? row / extent : 0u;
        sum += row - above * extent + v.origin[a];
        row = above;
    }
    return sum & 1u;
}

/* Returns the place of a site by its number in memory; the next function inverts it. */
LM_INLINE uint32_t lm_place_of(const lm_field_view &v, uint32_t number)
{
    if (!v.by_colour)
        return number;
    return lm_place_in_half(v, number, (number + lm_row_parity(v, number / (v.last[0] + 1u))) & 1u);
}

LM_INLINE uint32_t lm_number_at(const lm_field_view &v, uint32_t place)
{
    if (!v.by_colour)
        return place;
    const uint32_t colour = place >= v.half ? 1u : 0u, number = 2u * (place - colour * v.half);
    return number + ((lm_row_parity(v, number / (v.last[0] + 1u)) + colour) & 1u);
}

#endif
