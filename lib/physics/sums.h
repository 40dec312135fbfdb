/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums of doubles of one shape, whatever makes them (doc/trajectory.md, "Order of sums"): elements
 * are added in blocks, of each by 32 partial sums, and the blocks' sums likewise, until one is
 * left. C and CUDA; define LM_SUMS_INLINE as the function specifiers before including it.
 */
#ifndef LM_SUMS_H
#define LM_SUMS_H

#define LM_SUMS_BLOCK  1024
#define LM_SUMS_STRIDE 32

/* Of n elements. */
#define LM_SUMS_BLOCKS(n) (((n) + (LM_SUMS_BLOCK - 1)) / LM_SUMS_BLOCK)

/* A sum that a sweep may leave behind: leaves of so many elements are added in pairs, and the
 * leaves' sums as above. */
#define LM_SUMS_LEAF      256
#define LM_SUMS_LEAVES(n) (((n) + (LM_SUMS_LEAF - 1)) / LM_SUMS_LEAF)

/* What the sums of a field take of a site besides its own field: those below and above it along
 * every axis, the waves of the smallest momenta, static values, and the corner that is above it
 * along axes 0 and 1 at once. */
enum {
    LM_READS_BELOW = 1,
    LM_READS_ABOVE = 2,
    LM_READS_WAVES = 4,
    LM_READS_FIXED = 8,
    LM_READS_CORNER = 16
};

/* A site of a field in a measurement, in doubles; what the group does not read is not there. */
typedef struct lm_around {
    const double *own;       /* [component] */
    const double *neighbour; /* [component][2 dims]: below and above along each axis, with the
                                boundary's sign; beyond an open end LM_HOOK_BEYOND (field.h) */
    const double *fixed;     /* [static value] */
    const double *wave;      /* [2 dims]: cosine and sine of the smallest momentum times x_a */
    const double *corner; /* [component], with the signs of both boundaries; beyond an open end of
                             either as neighbours are; nothing in one dimension */
    const double *table;  /* what the model makes of its options (lm_model.table) */
} lm_around;

/* The 32 partial sums of a block to one. */
LM_SUMS_INLINE double lm_sums_fold(double *p)
{
    for (int half = LM_SUMS_STRIDE / 2; half > 0; half /= 2)
        for (int j = 0; j < half; j++)
            p[j] = p[j] + p[j + half];
    return p[0];
}

/* v[0 .. n - 1] to one number, block by block, level by level; v is overwritten. */
LM_SUMS_INLINE double lm_sums_tree(double *v, long long n)
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

/* v[0 .. LM_SUMS_LEAF - 1] to one number: those beside each other, again and again; + 0: it has no
 * sign if it is 0. v is overwritten. */
LM_SUMS_INLINE double lm_sums_leaf(double *v)
{
    for (int half = LM_SUMS_LEAF / 2; half > 0; half /= 2)
        for (int i = 0; i < half; i++)
            v[i] = v[2 * i] + v[2 * i + 1];
    return v[0] + 0.0;
}

#endif
