/* SPDX-License-Identifier: BSD-3-Clause */
/* What blocks of a phase wait for at the sides of a slab, and whom they tell that they have ended.
 * connect.h says why it is enough, seam.cuh is what blocks do. */
#ifndef LM_CUDA_SEAM_H
#define LM_CUDA_SEAM_H

#include <stdint.h>

/* Blocks that have ended, of all phases that ever were: it never goes back. */
typedef unsigned long long lm_seam_count;

/* By side. Blocks, numbered as their sites are, first[s] .. end[s] - 1 of a launch are at side s:
 * they have sites of the boundary layers. */
typedef struct lm_seam {
    const lm_seam_count *come; /* here: those beyond either side; NULL: no block waits, */
    lm_seam_count wanted[2];   /* and so many must have come before a block at the side begins */
    lm_seam_count *post[2];    /* where one that has ended is counted, beyond; NULL: nowhere */
    lm_seam_count *posts;      /* of the host: counts the blocks that have been launched */
    uint32_t first[2], end[2];
    /* The block that begins first: those of the upper side, then those of the lower, which are so
     * many or fewer. */
    uint32_t turn, ahead;
} lm_seam;

#endif
