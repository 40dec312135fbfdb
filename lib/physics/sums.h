/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums of doubles in one fixed order, on every device (doc/trajectory.md, "Order of sums").
 * Elements are added in blocks, each block by 32 partial sums. The blocks' sums are added in the
 * same way, until one sum is left. It serves C and CUDA.
 */
#ifndef LM_SUMS_H
#define LM_SUMS_H

#include "lib/physics/specifiers.h"

#define LM_SUMS_BLOCK  1024
#define LM_SUMS_STRIDE 32

/* The number of blocks of n elements. */
#define LM_SUMS_BLOCKS(n) (((n) + (LM_SUMS_BLOCK - 1)) / LM_SUMS_BLOCK)

/* A sum that a sweep may leave behind. Leaves of LM_SUMS_LEAF elements are added in pairs, and the
 * leaves' sums as above. */
#define LM_SUMS_LEAF      256
#define LM_SUMS_LEAVES(n) (((n) + (LM_SUMS_LEAF - 1)) / LM_SUMS_LEAF)

/* What the sums of a field read of a site besides its own field. They are the neighbours below and
 * above along every axis, the waves of the smallest momenta, and static values. They also include
 * the corner above the site along axes 0 and 1 at once. */
enum {
    LM_READS_BELOW = 1,
    LM_READS_ABOVE = 2,
    LM_READS_WAVES = 4,
    LM_READS_FIXED = 8,
    LM_READS_CORNER = 16
};

/* A site of a field in a measurement, in doubles. Members that the bundle does not read are not
 * set. */
typedef struct lm_around {
    const double *own;       /* [component] */
    const double *neighbour; /* [component][2 dims]: below and above along each axis, with the
                                boundary's sign; beyond an open end it is LM_HOOK_BEYOND (field.h)
                                */
    const double *fixed;     /* [static value] */
    const double *wave;      /* [2 dims]: cosine and sine of the smallest momentum times x_a */
    const double *corner; /* [component], with the signs of both boundaries; beyond an open end of
                             either axis as for neighbours; not set in one dimension */
    const double *table;  /* lm_model.table of the options */
} lm_around;

/* Adds the 32 partial sums of a block to one. */
LM_EVERYWHERE_INLINE double lm_sums_fold(double *p)
{
    for (int half = LM_SUMS_STRIDE / 2; half > 0; half /= 2)
        for (int j = 0; j < half; j++)
            p[j] = p[j] + p[j + half];
    return p[0];
}

/* Adds v[0 .. n - 1] to one number, block by block, level by level. It overwrites v. */
LM_EVERYWHERE_INLINE double lm_sums_tree(double *v, long long n)
{
    while (n > 1) {
        long long blocks = 0;
        for (long long first = 0; first < n; first += LM_SUMS_BLOCK) {
            double partial[LM_SUMS_STRIDE] = {0.0};
            for (long long i = first; i < n && i < first + LM_SUMS_BLOCK; i++)
                partial[i % LM_SUMS_STRIDE] = partial[i % LM_SUMS_STRIDE] + v[i];
            v[blocks++] = lm_sums_fold(partial);
        }
        n = blocks;
    }
    return v[0];
}

/* Adds v[0 .. LM_SUMS_LEAF - 1] to one number, neighbours in pairs, again and again. + 0 gives a
 * sum of 0 no sign. It overwrites v. */
LM_EVERYWHERE_INLINE double lm_sums_leaf(double *v)
{
    for (int half = LM_SUMS_LEAF / 2; half > 0; half /= 2)
        for (int i = 0; i < half; i++)
            v[i] = v[2 * i] + v[2 * i + 1];
    return v[0] + 0.0;
}

#endif
