/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cellular automata on CPUs. A generation in one buffer is computed from the generation in the
 * other.
 *
 * buffer[replica][which][row][word]: a word has 32 cells of a row. The cells before a row's first
 * cell and after its last one are those across the ends, or dead cells. Ghost rows before the first
 * row and after the last one do the same. So no inner loop needs to know its position. Other bits
 * beyond the cells of a row have no meaning.
 */
#ifndef LM_CPU_AUTOMATON_H
#define LM_CPU_AUTOMATON_H

#include <stdatomic.h>

#include "backends/backend.h"
#include "backends/cpu/bits/cross.h"
#include "lib/physics/automaton_rule.h"
#include "lib/physics/philox_keys.h"

enum { LM_AUTOMATON_LEAD = 16 }; /* words before a row, as many as the widest vector has */

/* Consecutive rows, for a loop. */
typedef struct lm_automaton_band {
    const uint32_t *from; /* word 0 of the first row */
    uint32_t *to;
    int64_t stride; /* words from row to row */
    int64_t rows, words, padded;
    const uint32_t *valid; /* of a row: the bits that are cells */
    const lm_automaton_rule *rule;
    uint64_t threshold; /* of the noise, in units of 2^-32 */
    const lm_keys *keys;
    uint64_t step, index; /* of the first word of the first row */
    uint32_t group;
} lm_automaton_band;

typedef struct lm_automaton_loops {
    int words;
    void (*update)(const lm_automaton_band *b);
    int64_t (*changed)(
        const lm_automaton_band *b); /* returns the number of cells that differ in `to`
                                      */
    int64_t (*living)(
        const lm_automaton_band *b);         /* returns the number of living cells in `from` */
    void (*hot)(const lm_automaton_band *b); /* writes random cells to `to` */
} lm_automaton_loops;

LM_DECLARE_LANES(lm_automaton_loops, lm_automaton_loops_, );

typedef struct lm_automaton_plan {
    lm_spec spec;
    lm_automaton_rule rule;
    const lm_automaton_loops *lane;
    const lm_cross_loops *cross;
    lm_cpu_room room;
    int threads;
    int whole;                           /* 1: the plan is not a slab */
    int64_t rows, words, padded, stride; /* padded to whole vectors */
    uint32_t *memory, *valid;
    int present;         /* the buffer that has the present cells */
    int updated;         /* in a slab: the parts of the next generation that the other buffer has */
    int counting;        /* in a slab */
    uint64_t *threshold; /* [replica] */
    lm_keys keys;
    _Atomic int64_t *counts; /* [replica][LM_AUTOMATON_BUNDLES] */
} lm_automaton_plan;

/* Returns row -1 .. rows of a buffer. */
static inline uint32_t *lm_automaton_row(const lm_automaton_plan *p, int64_t replica, int which,
                                         int64_t row)
{
    const int64_t buffer = 2 * replica + which;
    return p->memory + (buffer * (p->rows + 2) + row + 1) * p->stride + LM_AUTOMATON_LEAD;
}

/* Completes rows [first, last) of a buffer after they have been computed. It puts the cells across
 * the rows' ends beside them. In a whole lattice it also copies rows to the ghost rows. */
void lm_automaton_dress(const lm_automaton_plan *p, int64_t replica, int which, int64_t first,
                        int64_t last);

/* Returns rows of a buffer, to be updated to the other one. */
lm_automaton_band lm_automaton_band_of(const lm_automaton_plan *p, int64_t replica, int which,
                                       int64_t first, int64_t last);
/* Computes one generation of some rows, from a buffer to the other one. It adds up the changes if
 * `count` is nonzero. */
void lm_automaton_update(lm_automaton_plan *p, int64_t replica, int which, int64_t generation,
                         int64_t first, int64_t last, int count);

/* Implement operations of lm_plan_ops. The first three are in automaton_cross.c. */
unsigned lm_automaton_crosses(const void *plan);
latmc_status lm_automaton_cross(void *plan, const lm_crossing *crossing);
latmc_status lm_automaton_copy(void *plan, const int64_t *from);
latmc_status lm_automaton_run(void *plan, const lm_schedule *schedule, const lm_cursor *cursor,
                              int64_t budget, const lm_measure *out);

#endif
