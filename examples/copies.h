/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of a lattice, with the same couplings and parameters: observables of pairs of them. */
#ifndef COPIES_H
#define COPIES_H

#include "simulation.h"

enum { PAIR_QUANTITIES_MAX = 32 + 6 * LATMC_MAX_MOMENTA };

/* The replicas of a sample are `copies` times as many slots of a ladder of parameters, one copy
 * after the other. */
typedef struct copies {
    int64_t copies, samples, ladder, pairs; /* pairs of all samples, steps of the ladder, copies */
    int64_t (*of)[2];                       /* [sample][step][..] */
    int observables, quantities;            /* observables come first */
    quantity list[PAIR_QUANTITIES_MAX];
    latmc_quantity measured[PAIR_QUANTITIES_MAX];
    int64_t room, records; /* numbers of a series; measurements made */
    double *now;           /* [observable][pair] */
    /* [observable][step][room], means over the pairs: of each measurement or, of several samples,
     * of each sample the sum over the measurements */
    double *series;
    latmc_estimate *estimates; /* [step][quantity] */
    double *means;             /* room for two numbers of each sample */
} copies;

/* Whether a lattice has copies: several ladders in each sample, all with the same parameters. */
int copies_are_there(const latmc_lattice *lattice);

/* Stops with status 2 and a sentence if the lattice has not so many copies. */
copies copies_prepare(const latmc_lattice *lattice, int64_t count, int64_t records);
void copies_free(copies *c);

/* As simulation_record(), and measures all pairs with each record. */
void copies_record(copies *c, simulation *s, int64_t every, int64_t records, results *r);
/* The lattice as it is. */
void copies_measure(copies *c, latmc_lattice *lattice);
void copies_analyse(copies *c, const results *r);

void copies_table(const copies *c, const results *r, FILE *file);
void copies_json(const copies *c, const results *r, json *j); /* the keys "copies" and "pairs" */

#endif
