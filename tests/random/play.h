/* SPDX-License-Identifier: BSD-3-Clause */
/* A case, played on the reference and on the device under test, in this process. */
#ifndef LM_RANDOM_PLAY_H
#define LM_RANDOM_PLAY_H

#include "tests/random/case.h"
#include "tests/random/kernels.h"
#include "tests/random/notes.h"
#include "tests/random/plant.h"

enum { PLAY_REFERENCE = 0, PLAY_TESTED = 1 };

typedef struct play_setup {
    const char *devices[2]; /* by side */
    plant_kind plant;
    void (*at)(int side, int step); /* told of every step before it is made */
    int kernel;                     /* of a GPU, that is to sweep; 0: chosen as for any user */
    /* Told of the lattice under test before it goes to a device, home or away; NULL: nobody. */
    void (*goes)(latmc_lattice *lattice, int home);
    int known; /* 1: for play_known() */
    /* Processes that have the lattice under test together, of which this plays one; or NULL. */
    const latmc_ranks *ranks;
} play_setup;

typedef struct play_result {
    int same;
    int left_out;  /* it could not be divided among the devices, and was not played to the end */
    double cpu[2]; /* seconds of this process, by side */
    int64_t swept[KERNELS_MOST];
    char difference[NOTES_TEXT];
} play_result;

void play_case(const random_case *c, const play_setup *setup, play_result *result);

/* What one device answers, as numbers that can be kept. */
typedef struct play_answer {
    uint64_t trajectory; /* statuses, values that were measured, all sites at the end */
    uint64_t form;       /* state hashes and the bytes of saves */
    int refused;         /* 1: some call was */
    int64_t swept[KERNELS_MOST];
} play_answer;

/* The lattice of a case, started, before its steps; NULL if a call was refused. */
latmc_lattice *play_lattice(const random_case *c, const char *device);

/* The case on a device, where `goes` (or NULL) is told of the lattice, and a kernel may be forced.
 */
typedef struct play_place {
    const char *device;
    int kernel;
    void (*goes)(latmc_lattice *lattice, int home);
    const latmc_ranks *ranks;
} play_place;

void play_known(const random_case *c, const play_place *place, play_answer *answer);

#endif
