/* SPDX-License-Identifier: BSD-3-Clause */
/* The lanes compiled in, and which of them this CPU can run. */
#ifndef LM_LANES_H
#define LM_LANES_H

#include "backends/cpu/band.h"

extern const lm_lane lm_lane_scalar, lm_lane_avx2, lm_lane_avx512, lm_lane_neon;

typedef struct lm_lane_entry {
    const lm_lane *lane;        /* NULL: not compiled in */
    const char *name;           /* "avx2" */
    const char *text;           /* what it is */
    const char *(*lacks)(void); /* what the CPU lacks for it, or NULL */
} lm_lane_entry;

extern const lm_lane_entry lm_lane_table[]; /* best first */
int lm_lane_count(void);

#endif
