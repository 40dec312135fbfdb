/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The +-J spin glass in three dimensions: one size of it with many samples of couplings, two copies
 * of a ladder of temperatures for each sample, and what follows from their overlaps.
 *
 * With the overlap q of two copies, its wave at the smallest momentum, and means over time and
 * samples (H. G. Katzgraber, M. Koerner and A. P. Young, Phys. Rev. B 73, 224432 (2006)):
 *
 *     g = (3 - <q^4> / <q^2>^2) / 2,   chi = N <q^2>,   xi = latmc_correlation_length()
 *
 * g and xi / L depend at the transition on no size, but for corrections to scaling.
 */
#ifndef GLASS_H
#define GLASS_H

#include "json.h"
#include "lattice_flags.h"

enum { GLASS_SIZES = 6, GLASS_STEPS = 64, GLASS_BINS = 32, GLASS_DRAWS = 1000 };

#define GLASS_PICTURE "ising-glass.png"
#define GLASS_DATA    "ising-glass.dat"

/* What is averaged over time; of the waves the mean of the three axes. */
typedef enum glass_mean { MEAN_ENERGY, MEAN_LINKS, MEAN_Q2, MEAN_Q4, MEAN_WAVE, MEANS } glass_mean;

/* What follows from the averages over samples. */
typedef enum glass_quantity {
    GLASS_ENERGY,
    GLASS_LINKS,
    GLASS_Q2,
    GLASS_BINDER,
    GLASS_CHI,
    GLASS_LENGTH, /* xi / L */
    GLASS_QUANTITIES
} glass_quantity;

extern const char *const glass_names[GLASS_QUANTITIES];

/* Bin 0 is the first measurement, bin b > 0 those from 2^(b - 1) on, before 2^b. So the last whole
 * bin is the second half of a run, which all results are of, and the one before is the second half
 * of what came before: if a run thermalizes slowly on a logarithmic scale, these two differ. */
typedef struct glass_size {
    int64_t size, sites, samples;
    int steps;                       /* of the ladder */
    double temperature[GLASS_STEPS]; /* rising */
    uint64_t seed;                   /* of the couplings and of all else */
    int64_t every;                   /* sweeps between measurements */
    int64_t wanted, records;         /* measurements, wanted a power of two */
    double seconds;

    double *sums;        /* [bin][sample][step][mean]: over the measurements of the bin */
    double *lowest;      /* [sample]: the lowest energy that any replica had */
    int64_t found_again; /* samples in which more than one replica had it */
    double acceptance[GLASS_STEPS]; /* of steps k and k + 1, both copies and all samples */
    double round_trips;             /* of a replica, on average */

    latmc_estimate estimate[GLASS_STEPS][GLASS_QUANTITIES];
    double *drawn;      /* [draw][step]: xi / L of samples drawn with repetition */
    double drift[2];    /* last two bins, lowest temperature: difference of <q^2> and of the energy,
                           in its standard errors */
    int thermalized;    /* neither is large */
    latmc_estimate low; /* the mean of `lowest` */
} glass_size;

/* Where xi / L of two sizes is the same. */
typedef struct glass_crossing {
    int64_t size, larger;
    latmc_estimate temperature; /* NaN: nowhere in the range */
    double length;              /* xi / L there */
    double share;               /* of the draws, in which they cross */
} glass_crossing;

/* --- glass_run.c */

/* A lattice with the samples, started; and the slot that a copy (0 or 1) of a sample has at a step
 * of the ladder. Stops with status 2 and a sentence if it cannot be. */
latmc_lattice *glass_make(const glass_size *g, const char *device, int64_t threads);
int64_t glass_slot(const glass_size *g, int64_t sample, int copy, int step);

/* Room for the sums. */
void glass_prepare(glass_size *g);
void glass_free(glass_size *g);

/* Returns whether a signal ended it. */
int glass_run(glass_size *g, latmc_lattice *lattice);

/* --- glass_analyse.c */

/* Whole bins. */
int glass_bins(const glass_size *g);

/* Mean and error over the samples at a step. */
latmc_estimate glass_bin(const glass_size *g, int bin, int step, glass_mean what);

/* With at least two whole bins. */
void glass_analyse(glass_size *g);
glass_crossing glass_cross(const glass_size *small, const glass_size *large);

/* --- glass_out.c */

void glass_print(const glass_size *g);
void glass_json(const glass_size *g, json *j);
void glass_print_crossing(const glass_crossing *x);
void glass_crossing_json(const glass_crossing *x, json *j);

/* --- glass_plot.c: both in the current directory */

/* 1 if it was written, otherwise says why not. */
int glass_write_data(const glass_size *sizes, int count, const glass_crossing *crossings);

/* From the data. 1 if the picture was drawn, 0 if gnuplot is missing, -1 if it failed. */
int glass_draw(const glass_size *sizes, int count, const glass_crossing *crossings);

/* T_c = 1.1019(29): M. Baity-Jesi and others (Janus collaboration), Phys. Rev. B 88, 224416
 * (2013). */
#define GLASS_TC       1.1019
#define GLASS_TC_ERROR 0.0029

#endif
