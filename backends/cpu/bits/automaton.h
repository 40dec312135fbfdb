/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cellular automata on CPUs: a generation is made of one buffer and goes into another.
 *
 * buffer[replica][which][row][word]: a word has 32 cells of a row. Before its first cell and behind
 * its last one a row has those across the ends, or dead ones; so have ghost rows before the first
 * row and after the last. So no inner loop knows where it is. What else is beyond the cells of a
 * row means nothing.
 */
#ifndef LM_CPU_AUTOMATON_H
#define LM_CPU_AUTOMATON_H

#include <stdatomic.h>

#include "backends/backend.h"
#include "backends/cpu/lanes.h"
#include "lib/physics/automaton_rule.h"
#include "lib/physics/philox_keys.h"

enum { LM_CELLS_LEAD = 16 }; /* words before a row's: those of the widest vector */

/* Rows that follow each other, for a loop. */
typedef struct lm_cells_band {
    const uint32_t *from; /* word 0 of the first row */
    uint32_t *to;
    int64_t stride; /* words from row to row */
    int64_t rows, words, padded;
    const uint32_t *valid; /* of a row: the bits that are cells */
    const lm_automaton_rule *rule;
    uint64_t threshold; /* of the noise, in 2^-32 */
    const lm_keys *keys;
    uint64_t step, index; /* of the first word of the first row */
    uint32_t group;
} lm_cells_band;

typedef struct lm_cells_loops {
    int lanes;
    void (*update)(const lm_cells_band *b);
    int64_t (*changed)(const lm_cells_band *b); /* cells that are not the same in `to` */
    int64_t (*living)(const lm_cells_band *b);  /* of `from` */
    void (*hot)(const lm_cells_band *b);        /* to `to` */
} lm_cells_loops;

LM_DECLARE_LANES(lm_cells_loops, lm_automaton_loops_, );

typedef struct lm_cells_plan {
    lm_spec spec;
    lm_automaton_rule rule;
    const lm_cells_loops *lane;
    int threads;
    int whole;                           /* 1: not a slab */
    int64_t rows, words, padded, stride; /* padded to whole vectors */
    uint32_t *memory, *valid;
    int present;         /* which buffer has the cells */
    int updated;         /* of a slab: parts that the other buffer has of the next generation */
    int counting;        /* of a slab */
    uint64_t *threshold; /* [replica] */
    lm_keys keys;
    _Atomic int64_t *counts; /* [replica][LM_AUTOMATON_GROUPS] */
} lm_cells_plan;

/* Row -1 .. rows of a buffer. */
static inline uint32_t *lm_cells_row(const lm_cells_plan *p, int64_t replica, int which,
                                     int64_t row)
{
    const int64_t buffer = 2 * replica + which;
    return p->memory + (buffer * (p->rows + 2) + row + 1) * p->stride + LM_CELLS_LEAD;
}

/* Rows [first, last) of a buffer have been made: puts what is across their ends beside them, and
 * where they are across those of a whole lattice. */
void lm_cells_dress(const lm_cells_plan *p, int64_t replica, int which, int64_t first,
                    int64_t last);

/* From a buffer to the other one. */
lm_cells_band lm_cells_band_of(const lm_cells_plan *p, int64_t replica, int which, int64_t first,
                               int64_t last);
/* One generation of some rows of a buffer, to the other one; if `count` the changes are added up.
 */
void lm_cells_update(lm_cells_plan *p, int64_t replica, int which, int64_t generation,
                     int64_t first, int64_t last, int count);

/* lm_plan_ops.run */
latmc_status lm_cells_run(void *plan, const lm_schedule *schedule, const lm_cursor *cursor,
                          int64_t budget, const lm_out *out);

#endif
