/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes the sums of a measurement of the phi^4 model, in doubles for every type of sites:
 * doc/trajectory-phi4.md, "Measurements of the phi^4 model". They are for C and CUDA.
 */
#ifndef LM_PHI4_SUMS_H
#define LM_PHI4_SUMS_H

#include "lib/physics/sums.h"

/* The sums are these, then for each axis cosine and sine, then the accepted proposals. */
enum {
    LM_PHI4_SUM_GRADIENT = 0, /* 1/2 sum_mu (phi(x+mu) - phi(x))^2 over the bonds upward */
    LM_PHI4_SUM_FIELD = 1,
    LM_PHI4_SUM_SQUARE = 2,
    LM_PHI4_SUM_FOURTH = 3,
    LM_PHI4_SUM_CUTOFF = 4, /* squared Laplacian */
    LM_PHI4_SUM_WAVES = 5
};

/* Bundles of the sums. */
enum {
    LM_PHI4_GRADIENT = 0,
    LM_PHI4_POWERS = 1, /* of the field of a site */
    LM_PHI4_CUTOFF = 2,
    LM_PHI4_WAVES = 3,
    LM_PHI4_ACCEPTED = 4,
    LM_PHI4_BUNDLES = 5
};

/* Returns the first sum of a bundle. For the bundle after the last one it returns the number of
 * sums. */
LM_EVERYWHERE_INLINE int lm_phi4_bundle_begin(int bundle, int dims)
{
    return bundle == LM_PHI4_GRADIENT ? LM_PHI4_SUM_GRADIENT
           : bundle == LM_PHI4_POWERS ? LM_PHI4_SUM_FIELD
           : bundle == LM_PHI4_CUTOFF ? LM_PHI4_SUM_CUTOFF
           : bundle == LM_PHI4_WAVES  ? LM_PHI4_SUM_WAVES
                                      : LM_PHI4_SUM_WAVES + 2 * dims + bundle - LM_PHI4_ACCEPTED;
}

/* Returns what a bundle reads of a site besides its field. */
LM_EVERYWHERE_INLINE int lm_phi4_bundle_reads(int bundle)
{
    return bundle == LM_PHI4_GRADIENT ? LM_READS_ABOVE
           : bundle == LM_PHI4_CUTOFF ? LM_READS_BELOW | LM_READS_ABOVE
           : bundle == LM_PHI4_WAVES  ? LM_READS_WAVES
                                      : 0;
}

/*
 * Computes what one site adds to the sums of a bundle, except LM_PHI4_ACCEPTED. A neighbour
 * beyond an open end must be the site's own field.
 */
LM_EVERYWHERE_INLINE void lm_phi4_site_sums(int bundle, int dims, const lm_around *at, double *add)
{
    const double phi = at->own[0];
    if (bundle == LM_PHI4_GRADIENT) {
        double gradient = 0.0;
        for (int a = 0; a < dims; a++) {
            const double up = at->neighbour[2 * a + 1] - phi;
            gradient = gradient + up * up;
        }
        add[LM_PHI4_SUM_GRADIENT] = 0.5 * gradient;
    } else if (bundle == LM_PHI4_POWERS) {
        const double square = phi * phi;
        add[LM_PHI4_SUM_FIELD] = phi;
        add[LM_PHI4_SUM_SQUARE] = square;
        add[LM_PHI4_SUM_FOURTH] = square * square;
    } else if (bundle == LM_PHI4_CUTOFF) {
        double laplacian = 0.0;
        for (int a = 0; a < dims; a++) {
            const double down = at->neighbour[2 * a] - phi, up = at->neighbour[2 * a + 1] - phi;
            laplacian = laplacian + (down + up);
        }
        add[LM_PHI4_SUM_CUTOFF] = laplacian * laplacian;
    } else {
        for (int k = 0; k < 2 * dims; k++)
            add[LM_PHI4_SUM_WAVES + k] = phi * at->wave[k];
    }
}

#endif
