/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Population annealing: replicas of one lattice are cooled together, and resampled at each step so
 * that the population stays in equilibrium. K. Hukushima and Y. Iba, AIP Conf. Proc. 690, 200
 * (2003); J. Machta, Phys. Rev. E 82, 026704 (2010).
 */
#ifndef POPULATION_H
#define POPULATION_H

#include <latmc/latmc.h>

/* Groups of consecutive founders. Members of different groups are independent but for the common
 * normalization, so the groups' spread gives errors. */
enum { POPULATION_GROUPS = 100 };

typedef struct population_step {
    double beta;
    latmc_estimate energy; /* per site */
    latmc_estimate ln_z;   /* of the whole lattice */
    int64_t families;      /* founders that have descendants */
    double rho;            /* mean over all founders of the squared number of descendants */
} population_step;

typedef struct population {
    latmc_lattice *lattice; /* of spins with two states, started hot */
    int64_t replicas, sites;
    uint64_t seed;
    double beta, ln_z;  /* so far */
    double *energies;   /* [replica], of the whole lattice */
    double *weights;    /* [replica] of the next step */
    int64_t *from;      /* [replica] */
    int64_t *family;    /* [replica]: number of the founder; it never decreases with the replica */
    int64_t *inherited; /* [replica]: room for the families of the next step */
    double shares[POPULATION_GROUPS]; /* of each group in the partition function; their mean is 1 */
} population;

/* Takes a lattice that is ready to start, at beta = 0. */
population population_begin(latmc_lattice *lattice, uint64_t seed);
void population_end(population *p);

/* Resamples the population for beta, sweeps it there, and measures. 0 if a signal came. */
int population_step_to(population *p, int64_t step, double beta, int64_t sweeps,
                       population_step *measured);

#endif
