/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes what blocks of a phase wait for at the sides of a slab, and which counters they add
 * to when they have ended. connect.h proves that this is enough; seam.cuh is the device code. */
#ifndef LM_CUDA_SEAM_H
#define LM_CUDA_SEAM_H

#include <stdint.h>

/* The number of blocks that have ended, in all phases so far. It never goes back. */
typedef unsigned long long lm_seam_count;

/* The seam of a launch; arrays are by side. Blocks are numbered as their sites are. Blocks
 * first[s] .. end[s] - 1 of a launch are at side s: they have sites of the boundary layers. */
typedef struct lm_seam {
    const lm_seam_count
        *come; /* here: blocks of the neighbours that have ended; NULL: no block waits */
    lm_seam_count wanted[2]; /* blocks that must have ended before a block at the side begins */
    lm_seam_count *post[2];  /* the neighbour's counter, for blocks that have ended; NULL: none */
    lm_seam_count *posts;    /* host: counts the blocks that have been launched */
    uint32_t first[2], end[2];
    /* turn: the block that begins first. Blocks of the upper side begin first, then those of the
     * lower side. ahead: at least the number of blocks at either side. */
    uint32_t turn, ahead;
} lm_seam;

#endif
