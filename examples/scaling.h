/* SPDX-License-Identifier: BSD-3-Clause */
/* latmc-bench --scaling: the same case on more and more devices, or ranks. */
#ifndef SCALING_H
#define SCALING_H

#include "lattice_flags.h"

#define SCALING_HELP                                                                               \
    "weak: the lattice of --extents on one of the devices of --device, such as cuda:0-3, then "    \
    "one "                                                                                         \
    "of "                                                                                          \
    "twice its slowest extent on two of them, and so on; strong: that lattice on one, on two, "    \
    ".. With --mpi on one rank, on two, .."

enum { SCALING_MOST = 16, SCALING_TEXT = 512 };

typedef struct scaling_row {
    int devices;
    char device[SCALING_TEXT], extents[128]; /* flags of the case */
    double rate;                             /* updates/ns; 0 while it was not measured */
} scaling_row;

typedef struct scaling {
    int weak, count;
    scaling_row rows[SCALING_MOST];
} scaling;

/* One row for each number of devices: 1, 2, 4, .. and all of them. Refuses what cannot be. */
scaling scaling_plan(const char *way, const lattice_flags *wish);

/* Of n devices: their rate over n times that of one. */
double scaling_efficiency(const scaling *s, int row);

void scaling_table(const scaling *s);
void scaling_json(const scaling *s, json *j);

#endif
