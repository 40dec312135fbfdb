/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples of the Heisenberg spin glass of one size on a ladder of temperatures, two copies of each,
 * and the identity that tells whether they are in equilibrium.
 *
 * With E = -sum J_ij s_i . s_j and J_ij Gaussian of mean 0 and width 1, [..] being the mean over
 * the samples, integration by parts in J_ij gives
 *
 *     [J_ij <s_i . s_j>] = (1/T) ([<(s_i . s_j)^2>] - [<s_i . s_j>^2]),
 *
 * so that the energy per site is that "of the links", -(B/N) (1/T) ([q_s] - [q_l]), B/N being the
 * bonds of a site. q_l is the link overlap of two copies. q_s, which is 1 for Ising spins, is the
 * mean of (s_i . s_j)^2 over the bonds: the link overlap of a replica with itself. From a hot start
 * the energy comes to its mean from above, and that of the links from below. H. G. Katzgraber,
 * M. Palassini, A. P. Young, Phys. Rev. B 63, 184422 (2001); of vectors L. W. Lee, A. P. Young,
 * Phys. Rev. B 76, 024405 (2007).
 */
#ifndef HEISENBERG_H
#define HEISENBERG_H

#include "simulation.h"

enum { HEISENBERG_SIZES = 4, HEISENBERG_BINS = 32, HEISENBERG_DIMS = 3, HEISENBERG_COPIES = 2 };

#define HEISENBERG_PICTURE "heisenberg-glass.png"
#define HEISENBERG_DATA    "heisenberg-glass.dat"

/* What is known of a temperature, each a mean over the samples with the error of their spread. */
typedef enum heisenberg_quantity {
    HEISENBERG_ENERGY,     /* per site */
    HEISENBERG_OF_LINKS,   /* what it should be by the identity */
    HEISENBERG_DIFFERENCE, /* of these two */
    HEISENBERG_LINK,       /* of the two copies */
    HEISENBERG_SELF_LINK,  /* of a copy with itself */
    HEISENBERG_TENSOR2,    /* q^2 and its square, over the tensor of overlaps */
    HEISENBERG_TENSOR4,
    HEISENBERG_BINDER,
    HEISENBERG_SUSCEPTIBILITY, /* of the spin glass, N q^2 */
    HEISENBERG_LENGTH,         /* xi_L / L, of structure factors averaged over the axes */
    HEISENBERG_QUANTITIES
} heisenberg_quantity;

typedef struct heisenberg {
    lattice_flags wish;
    latmc_lattice *lattice;
    schedule steps; /* a round */
    char extents[NAME_BYTES], update[NAME_BYTES];
    int64_t size, samples, ladder; /* temperatures, the coldest first */
    int64_t rounds;
    double from, to; /* temperatures */
    double *temperature;
    double seconds;

    /* Each bin but the first is as long as all before it: the last one is the second half. */
    int bins, done;               /* those that are whole */
    int64_t end[HEISENBERG_BINS]; /* round with which it ends */
    /* Slots: [sample][temperature][2], of one copy and the other; then
     * [sample][copy][temperature][2], twice the same. */
    int64_t *pairs;
    double *means;             /* [bin][input][temperature][sample] */
    latmc_estimate *estimates; /* [bin][temperature][quantity] */
    double *acceptance;        /* in the last bin, of each temperature with the next hotter one */
    int64_t *exchanges;        /* offered and made so far, likewise */
    int64_t round_trips;       /* of all replicas, since the start */
} heisenberg;

/* Stops with status 2 and a sentence if there is no such lattice. */
void heisenberg_make(heisenberg *h);
void heisenberg_free(heisenberg *h);

/* Returns whether a signal ended it, after `done` bins. */
int heisenberg_run(heisenberg *h);

const latmc_estimate *heisenberg_find(const heisenberg *h, int bin, int64_t temperature,
                                      heisenberg_quantity q);
const char *heisenberg_name(heisenberg_quantity q);

/* The difference of the identity's sides in standard errors. */
double heisenberg_deviation(const heisenberg *h, int bin, int64_t temperature);
/* Its root mean square over the temperatures, and the temperature where it is greatest. */
double heisenberg_spread(const heisenberg *h, int bin, int64_t *worst);

/* Of at least one whole bin. */
void heisenberg_print(const heisenberg *h);
void heisenberg_json(const heisenberg *h, json *j);

/* Both in the current directory. A block of lines for each size: 1 if it was written, otherwise
 * says why not. */
int heisenberg_write_data(const heisenberg *sizes, int count);

/* From the data. 1 if the picture was drawn, 0 if gnuplot is missing, -1 if it failed. */
int heisenberg_draw(const heisenberg *sizes, int count);

#endif
