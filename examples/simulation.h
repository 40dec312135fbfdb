/* SPDX-License-Identifier: BSD-3-Clause */
/* A lattice, a schedule of updates, and the running of one over the other until a signal comes. */
#ifndef SIMULATION_H
#define SIMULATION_H

#include "results.h"

/* How far a run has come, for the bar on stderr. */
typedef struct progress {
    int shown;
    int64_t base, total; /* sweeps */
    double drawn;        /* when */
} progress;

typedef struct simulation {
    latmc_lattice *lattice;
    schedule steps;
    progress bar;
    int stopped; /* a signal has ended the run; nothing is done any more */
} simulation;

/* Has the library ask for signals, and draws the bar if `bar`. After the lattice's last setting. */
void simulation_begin(simulation *s, int bar, int64_t total_sweeps);
void simulation_end(const simulation *s);

/* Sweeps of the first update of the schedule that has an epsilon; stops if none has. */
void simulation_tune(simulation *s, int64_t sweeps);

/* Steps here and below are whole rounds: multiples of the schedule's passes. */
void simulation_sweep(simulation *s, int64_t steps);

/* Fills the results with a record after every `every` steps; those that a signal left undone are
 * not counted. */
void simulation_record(simulation *s, int64_t every, int64_t records, results *r);

#endif
