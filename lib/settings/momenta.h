/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the momenta of a lattice, with their cosines and sines: doc/trajectory.md, "Momenta". */
#ifndef LM_MOMENTA_H
#define LM_MOMENTA_H

#include "lib/lattice/lattice.h"
#include "lib/physics/momentum_bar.h"

/* The factor (cosine, sine) of momentum j is at [0][j], [1][j]. */
struct lm_momenta {
    int dims, count;
    uint64_t mark; /* lm_momentum_order.mark */
    int64_t extents[LATMC_MAX_DIMS];
    int64_t n[LATMC_MAX_MOMENTA * LATMC_MAX_DIMS]; /* [momentum][axis], as they were given */
    /* The factors, once a measurement needed them. */
    double *wave[LATMC_MAX_DIMS];  /* [x][2]: of pi x / L, x < L */
    double *table[LATMC_MAX_DIMS]; /* [x][2][momentum], of axis 0 [bar][2][momentum]; NULL: it
                                      would be too large */
    double *within;                /* [site of a bar][2][momentum] */
    double *bits; /* sums of eight sites by their bits: lm_momentum_order.bits; NULL: terms have
                     more values, or no measurement needed them */
    double *sums; /* [replica][term][2][momentum], from the last measurement that asked for them;
                     NULL: there was none */
};

/* Returns the number of momenta. */
static inline int lm_momentum_count(const latmc_lattice *lattice)
{
    return lattice->momenta ? lattice->momenta->count : 0;
}

/* Returns the numbers in which a site's terms, or other numbers of a site, enter. */
static inline int64_t lm_momentum_width(const struct lm_momenta *momenta, int terms)
{
    return (int64_t)terms * 2 * momenta->count;
}

/* Returns the factors at coordinate x of an outer axis, [2][momentum]. Those of bar x follow for
 * axis 0. `room` has space for them. */
const double *lm_momentum_factors(const struct lm_momenta *momenta, int axis, int64_t x,
                                  double *room);

/* Compute the factors, which is slow, and take the memory for the sums of all replicas. They are
 * kept between measurements. The second function does both. */
latmc_status lm_momenta_prepare(const latmc_lattice *lattice, const char *caller);
latmc_status lm_momentum_sums_prepare(latmc_lattice *lattice, const char *caller);
/* Returns the sums of a replica, [term][2][momentum], or NULL. */
const double *lm_momentum_sums(const latmc_lattice *lattice, int64_t replica);
void lm_momenta_free(struct lm_momenta *momenta);

#endif
