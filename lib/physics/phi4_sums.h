/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sums of a measurement of the phi^4 model, in doubles for every type of sites:
 * doc/trajectory-phi4.md, "Measurements of the phi^4 model". They are for C and CUDA. Define
 * LM_SUMS_INLINE as for lib/physics/sums.h.
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

/* Groups of the sums. */
enum {
    LM_PHI4_GRADIENT = 0,
    LM_PHI4_POWERS = 1, /* of the field of a site */
    LM_PHI4_CUTOFF = 2,
    LM_PHI4_WAVES = 3,
    LM_PHI4_ACCEPTED = 4,
    LM_PHI4_GROUPS = 5
};

/* Returns the first sum of a group. For the group after the last one it returns the number of
 * sums. */
LM_SUMS_INLINE int lm_phi4_group_begin(int group, int dims)
{
    return group == LM_PHI4_GRADIENT ? LM_PHI4_SUM_GRADIENT
           : group == LM_PHI4_POWERS ? LM_PHI4_SUM_FIELD
           : group == LM_PHI4_CUTOFF ? LM_PHI4_SUM_CUTOFF
           : group == LM_PHI4_WAVES  ? LM_PHI4_SUM_WAVES
                                     : LM_PHI4_SUM_WAVES + 2 * dims + group - LM_PHI4_ACCEPTED;
}

/* Returns what a group reads of a site besides its field. */
LM_SUMS_INLINE int lm_phi4_group_reads(int group)
{
    return group == LM_PHI4_GRADIENT ? LM_READS_ABOVE
           : group == LM_PHI4_CUTOFF ? LM_READS_BELOW | LM_READS_ABOVE
           : group == LM_PHI4_WAVES  ? LM_READS_WAVES
                                     : 0;
}

/*
 * Computes what one site adds to the sums of a group, except LM_PHI4_ACCEPTED. A neighbour beyond
 * an open end must be the site's own field.
 */
LM_SUMS_INLINE void lm_phi4_site_sums(int group, int dims, const lm_around *at, double *add)
{
    const double phi = at->own[0];
    if (group == LM_PHI4_GRADIENT) {
        double gradient = 0.0;
        for (int a = 0; a < dims; a++) {
            const double up = at->neighbour[2 * a + 1] - phi;
            gradient = gradient + up * up;
        }
        add[LM_PHI4_SUM_GRADIENT] = 0.5 * gradient;
    } else if (group == LM_PHI4_POWERS) {
        const double square = phi * phi;
        add[LM_PHI4_SUM_FIELD] = phi;
        add[LM_PHI4_SUM_SQUARE] = square;
        add[LM_PHI4_SUM_FOURTH] = square * square;
    } else if (group == LM_PHI4_CUTOFF) {
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
