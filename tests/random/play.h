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
} play_setup;

typedef struct play_result {
    int same;
    double cpu[2]; /* seconds of this process, by side */
    int64_t swept[KERNELS_MOST];
    char difference[NOTES_TEXT];
} play_result;

void play_case(const random_case *c, const play_setup *setup, play_result *result);

#endif
