/* SPDX-License-Identifier: BSD-3-Clause */
/* The speed of one case: it warms up, and is then timed in rounds. */
#ifndef MEASURE_H
#define MEASURE_H

#include "lattice_flags.h"
#include "scaling.h"

enum { MEASURED_ROUNDS = 5, MEASURED_MAX = 32 };

typedef struct measurement {
    char device[SCALING_TEXT], extents[128], update[512];
    const char *model, *type;  /* of the sites */
    double hits, local_sweeps; /* 1 if the model has no such parameters */
    int64_t replicas, sweeps;  /* of one round */
    double median, slowest, fastest;
    double bytes;     /* per update; NaN if unknown */
    double bandwidth; /* bytes per nanosecond; NaN if unknown */
} measurement;

/* One case under way. */
typedef struct course {
    latmc_lattice *lattice;
    schedule steps;
    latmc_recording run; /* no quantities: do not measure */
    latmc_quantity quantities[MEASURED_MAX], of_pairs[MEASURED_MAX];
    int way;     /* in which they are called */
    int stopped; /* by a signal: nothing that was measured counts */
} course;

/* A case of a lattice that is not started, from rounds that take so many seconds together. 0 if a
 * signal came before it was done. */
int measure_case(const lattice_flags *wish, double seconds, course *c, measurement *m);

#endif
