/* SPDX-License-Identifier: BSD-3-Clause */
/* What latmc-potts-thermodynamics measures, what is known exactly, and how both are shown. */
#ifndef POTTS_H
#define POTTS_H

#include "json.h"

#include <latmc/latmc.h>

#define POTTS_CURVES    "potts-two-states.png"
#define POTTS_DATA      "potts-two-states.dat"
#define POTTS_PEAKS     "potts-ten-states.png"
#define POTTS_HISTOGRAM "potts-ten-states.dat"

enum { POTTS_TEMPS = 45, POTTS_SIZES = 9, POTTS_STATES = 10, POTTS_SIDE = 20, POTTS_WIDE = 96 };

/* Energies of a lattice of SIDE squared: so many levels, by bonds between like states. */
enum { POTTS_BONDS = 2 * POTTS_SIDE * POTTS_SIDE, POTTS_BIN = 10 };
enum { POTTS_BINS = POTTS_BONDS / POTTS_BIN + 1 };

typedef enum potts_quantity {
    POTTS_ENERGY,
    POTTS_HEAT,
    POTTS_BINDER,
    POTTS_QUANTITIES
} potts_quantity;

/* Two states on one size, in terms of Ising spins. */
typedef struct potts_curve {
    int dims;
    int64_t size, records;
    uint64_t seed;
    double temperature[POTTS_TEMPS];
    latmc_estimate found[POTTS_QUANTITIES][POTTS_TEMPS];
    double exact[POTTS_QUANTITIES][POTTS_TEMPS]; /* NaN: not known */
    double seconds;
} potts_curve;

/* Ten states at the temperature where an ordered and a disordered phase meet. */
typedef struct potts_phases {
    int64_t replicas, records;
    double count[POTTS_BINS];   /* of energies in both phases, SIDE squared */
    double energy[2], error[2]; /* of the ordered and the disordered phase, WIDE squared */
    double latent, latent_error;
    double seconds;
} potts_phases;

/* R. J. Baxter, J. Phys. C 6, L445 (1973): the energies where the phases meet. */
#define POTTS_ORDERED    (-1.6642524817777928)
#define POTTS_DISORDERED (-0.968203050255883062)

/* The energy and the specific heat of Ising spins on a torus of size squared: B. Kaufman, Phys.
 * Rev. 76, 1232 (1949). */
void potts_kaufman(int64_t size, double temperature, double *energy, double *heat);

/* All three quantities of Ising spins on a periodic lattice of extent 2, by all its states. */
void potts_enumerate(int dims, double temperature, double *values);

/* ---- files in the current directory; reasons are said on stderr */

int potts_write_curves(const potts_curve *curves, int count); /* 1: written */
int potts_write_histogram(const potts_phases *phases);

/* From the data. 1: drawn, 0: gnuplot is missing, -1: it failed. */
int potts_draw_curves(const potts_curve *curves, int count);
int potts_draw_histogram(const potts_phases *phases);

/* ---- for people and for programs */

void potts_print_curve(const potts_curve *curve);
void potts_print_phases(const potts_phases *phases);
void potts_curve_json(const potts_curve *curve, json *j);
void potts_phases_json(const potts_phases *phases, json *j);

/* The mean of the squared deviations from the exact values, in errors, of points whose errors are
 * to be trusted; NaN if there are none. */
double potts_deviation(const potts_curve *curve, potts_quantity quantity);

#endif
