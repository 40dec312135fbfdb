/* SPDX-License-Identifier: BSD-3-Clause */
/* Random cases: each a pure function of a number and of the wish. */
#ifndef LM_RANDOM_DRAW_H
#define LM_RANDOM_DRAW_H

#include "tests/random/case.h"
#include "tests/random/dice.h"

/* Kinds of lattices, named like the kernels of a GPU that are meant to sweep them. */
typedef enum draw_kind {
    DRAW_GENERAL,
    DRAW_LARGE,
    DRAW_PERSISTENT,
    DRAW_RESIDENT,
    DRAW_COLOURS,
    DRAW_TILES,
    DRAW_VECTORS, /* of another model than the others' */
    DRAW_SPINS,   /* Ising lattices that are kept as bytes */
    DRAW_ALONE,
    DRAW_POTTS,      /* of another model */
    DRAW_GENERATION, /* and of another */
    DRAW_CAPEL,      /* likewise */
    DRAW_NATURAL,
    DRAW_CLOCK, /* of another model, again */
    DRAW_KINDS
} draw_kind;

extern const char *const draw_names[DRAW_KINDS];

typedef struct draw_wish {
    unsigned kinds; /* bits; 0: all */
    int threads;    /* the most that a case asks for */
    double cost;    /* the most that a case costs, by case_cost() */
} draw_wish;

random_case draw_case(uint64_t number, const draw_wish *wish);

/* draw_cheaper.c: takes steps, sweeps and sites until the case costs no more than `cost`. */
void draw_cheaper(double cost, random_case *c);

/* shape.c: dimensions, extents, replicas of a lattice of a kind, of which a sweep costs no more
 * than `cost`. */
random_case draw_shape(draw_dice *d, draw_kind kind, double cost);
/* Sweeps of one call after which a kernel that works in batches begins a new one. */
int64_t draw_batch(const random_case *c, draw_kind kind);

#endif
