/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums of whole numbers by planes, and their waves with the smallest momenta. M_a(x) is the sum
 * over the sites with x_a = x. Its waves are the sums over x of M_a(x) times the cosine, and times
 * the sine (doc/trajectory.md, "Waves of planes").
 */
#ifndef LM_PLANES_H
#define LM_PLANES_H

#include "lib/lattice/lattice.h"

typedef struct lm_planes {
    int dims;
    int64_t begin[LATMC_MAX_DIMS + 1]; /* where an axis begins in the arrays below */
    double *wave;                      /* [axis][x]: cosine and sine */
    double *sums;                      /* [axis][x]: M_a(x), so far */
    double *terms;                     /* buffer: one axis's planes times a wave */
    int borrows;                       /* `wave` belongs to other planes */
} lm_planes;

/* Opens planes with zero sums. The sites' own waves have twice the period along an antiperiodic
 * axis. The waves of pairs of replicas (`of_pairs`) do not. The caller closes the planes even after
 * a failure. */
latmc_status lm_planes_open(lm_planes *planes, const latmc_lattice *lattice, const char *caller,
                            int of_pairs);
/* Opens planes with zero sums for another thread. It uses the waves of `other`, which must stay
 * open longer. */
latmc_status lm_planes_open_beside(lm_planes *planes, const lm_planes *other, const char *caller);
void lm_planes_close(lm_planes *planes);

/* Returns the cosines and sines of an axis, by coordinate. */
static inline const double *lm_planes_wave(const lm_planes *planes, int axis)
{
    return planes->wave + 2 * planes->begin[axis];
}

/* Adds `total`, a sum over the sites of row x[1 ..], to the planes across the row. The caller
 * itself adds to the planes along axis 0, which are sums[0 ..]. */
void lm_planes_add(lm_planes *planes, const int64_t *x, double total);
/* Writes waves[axis], cosine and sine, and resets the sums to 0. */
void lm_planes_end(lm_planes *planes, double *waves);

/* The waves of a lattice of spins. */
struct lm_plane_waves {
    lm_planes planes;
    double *waves;    /* [replica][axis][2] */
    int64_t capacity; /* buffers for a chunk of rows */
    int8_t *spins;
    int64_t *up, at_once; /* counts of `at_once` replicas; 0: their planes are too many */
};

/* These allocate the memory for waves, return a replica's waves, [axis][2], and free the memory. */
latmc_status lm_plane_waves_prepare(latmc_lattice *lattice, const char *caller);
const double *lm_plane_waves_of(const latmc_lattice *lattice, int64_t replica);
void lm_plane_waves_free(latmc_lattice *lattice);

#endif
