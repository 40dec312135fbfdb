/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes the sums over a site's neighbours in the contract's order (doc/trajectory-phi4.md, "One
 * site"), for every kind of reader. Include lib/physics/phi4.h, and define the reader
 * (lib/physics/field.h), first.
 */
#ifndef LM_PHI4_STENCIL_H
#define LM_PHI4_STENCIL_H

enum { LM_PHI4_DEGREE = 0 }; /* the static value that is a site's number of bonds */

/* What the sums take from the site's line along axis 0 and from the lines beside it. A device that
 * visits the sites of a line in turn can keep most of it from one site to the next. */
typedef struct lm_phi4_line {
    lm_real near, far; /* the neighbours one and two steps away on the line */
    lm_real cross[3];  /* lm_phi4_cross() one step below, at the site and one step above */
} lm_phi4_line;

LM_ANY_READER
LM_INLINE lm_real lm_phi4_pair(const lm_reader *read, int a, int steps)
{
    return lm_real_add(lm_reader_one(read, 0, a, -steps), lm_reader_one(read, 0, a, steps));
}

/* Returns the sum of the neighbours along axes 1 .. of the place s steps along axis 0. */
LM_ANY_READER
LM_INLINE lm_real lm_phi4_cross(const lm_reader *read, int dims, int s)
{
    lm_real sum = lm_real_set(0.0);
    LM_UNROLL
    for (int a = 1; a < dims; a++) {
        const lm_real pair =
            lm_real_add(lm_reader_two(read, 0, 0, s, a, -1), lm_reader_two(read, 0, 0, s, a, 1));
        sum = a == 1 ? pair : lm_real_add(sum, pair);
    }
    return sum;
}

LM_ANY_READER
LM_INLINE lm_phi4_line lm_phi4_line_of(const lm_reader *read, int dims, int reach)
{
    lm_phi4_line line = {lm_phi4_pair(read, 0, 1),
                         lm_real_set(0.0),
                         {lm_real_set(0.0), lm_phi4_cross(read, dims, 0), lm_real_set(0.0)}};
    if (reach == 2) {
        line.far = lm_phi4_pair(read, 0, 2);
        line.cross[0] = lm_phi4_cross(read, dims, -1);
        line.cross[2] = lm_phi4_cross(read, dims, 1);
    }
    return line;
}

/* Returns the sum of the four places one step along each of two axes. */
LM_ANY_READER
LM_INLINE lm_real lm_phi4_four(const lm_reader *read, int a, int b)
{
    return lm_real_add(
        lm_real_add(lm_reader_two(read, 0, a, -1, b, -1), lm_reader_two(read, 0, a, 1, b, -1)),
        lm_real_add(lm_reader_two(read, 0, a, -1, b, 1), lm_reader_two(read, 0, a, 1, b, 1)));
}

LM_ANY_READER
LM_INLINE lm_phi4_sums lm_phi4_sums_of(const lm_reader *read, const lm_phi4_line *line, int dims,
                                       int reach)
{
    lm_phi4_sums s = {line->near, line->far, lm_real_set(0.0)};
    if (dims > 1)
        s.one = lm_real_add(s.one, line->cross[1]);
    if (reach == 1)
        return s;
    if (dims > 1)
        s.diagonal = lm_real_add(line->cross[0], line->cross[2]);
    LM_UNROLL
    for (int b = 1; b < dims; b++) {
        s.two = lm_real_add(s.two, lm_phi4_pair(read, b, 2));
        LM_UNROLL
        for (int a = 1; a < b; a++)
            s.diagonal = lm_real_add(s.diagonal, lm_phi4_four(read, a, b));
    }
    return s;
}

/* Returns the sum of degree times field over the neighbours, the lower one of an axis first. */
LM_ANY_READER
LM_INLINE lm_real lm_phi4_weighted(const lm_reader *read, int dims)
{
    lm_real w = lm_real_set(0.0);
    LM_UNROLL
    for (int a = 0; a < dims; a++) {
        w = lm_real_fma(lm_reader_fixed(read, LM_PHI4_DEGREE, a, -1), lm_reader_one(read, 0, a, -1),
                        w);
        w = lm_real_fma(lm_reader_fixed(read, LM_PHI4_DEGREE, a, 1), lm_reader_one(read, 0, a, 1),
                        w);
    }
    return w;
}

#endif
