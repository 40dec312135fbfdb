/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a measurement of the phi^4 model adds up, in doubles whatever the sites' type, and in
 * which order: doc/trajectory.md, "Measurements of the phi^4 model". C and CUDA; define
 * LM_SUMS_INLINE as the function specifiers before including it.
 */
#ifndef LM_PHI4_SUMS_H
#define LM_PHI4_SUMS_H

/* The sums: these, then for each axis cosine and sine, then the accepted proposals. */
enum {
    LM_PHI4_SUM_GRADIENT = 0, /* 1/2 sum_mu (phi(x+mu) - phi(x))^2 over the bonds upward */
    LM_PHI4_SUM_SQUARE = 1,
    LM_PHI4_SUM_FOURTH = 2,
    LM_PHI4_SUM_CUTOFF = 3, /* squared Laplacian */
    LM_PHI4_SUM_FIELD = 4,
    LM_PHI4_SUM_WAVES = 5,
    LM_PHI4_MAX_SUMS = LM_PHI4_SUM_WAVES + 2 * 4
};

/* Sites are added in blocks of so many, each by LM_SUMS_STRIDE partial sums. */
#define LM_SUMS_BLOCK  1024
#define LM_SUMS_STRIDE 32

/*
 * What one site adds. neighbour[2 a], [2 a + 1]: the fields below and above along axis a, with the
 * boundary's sign; where an open axis ends the site's own. wave[2 a], [2 a + 1]: cosine and
 * sine of the smallest momentum times x_a.
 */
LM_SUMS_INLINE void lm_phi4_site_sums(int dims, double phi, const double *neighbour,
                                      const double *wave, double *add)
{
    double gradient = 0.0, laplacian = 0.0;
    for (int a = 0; a < dims; a++) {
        const double down = neighbour[2 * a] - phi, up = neighbour[2 * a + 1] - phi;
        gradient = gradient + up * up;
        laplacian = laplacian + (down + up);
    }
    const double square = phi * phi;
    add[LM_PHI4_SUM_GRADIENT] = 0.5 * gradient;
    add[LM_PHI4_SUM_SQUARE] = square;
    add[LM_PHI4_SUM_FOURTH] = square * square;
    add[LM_PHI4_SUM_CUTOFF] = laplacian * laplacian;
    add[LM_PHI4_SUM_FIELD] = phi;
    for (int k = 0; k < 2 * dims; k++)
        add[LM_PHI4_SUM_WAVES + k] = phi * wave[k];
}

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

#endif
