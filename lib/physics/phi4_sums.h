/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a measurement of the phi^4 model adds up, in doubles whatever the sites' type:
 * doc/trajectory-phi4.md, "Measurements of the phi^4 model". C and CUDA; define LM_SUMS_INLINE as for
 * lib/physics/sums.h.
 */
#ifndef LM_PHI4_SUMS_H
#define LM_PHI4_SUMS_H

#include "lib/physics/sums.h"

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

#endif
