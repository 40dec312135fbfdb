/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums of whole numbers by planes, and the waves of the smallest momenta of these: M_a(x), the sum
 * over the sites with x_a = x, and the sums over x of M_a(x) times the cosine and the sine
 * (doc/trajectory.md, "Waves of planes").
 */
#ifndef LM_PLANES_H
#define LM_PLANES_H

#include "lib/lattice/lattice.h"

typedef struct lm_planes {
    int dims;
    int64_t begin[LATMC_MAX_DIMS + 1]; /* in the arrays below, of an axis */
    double *wave;                      /* [axis][x]: cosine and sine */
    double *sums;                      /* [axis][x]: M_a(x), so far */
    double *terms;                     /* what is left of an axis's planes times a wave */
    int borrows;                       /* the waves are another's */
} lm_planes;

/* Zeros. The sites' own waves have twice the period along an antiperiodic axis; those of what pairs
 * of replicas have at a site (`of_pairs`) have not. Close it in any case. */
latmc_status lm_planes_open(lm_planes *planes, const latmc_lattice *lattice, const char *caller,
                            int of_pairs);
/* Zeros for another thread, with the waves of `other`, which stays open as long. */
latmc_status lm_planes_open_beside(lm_planes *planes, const lm_planes *other, const char *caller);
void lm_planes_close(lm_planes *planes);

/* Where cosine and sine by the coordinate along an axis begin. */
static inline const double *lm_planes_wave(const lm_planes *planes, int axis)
{
    return planes->wave + 2 * planes->begin[axis];
}

/* Adds `total`, a sum over sites of the row x[1 ..], to the planes across it; those along axis 0
 * are sums[0 ..], to which the caller adds. */
void lm_planes_add(lm_planes *planes, const int64_t *x, double total);
/* [axis]: cosine, sine; and zeros again. */
void lm_planes_end(lm_planes *planes, double *waves);

/* The waves of a lattice whose sites are spins. */
struct lm_plane_waves {
    lm_planes planes;
    double *waves; /* [replica][axis][2] */
    int64_t room;  /* of a chunk of rows: */
    int8_t *spins;
    int64_t *up, at_once; /* of so many replicas; 0: they have too many planes */
};

/* The memory for them; what they are of a replica, [axis][2]; and no more. */
latmc_status lm_plane_waves_prepare(latmc_lattice *lattice, const char *caller);
const double *lm_plane_waves_of(const latmc_lattice *lattice, int64_t replica);
void lm_plane_waves_free(latmc_lattice *lattice);

#endif
